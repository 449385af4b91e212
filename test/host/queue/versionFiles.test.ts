import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FilePermission, FileSystemError, Uri, workspace } from 'vscode';
import { queueKey } from '../../../src/account/approvals';
import { openKeptTreesOf } from '../../../src/app/context/openKeptTrees';
import { composeUri, SCHEME, type KeptVersion } from '../../../src/editor/changes/versionUri';
import { createDiffMeasure } from '../../../src/platform/git/changeMeasure';
import { GitRepository } from '../../support/machine/gitRepository';

const NEVER = new AbortController().signal;
/** Not UTF-8, with a line end of Windows. */
const BYTES = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a]);
const QUEUE = queueKey('/of/this/test/claude_queue/prompts.csv');

const toUri = (version: KeptVersion, path = 'a b.bin'): Uri =>
  Uri.from({ scheme: SCHEME, ...composeUri(version, path) });

const failure = (code: string) => (error: unknown) => error instanceof FileSystemError && error.code === code;

describe('The files that show kept versions', () => {
  let folder: string;
  let version: KeptVersion;

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'version-files-')));
    writeFileSync(join(folder, 'a b.bin'), BYTES);
    GitRepository.init(folder).commitAll('Before');
    const measureDiff = createDiffMeasure({ environment: process.env, except: [], longestMs: 60_000 });
    const measure = await measureDiff(folder, NEVER);
    appendFileSync(join(folder, 'a b.bin'), BYTES);
    const change = await measure.end();
    assert.ok(change);
    const trees = openKeptTreesOf(QUEUE, process.env);
    const attempt = { id: 1, number: 1, startedAt: 1 };
    await trees.keep(attempt, change, NEVER);
    measure.drop();
    const kept = await trees.find(attempt);
    assert.ok(kept);
    const [file] = await trees.diffOf(kept).list(NEVER);
    assert.ok(file?.before);
    version = { queue: QUEUE, format: kept.format, ...file.before };
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('have the bytes of the version, and their number', async () => {
    const uri = toUri(version);
    assert.deepEqual(Buffer.from(await workspace.fs.readFile(uri)), BYTES);
    const { size, permissions } = await workspace.fs.stat(uri);
    assert.deepEqual([size, permissions], [BYTES.length, FilePermission.Readonly]);
  });

  it('have the language of their name', async () => {
    assert.equal((await workspace.openTextDocument(toUri(version, 'a.json'))).languageId, 'json');
  });

  it('cannot be written', async () => {
    const uri = toUri(version);
    assert.equal(workspace.fs.isWritableFileSystem(SCHEME), false);
    await assert.rejects(async () => workspace.fs.writeFile(uri, BYTES), failure('NoPermissions'));
    await assert.rejects(async () => workspace.fs.delete(uri), failure('NoPermissions'));
  });

  it('are nothing else than kept versions', async () => {
    for (const uri of [
      Uri.from({ scheme: SCHEME, path: '/etc/hostname' }),
      Uri.from({ scheme: SCHEME, authority: QUEUE, path: '/a', query: 'sha1 file HEAD' }),
      toUri({ ...version, queue: '../../..' }),
    ])
      await assert.rejects(async () => workspace.fs.readFile(uri), failure('FileNotFound'), String(uri));
    const unknown = { ...version, object: 'a'.repeat(version.object.length) };
    await assert.rejects(async () => workspace.fs.readFile(toUri(unknown)), failure('Unavailable'));
  });
});
