import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseTracked } from '../../../../src/app/context/trackedState';
import { isProblem } from '../../../../src/domain/problem';
import { GitRepository } from '../../../support/machine/gitRepository';

describe('A state folder in a repository', () => {
  let folder: string;
  let state: string;
  let repository: GitRepository;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tracked-')));
    state = join(folder, 'repository', 'claude_queue', 'state');
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'journal'), '');
    for (const name of ['claude_queue/prompts.csv', 'other.txt'])
      writeFileSync(join(folder, 'repository', name), '');
    repository = GitRepository.init(join(folder, 'repository'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const isRefused = async (env: Record<string, string> = { PATH: process.env['PATH'] ?? '' }) =>
    refuseTracked(state, { env }).then(
      () => false,
      (error: unknown) => {
        if (!isProblem(error, 'state-tracked')) throw error;
        return true;
      },
    );

  /** The environment of a user whose git notes that it was started. */
  function noteGit(): Record<string, string> {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'git'), `#!/bin/sh\n: > '${join(folder, 'started')}'\n`, { mode: 0o755 });
    return { PATH: programs };
  }

  it('is accepted without starting git if the index has none of its files', async () => {
    const env = noteGit();
    assert.equal(await isRefused(env), false);
    repository.git('add', 'other.txt');
    assert.equal(await isRefused(env), false);
    assert.equal(existsSync(join(folder, 'started')), false);
    repository.git('add', '-f', '.');
    await isRefused(env);
    assert.equal(existsSync(join(folder, 'started')), true);
  });

  for (const [how, ...words] of [
    ['an index of version 2', 'update-index', '--index-version', '2'],
    ['an index of version 3', 'update-index', '--index-version', '3'],
    ['an index that shortens names', 'update-index', '--index-version', '4'],
    ['a split index', 'update-index', '--split-index'],
  ] as const) {
    it(`is refused if git tracks one of its files in ${how}`, async () => {
      assert.equal(await isRefused(), false);
      repository.git('add', '-f', '.');
      repository.git(...words);
      assert.equal(await isRefused(), true);
    });
  }

  it('is refused if a linked worktree tracks one of its files', async () => {
    repository.commitAll('All');
    repository.git('worktree', 'add', '-q', join(folder, 'linked'));
    state = join(folder, 'linked', 'claude_queue', 'state');
    assert.equal(await isRefused(), true);
  });

  it('is refused if it is the top of the repository that tracks it', async () => {
    rmSync(join(folder, 'repository', '.git'), { recursive: true });
    GitRepository.init(join(folder, 'repository', 'claude_queue')).git('add', '-f', '.');
    assert.equal(await isRefused(), true);
  });
});
