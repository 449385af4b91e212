import assert from 'node:assert/strict';
import { chmodSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { CheckpointSchedule } from '../../../../../src/queue/file/checkpoint/checkpointSchedule';
import { OpenEditor } from '../../../../../src/queue/file/editors/openEditors';
import { FileHistory } from '../../../../../src/queue/file/journal/fileHistory';
import { StatePaths } from '../../../../../src/queue/queuePaths';
import { replaceIfUnchanged } from '../../../../../src/queue/file/checkpoint/replaceIfUnchanged';
import { ownHistory } from '../../../../support/queue/ownHistory';
import { until } from '../../../../support/until';
import { makeFolder } from '../../folder';
import { eleven, openFile } from '../../ownedFile';

type Functions = Record<string, (...args: unknown[]) => unknown>;

const undo: (() => void)[] = [];

afterEach('the file system is as it was', () => {
  for (const back of undo.splice(0)) back();
});

/** Has `instead` called in place of a function of a module, which is given the original. */
function replaceCall(module: string, name: string, instead: (original: Functions[string]) => unknown): void {
  const owner = process.getBuiltinModule(module) as unknown as Functions;
  const original = owner[name];
  assert.ok(original !== undefined);
  owner[name] = instead(original) as Functions[string];
  undo.push(() => (owner[name] = original));
}

/** Keeps the next file that is to take the queue file's place from being written until it is let go. */
class Gate {
  isReached = false;
  open: () => void = () => undefined;

  constructor() {
    const opened = new Promise<void>((resolve) => (this.open = resolve));
    undo.push(this.open);
    replaceCall('node:fs/promises', 'open', (original) => async (...args: unknown[]) => {
      if (String(args[0]).endsWith('.tmp') && !this.isReached) {
        this.isReached = true;
        await opened;
      }
      return original(...args);
    });
  }
}

const row = (id: number, status: string): string => `${String(id)},high,/w,x,${status},,,no,,0,3`;
const rows = (...statuses: readonly string[]): string =>
  eleven(...statuses.map((status, index) => row(index + 1, status)));

describe('A save during a checkpoint', () => {
  it('is kept', async () => {
    const { harness, file } = await openFile(rows('pending', 'pending', 'pending'));
    const gate = new Gate();
    await harness.claim();
    await until('the file is about to be written', () => gate.isReached);
    writeFileSync(file.file, rows('pending', 'pending', 'cancelled'));
    gate.open();
    await until('the file has both', () => {
      return readFileSync(file.file, 'utf8') === rows('running', 'pending', 'cancelled');
    });
    assert.equal((await harness.state(3)).status, 'cancelled');
    await harness.queue.close();
    assert.deepEqual(
      readdirSync(file.folder).filter((name) => name.startsWith('.')),
      [],
    );
  });
});

describe('A checkpoint whose lock is taken over before it replaces the file', () => {
  it('leaves the file alone, so that its texts do not count as edits', async () => {
    const { harness, file } = await openFile(rows('pending'));
    const gate = new Gate();
    await harness.claim();
    await until('the file is about to be written', () => gate.isReached);
    const state = new StatePaths(join(file.folder, 'state'));
    const other = new FileHistory(state, ownHistory(Infinity));
    await other.catchUp();
    assert.ok(await other.keep({ events: [], found: [[1, ['pending', '', '0']]] }));
    await other.close();
    gate.open();
    await until('the file follows', () => readFileSync(file.file, 'utf8') === rows('running'));
    await harness.queue.sync();
    const journal = readFileSync(join(state.folder, 'journal'), 'utf8');
    assert.doesNotMatch(journal, /"status":"running"/);
    await harness.queue.close();
  });
});

describe('Typing during a checkpoint', () => {
  it('keeps the file as it is until the changes are saved', async () => {
    const { harness, file } = await openFile(rows('pending'));
    const process = { pid: 7, startedAt: 'then' };
    const window = new OpenEditor(new StatePaths(join(file.folder, 'state')), process, () => true);
    const gate = new Gate();
    await harness.claim();
    await until('the file is about to be written', () => gate.isReached);
    window.markUnsaved([]);
    gate.open();
    await harness.queue.sync();
    assert.equal(readFileSync(file.file, 'utf8'), rows('pending'));
    await window.markSaved();
    await harness.queue.sync();
    await until('the file is written', () => readFileSync(file.file, 'utf8') === rows('running'));
    await harness.queue.close();
  });
});

describe('A checkpoint after a save of the user', () => {
  it('never restores the text before the save, not for an instant', async () => {
    const { harness, file } = await openFile(rows('pending', 'pending', 'pending'));
    const written: string[] = [];
    replaceCall('node:fs', 'renameSync', (original) => (from: unknown, to: unknown) => {
      if (to === file.file) written.push(readFileSync(String(from), 'utf8'));
      return original(from, to);
    });
    await harness.claim();
    writeFileSync(file.file, rows('pending', 'pending', 'cancelled'));
    await until('the file has the claim', () => readFileSync(file.file, 'utf8').includes('running'));
    assert.deepEqual(written, [rows('running', 'pending', 'cancelled')]);
  });
});

describe('A replaced file', () => {
  it('keeps its current mode', async () => {
    const file = join(makeFolder(), 'prompts.csv');
    writeFileSync(file, 'old\n');
    chmodSync(file, 0o644);
    const gate = new Gate();
    const replaced = replaceIfUnchanged(file, Buffer.from('new\n'), Buffer.from('old\n'));
    await until('the new file is about to be written', () => gate.isReached);
    chmodSync(file, 0o600);
    gate.open();
    assert.equal(await replaced, true);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(file, '..')), ['prompts.csv']);
  });

  it('stays unchanged if the new file was removed', async () => {
    const file = join(makeFolder(), 'prompts.csv');
    writeFileSync(file, 'old\n');
    replaceCall('node:fs', 'linkSync', (original) => (from: unknown, to: unknown) => {
      for (const name of readdirSync(join(file, '..')))
        if (name.endsWith('.tmp')) rmSync(join(file, '..', name));
      return original(from, to);
    });
    assert.equal(await replaceIfUnchanged(file, Buffer.from('new\n'), Buffer.from('old\n')), false);
    assert.equal(readFileSync(file, 'utf8'), 'old\n');
  });
});

describe('Closing a queue', () => {
  it('waits for the running checkpoint', async () => {
    let isReached = false;
    let isOver = false;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const schedule = new CheckpointSchedule({
      carryOut: async () => {
        isReached = true;
        await held;
        isOver = true;
        return 'done';
      },
      nextCheckpointAt: () => 0,
      isBlocked: () => Promise.resolve(false),
      failed: (error) => assert.fail(String(error)),
    });
    schedule.soon();
    await until('one is under way', () => isReached);
    const ended = schedule.finish(() => Promise.resolve()).then(() => isOver);
    // Anyone who does not wait has ended by then.
    await breathe();
    letGo();
    assert.equal(await ended, true);
  });
});
