import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProblem } from '../../../../src/domain/problem';
import { OpenEditor } from '../../../../src/queue/file/editors/openEditors';
import { makeStateFolder } from '../../../../src/queue/file/stateFolder';
import { openFileQueue } from '../../../../src/queue/openQueue';
import { makeFolder } from '../folder';
import { OWN_HISTORY } from '../../../support/queue/ownHistory';
import { StatePaths } from '../../../../src/queue/queuePaths';

const ROWS = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };

const windowOf = (state: string): OpenEditor =>
  new OpenEditor(new StatePaths(state), { pid: 7, startedAt: 'then' }, () => true);

/** A task is held in a queue that has one: a step, whatever it does. */
async function takeStep(folder: string): Promise<void> {
  const file = join(folder, 'prompts.csv');
  writeFileSync(file, 'id,working_dir,prompt\n1,.,Take notes\n');
  const queue = await openFileQueue({
    file,
    rows: () => ROWS,
    machine: { id: 'here', isAlive: () => true },
    known: OWN_HISTORY,
    clock: { now: () => 1_795_198_700_000, sleep: () => Promise.resolve() },
    warn: () => undefined,
  });
  await queue.hold({ by: 'person', why: 'night' }, 'hold');
  await queue.close();
}

describe('The folder beside a queue file', () => {
  let folder: string;
  let state: string;

  beforeEach(() => {
    folder = makeFolder();
    state = join(folder, 'state');
  });

  it('is ignored by git when it is made', async () => {
    await windowOf(state).announce();
    assert.deepEqual(readdirSync(state).sort(), ['.gitignore', 'windows']);
    assert.equal(readFileSync(join(state, '.gitignore'), 'utf8'), '*\n');
    assert.equal(statSync(state).mode & 0o777, 0o700);
  });

  it('is ignored by git from the next step on if it was made without that', async () => {
    mkdirSync(state);
    await takeStep(folder);
    assert.equal(readFileSync(join(state, '.gitignore'), 'utf8'), '*\n');
  });

  it("keeps the user's .gitignore", async () => {
    mkdirSync(state);
    writeFileSync(join(state, '.gitignore'), 'mine\n');
    await takeStep(folder);
    await windowOf(state).announce();
    assert.equal(readFileSync(join(state, '.gitignore'), 'utf8'), 'mine\n');
  });

  it('is not written through a link, also by an editor’s window', async () => {
    const elsewhere = makeFolder();
    symlinkSync(elsewhere, state);
    const isLinked = (error: unknown): boolean => isProblem(error, 'state-linked');
    await assert.rejects(windowOf(state).announce(), isLinked);
    assert.throws(() => windowOf(state).markUnsaved([]), isLinked);
    assert.throws(() => makeStateFolder(new StatePaths(state), join(state, 'replaced')), isLinked);
    await assert.rejects(takeStep(folder), isLinked);
    assert.deepEqual(readdirSync(elsewhere), []);
  });

  it('is not written through a link inside it', () => {
    const elsewhere = makeFolder();
    mkdirSync(state);
    symlinkSync(elsewhere, join(state, 'replaced'));
    assert.throws(
      () => makeStateFolder(new StatePaths(state), join(state, 'replaced')),
      (error) =>
        isProblem(error, 'state-linked') && error.message.includes('state/replaced is a symbolic link'),
    );
    assert.deepEqual(readdirSync(elsewhere), []);
  });
});
