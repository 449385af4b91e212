import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { FileHistory } from '../../../src/queue/file/journal/fileHistory';
import { applyEntry, emptyFileState, type Entry, type FileState } from '../../../src/queue/file/fileState';
import { composeSnapshot } from '../../../src/queue/file/journal/snapshotParts';
import { forgetHistory } from '../../../src/queue/model/keptAttempts';
import { copyState } from '../../../src/queue/model/state/queueState';
import { ownHistory } from '../../support/queue/ownHistory';
import { makeFolder } from './folder';
import { Freeze } from './freeze';
import { plainState } from './plainState';
import { StatePaths } from '../../../src/queue/queuePaths';

const DAY_MS = 86_400_000;

/** A journal with every kind of event. */
const RICH = resolve(__dirname, '../../fixtures/state/v1/journal');

/** Its last event. */
const NOW = 1_795_198_620_000;

const CHECKPOINT: Entry = {
  fold: { at: NOW, cells: [[4, ['running', '', '0']]], result: 'abc', logSizes: { 'executed.log': 12 } },
};

const histories: FileHistory[] = [];

afterEach('no history outlives its test', async () => {
  for (const history of histories.splice(0)) await history.close();
});

/** More bytes than any journal here has. */
const LARGE = 1024 * 1024;

/** The history in a folder; by default whatever size it has is large. */
async function openHistory(stateFolder: string, largeBytes = 0): Promise<FileHistory> {
  const history = new FileHistory(new StatePaths(stateFolder), ownHistory(largeBytes));
  histories.push(history);
  await history.catchUp();
  return history;
}

async function richHistory(...more: readonly Entry[]): Promise<{ folder: string; history: FileHistory }> {
  const folder = makeFolder();
  copyFileSync(RICH, join(folder, 'journal'));
  const history = await openHistory(folder);
  for (const entry of more) {
    for (const event of entry.events ?? []) applyEntry(history.state, { events: [event] });
    assert.ok(await history.keep(entry));
  }
  return { folder, history };
}

const stateIn = async (folder: string): Promise<FileState> => (await openHistory(folder)).state;

function generationsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('journal'))
    .sort();
}

function withoutRowless(state: FileState): unknown {
  return { ...plainState(state), rowless: null };
}

describe('A large journal', () => {
  it('is replaced by a snapshot in which nothing is missing', async () => {
    const { folder, history } = await richHistory(CHECKPOINT);
    assert.ok(history.state.interrupted !== null && history.state.queue.claims.size > 0);
    const before = withoutRowless(history.state);
    await history.compactIfDue(NOW, Infinity);
    assert.deepEqual(generationsIn(folder), ['journal', 'journal.2']);
    assert.deepEqual(withoutRowless(history.state), before);
    assert.deepEqual(withoutRowless(await stateIn(folder)), before);
  });

  it('has snapshots with maps in whole fields only', async () => {
    const { history } = await richHistory(CHECKPOINT);
    for (const part of composeSnapshot(history.state)) {
      assert.deepEqual(JSON.parse(JSON.stringify(part)), part);
    }
  });

  it('is written piece by piece, whatever its size', () => {
    const state = emptyFileState();
    for (let id = 1; id <= 1700; id += 1) state.projected.set(id, ['pending', null, String(id)]);
    state.queue.starts.push(1, 2, 3);
    const parts = [...composeSnapshot(state)];
    assert.equal(parts.filter(({ snapshot }) => snapshot.field === 'projected').length, 4);
    const again = emptyFileState();
    for (const part of parts) applyEntry(again, JSON.parse(JSON.stringify(part)) as Entry);
    assert.deepEqual(plainState(again), plainState(state));
  });

  it('continues as before, for this process and for others', async () => {
    const { folder, history } = await richHistory();
    const other = await openHistory(folder);
    await history.compactIfDue(NOW, Infinity);
    const entry: Entry = { events: [{ kind: 'stop', how: 'now', at: NOW + 1 }] };
    await other.catchUp();
    applyEntry(other.state, entry);
    assert.ok(await other.keep(entry));
    assert.ok(await history.catchUp());
    assert.deepEqual(history.state.queue.stop, { how: 'now', at: NOW + 1 });
    assert.deepEqual(plainState(await stateIn(folder)), plainState(history.state));
  });

  it('is not replaced until it has grown to four times its snapshot', async () => {
    const { folder, history } = await richHistory();
    await history.compactIfDue(NOW, Infinity);
    const { size } = statSync(join(folder, 'journal.2'));
    const say = async (): Promise<void> => {
      const entry: Entry = { events: [{ kind: 'held', why: 'x'.repeat(size), at: NOW }] };
      applyEntry(history.state, entry);
      assert.ok(await history.keep(entry));
      await history.compactIfDue(NOW, Infinity);
    };
    await say();
    await say();
    assert.deepEqual(generationsIn(folder), ['journal', 'journal.2']);
    await say();
    assert.deepEqual(generationsIn(folder), ['journal', 'journal.3']);
  });

  it('is not replaced while it is small', async () => {
    const folder = makeFolder();
    copyFileSync(RICH, join(folder, 'journal'));
    await (await openHistory(folder, LARGE)).compactIfDue(NOW, Infinity);
    assert.deepEqual(generationsIn(folder), ['journal']);
  });
});

