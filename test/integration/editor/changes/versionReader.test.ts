import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queueKey } from '../../../../src/account/approvals';
import { openKeptTrees } from '../../../../src/app/context/openKeptTrees';
import type { Host } from '../../../../src/app/context/host';
import { VersionReader } from '../../../../src/editor/changes/versionReader';
import { composeUri, parseUri, type KeptVersion } from '../../../../src/editor/changes/versionUri';
import { GitFailure } from '../../../../src/platform/git/git';
import { createDiffMeasure } from '../../../../src/platform/git/changeMeasure';
import type { KeptChange } from '../../../../src/platform/git/keptTrees';
import type { FileVersion } from '../../../../src/platform/git/treeDiff';
import { GitRepository } from '../../../support/machine/gitRepository';

const NEVER = new AbortController().signal;
/** Not UTF-8, with a line end of Windows. */
const BYTES = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x00, 0x0d, 0x0a]);
const QUEUE_FILE = '/q/claude_queue/prompts.csv';

describe('The reader of kept versions', () => {
  let folder: string;
  let calls: string;
  let env: NodeJS.ProcessEnv;
  let kept: KeptChange;
  let changed: ReadonlyMap<
    string,
    { readonly before: FileVersion | null; readonly after: FileVersion | null }
  >;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'versions-'));
    calls = join(folder, 'calls');
    const programs = join(folder, 'programs');
    const repository = join(folder, 'repository');
    for (const each of [programs, repository]) mkdirSync(each);
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(programs, 'git'), `#!/bin/sh\necho call >> '${calls}'\nexec '${git}' "$@"\n`, {
      mode: 0o755,
    });
    env = { PATH: `${programs}:/usr/bin:/bin`, HOME: '/nonexistent', XDG_STATE_HOME: join(folder, 'state') };
    const trees = openKeptTrees({ queueFile: QUEUE_FILE, host: { env } as Host });
    writeFileSync(join(repository, 'a.bin'), BYTES);
    GitRepository.init(repository).commitAll('Before');
    const measure = await createDiffMeasure({ environment: env, except: [], longestMs: 60_000 })(
      repository,
      NEVER,
    );
    appendFileSync(join(repository, 'a.bin'), BYTES);
    writeFileSync(join(repository, 'b.txt'), 'New.\n');
    const change = await measure.end();
    assert.ok(change);
    const attempt = { id: 1, number: 1, startedAt: 1 };
    await trees.keep(attempt, change, NEVER);
    measure.drop();
    const found = await trees.find(attempt);
    assert.ok(found);
    kept = found;
    changed = new Map((await trees.diffOf(kept).list(NEVER)).map((file) => [file.path, file]));
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => {
    writeFileSync(calls, '');
  });

  /** Returns a version as its URI names it. */
  function versionOf(version: FileVersion | null | undefined): KeptVersion {
    assert.ok(version);
    const queue = queueKey(QUEUE_FILE);
    const parsed = parseUri(composeUri({ queue, format: kept.format, ...version }, 'any'));
    assert.ok(parsed);
    return parsed;
  }

  const countCalls = (): number => readFileSync(calls, 'utf8').split('\n').length - 1;

  it('returns both versions byte by byte', async () => {
    const reader = new VersionReader(() => env);
    const file = changed.get('a.bin');
    assert.deepEqual(await reader.read(versionOf(file?.before)), BYTES);
    assert.deepEqual(await reader.read(versionOf(file?.after)), Buffer.concat([BYTES, BYTES]));
    assert.equal(changed.get('b.txt')?.before, null);
  });

  it('reads a version once, however often it is asked for', async () => {
    const reader = new VersionReader(() => env);
    const version = versionOf(changed.get('b.txt')?.after);
    const all = await Promise.all(Array.from({ length: 20 }, () => reader.read(version)));
    assert.deepEqual(new Set(all.map(String)), new Set(['New.\n']));
    assert.equal(countCalls(), 1);
  });

  it('reads many versions at the same time', async () => {
    const reader = new VersionReader(() => env);
    const versions = [...changed.values()]
      .flatMap(({ before, after }) => [before, after])
      .filter((one) => one !== null);
    const all = await Promise.all([...versions, ...versions].map((one) => reader.read(versionOf(one))));
    assert.equal(all.length, 6);
  });

  it('describes the commit of a submodule, as git does', async () => {
    const object = 'a'.repeat(40);
    const reader = new VersionReader(() => env);
    const version = versionOf({ object, kind: 'submodule' });
    assert.equal(String(await reader.read(version)), `Subproject commit ${object}\n`);
  });

  it('refuses an object that is not kept, is no file, or is of another queue, and tries again', async () => {
    const reader = new VersionReader(() => env);
    const version = versionOf(changed.get('b.txt')?.after);
    const missing = [
      { ...version, object: 'a'.repeat(40) },
      { ...version, object: kept.trees?.after ?? '' },
      { ...version, queue: queueKey('/other/claude_queue/prompts.csv') },
    ];
    for (const one of missing) {
      await assert.rejects(reader.read(one), GitFailure);
      await assert.rejects(reader.read(one), GitFailure);
    }
    assert.equal(String(await reader.read(version)), 'New.\n');
  });
});