/** Lets the journal grow to many times what it adds up to. */
async function grow(history: FileHistory): Promise<void> {
  const entry: Entry = { events: [{ kind: 'held', why: 'x'.repeat(100_000), at: NOW }] };
  for (let times = 0; times < 6;) {
    await history.catchUp();
    applyEntry(history.state, entry);
    if (await history.keep(entry)) times += 1;
  }
}

const archived = (folder: string): string => join(folder, 'archive', 'attempts.jsonl');

/** The journal of the fixture, with the outputs of its attempts and what interactive runs have beside them. */
async function historyWithOutputs(): Promise<{ folder: string; history: FileHistory }> {
  const { folder, history } = await richHistory();
  mkdirSync(join(folder, 'outputs'));
  for (const { output = '' } of history.state.queue.attempts)
    for (const end of ['', '.events', '.md']) writeFileSync(join(folder, 'outputs', `${output}${end}`), '{}');
  return { folder, history };
}

function archivedAttempts(folder: string): string[] {
  const text = existsSync(archived(folder)) ? readFileSync(archived(folder), 'utf8') : '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: number; number: number })
    .map(({ id, number }) => `${String(id)}/${String(number)}`);
}

function keptAttempts({ queue }: FileState): string[] {
  return queue.attempts.map(({ id, number }) => `${String(id)}/${String(number)}`);
}

describe('An attempt older than keepHistory', () => {
  it('is archived once, without its outputs; younger ones stay', async () => {
    const { folder, history } = await historyWithOutputs();
    const [oldest, second] = history.state.queue.attempts;
    assert.ok(oldest !== undefined && second !== undefined && oldest.endedAt < second.endedAt);
    const all = keptAttempts(history.state);
    await history.compactIfDue(oldest.endedAt + DAY_MS + 1, DAY_MS);
    assert.deepEqual(archivedAttempts(folder), all.slice(0, 1));
    assert.deepEqual(keptAttempts(history.state), all.slice(1));
    const untold = [...history.state.queue.tasks.values()].filter(({ untold }) => untold === true);
    assert.deepEqual(
      untold.map(({ id }) => id),
      [oldest.id],
    );
    assert.ok(!readdirSync(join(folder, 'outputs')).some((name) => name.startsWith(oldest.output ?? '-')));
    assert.ok(existsSync(join(folder, 'outputs', `${second.output ?? ''}.events`)));
    assert.equal(statSync(archived(folder)).mode & 0o777, 0o600);
    assert.deepEqual(plainState(await stateIn(folder)), plainState(history.state));
  });

  it('is archived from a small journal too, once a day', async () => {
    const { folder } = await historyWithOutputs();
    const history = await openHistory(folder, LARGE);
    const oldest = history.state.queue.attempts[0]?.endedAt ?? 0;
    await history.compactIfDue(oldest + DAY_MS, DAY_MS);
    assert.deepEqual(archivedAttempts(folder), [], 'attempts leave by the day, not one by one');
    await history.compactIfDue(oldest + 3 * DAY_MS, DAY_MS);
    assert.notDeepEqual(archivedAttempts(folder), []);
  });

  it('still counts: no attempt number is used twice', async () => {
    const { history } = await historyWithOutputs();
    const { attemptCounts, ops, token } = history.state.queue;
    await history.compactIfDue(NOW + 100 * DAY_MS, DAY_MS);
    assert.equal(history.state.queue.attempts.length, 0);
    assert.deepEqual(history.state.queue.attemptCounts, attemptCounts);
    assert.deepEqual(history.state.queue.ops, ops);
    assert.equal(history.state.queue.token, token);
  });

  it('stays while its task is in review', async () => {
    const { history } = await historyWithOutputs();
    const { queue } = history.state;
    const task = [...queue.tasks.values()].find(({ id }) => id === 5);
    assert.ok(task !== undefined);
    queue.tasks.set(`5:${task.power}`, { ...task, status: 'review' });
    await history.compactIfDue(NOW + 100 * DAY_MS, DAY_MS);
    assert.deepEqual(keptAttempts(history.state), ['5/1']);
  });

  it('of a deleted row is dropped after the row has been gone for that time', async () => {
    const { history } = await richHistory();
    const { queue } = history.state;
    const keysOf = (id: number): string[] =>
      [...queue.tasks.entries()].filter(([, task]) => task.id === id).map(([key]) => key);
    assert.equal(queue.powers.has(7), false);
    assert.equal(keysOf(2).length, 2, 'its prompt was edited');
    const look = async (days: number): Promise<void> => {
      await grow(history);
      await history.compactIfDue(NOW + days * DAY_MS, 90 * DAY_MS);
    };
    await look(200);
    await look(289);
    assert.deepEqual([keysOf(7).length, keysOf(2).length], [1, 2]);
    await look(291);
    assert.deepEqual([keysOf(7).length, keysOf(2).length], [0, 1]);
    assert.ok(!history.state.projected.has(7) && history.state.projected.has(2));
  });

  it('is moved exactly once, at each change of the disk before which a crash comes', async () => {
    for (let at = 1; ; at += 1) {
      const { folder, history } = await historyWithOutputs();
      const all = keptAttempts(history.state);
      const freeze = await Freeze.begin(at, false);
      try {
        const putting = history.compactIfDue(NOW + 100 * DAY_MS, DAY_MS);
        if (await Promise.race([freeze.reached.then(() => false), putting.then(() => true)])) break;
        const next = await openHistory(folder);
        await grow(next);
        await next.compactIfDue(NOW + 100 * DAY_MS, DAY_MS);
        await next.catchUp();
        await next.compactIfDue(NOW + 100 * DAY_MS, DAY_MS);
        assert.deepEqual(archivedAttempts(folder), all, `at ${String(at)}`);
        assert.deepEqual(readdirSync(join(folder, 'outputs')), [], `at ${String(at)}`);
        assert.equal((await stateIn(folder)).leaving.length, 0, `at ${String(at)}`);
        freeze.letGo();
        await putting;
        assert.deepEqual(archivedAttempts(folder), all, `frozen at ${String(at)}`);
        assert.deepEqual(
          plainState(await stateIn(folder)),
          plainState(next.state),
          `frozen at ${String(at)}`,
        );
      } finally {
        freeze.end();
      }
    }
  });
});

/** A state as it is once its history was archived. */
function withoutHistory(state: FileState): FileState {
  const queue = copyState(state.queue);
  forgetHistory(queue);
  return { ...state, queue };
}

describe('An archived history', () => {
  it('is whole in its folder or still in use, at each change of the disk before which a crash comes', async () => {
    for (let at = 1; ; at += 1) {
      const { folder, history } = await richHistory();
      await history.compactIfDue(NOW, Infinity);
      const before = plainState(history.state);
      const after = plainState(withoutHistory(history.state));
      const archive = join(folder, 'archive', 'reset');
      mkdirSync(archive, { recursive: true });
      const freeze = await Freeze.begin(at, false);
      try {
        const putting = history.startOver(archive);
        if (await Promise.race([freeze.reached.then(() => false), putting.then(() => true)])) break;
        const found = await stateIn(folder);
        const isInForce = found.queue.attempts.length > 0;
        assert.deepEqual(plainState(found), isInForce ? before : after, `at ${String(at)}`);
        if (!isInForce) assert.deepEqual(plainState(await stateIn(archive)), before, `at ${String(at)}`);
        freeze.letGo();
        await putting;
      } finally {
        freeze.end();
      }
      assert.deepEqual(plainState(await stateIn(folder)), after, `at ${String(at)}`);
      assert.deepEqual(plainState(await stateIn(archive)), before, `at ${String(at)}`);
    }
  });

  it('does not return when a process wakes that was frozen while it replaced the journal', async () => {
    for (let at = 1; ; at += 1) {
      const { folder, history } = await richHistory();
      const freeze = await Freeze.begin(at, false);
      try {
        const compacting = history.compactIfDue(NOW, Infinity);
        if (await Promise.race([freeze.reached.then(() => false), compacting.then(() => true)])) break;
        const other = await openHistory(folder);
        const archive = join(folder, 'archive', 'reset');
        mkdirSync(archive, { recursive: true });
        const entry: Entry = { events: [{ kind: 'resumed', at: NOW }] };
        for (let tries = 0; ; tries += 1) {
          assert.ok(tries < 3);
          await other.catchUp();
          applyEntry(other.state, entry);
          if ((await other.keep(entry)) && (await other.startOver(archive))) break;
        }
        freeze.letGo();
        await compacting;
        await history.catchUp();
        const expected = plainState(other.state);
        assert.deepEqual(other.state.queue.attempts, [], `at ${String(at)}`);
        assert.deepEqual(plainState(history.state), expected, `at ${String(at)}`);
        assert.deepEqual(plainState(await stateIn(folder)), expected, `at ${String(at)}`);
      } finally {
        freeze.end();
      }
    }
  });

  it('is a readable journal in its folder', async () => {
    const { folder, history } = await richHistory();
    const before = plainState(history.state);
    const after = plainState(withoutHistory(history.state));
    const archive = join(folder, 'archive', 'reset');
    mkdirSync(archive, { recursive: true });
    assert.ok(await history.startOver(archive));
    assert.deepEqual(plainState(await stateIn(archive)), before);
    assert.deepEqual(plainState(history.state), after);
  });
});
