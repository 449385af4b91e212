import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FileHistory } from '../../../../../src/queue/file/journal/fileHistory';
import { applyEntry, emptyFileState, type Entry } from '../../../../../src/queue/file/fileState';
import { composeSnapshot } from '../../../../../src/queue/file/journal/snapshotParts';
import { isObject } from '../../../../../src/platform/text/shapes';
import { openFileQueue } from '../../../../../src/queue/openQueue';
import { makeFolder } from '../../folder';
import { plainState } from '../../plainState';
import { OWN_HISTORY } from '../../../../support/queue/ownHistory';
import { StatePaths } from '../../../../../src/queue/queuePaths';

/**
 * Folders `state/` of earlier programs, each with the state that its program read from it. `v1`: by the last program
 * without snapshots; `state.json` has its one hold in today's form. `v2`: a snapshot of `v1` and the events that came with
 * format 2. `v3`: that history, named, adopted and continued, with answers, notices, timers and the entries of the user's
 * state folder.
 * These folders are never made again: a program that can no longer read them needs a new format version.
 */
const FIXTURES = resolve(__dirname, '../../../../fixtures/state');

const histories: FileHistory[] = [];

afterEach('no history outlives its test', async () => {
  for (const history of histories.splice(0)) await history.close();
});

async function openCopy(
  version: string,
  isAlive: () => boolean = () => false,
): Promise<{ folder: string; history: FileHistory }> {
  const folder = makeFolder();
  cpSync(join(FIXTURES, version), folder, { recursive: true });
  const history = new FileHistory(new StatePaths(folder), {
    known: OWN_HISTORY,
    machine: { id: 'here', isAlive },
    largeBytes: 0,
  });
  histories.push(history);
  await history.catchUp();
  return { folder, history };
}

/** The fields of a state that an earlier program knew; later fields are left out. */
function asKnown(reported: unknown, known: unknown): unknown {
  if (Array.isArray(reported) && Array.isArray(known)) {
    return reported.map((one: unknown, index) => asKnown(one, known[index]));
  }
  if (!isObject(reported) || !isObject(known)) return reported;
  const fields = Object.entries(reported).filter(([field]) => field in known);
  return Object.fromEntries(fields.map(([field, one]) => [field, asKnown(one, known[field])]));
}

function expectedOf(version: string): unknown {
  return JSON.parse(readFileSync(join(FIXTURES, version, 'state.json'), 'utf8'));
}

describe('A history of an earlier version', () => {
  for (const version of ['v1', 'v2', 'v3']) {
    it(`is read with its meaning: ${version}`, async () => {
      const { history } = await openCopy(version);
      const expected = expectedOf(version);
      assert.deepEqual(asKnown(plainState(history.state), expected), expected);
    });

    it(`has the same content as a snapshot: ${version}`, async () => {
      const { history } = await openCopy(version);
      const again = emptyFileState();
      for (const part of composeSnapshot(history.state)) {
        applyEntry(again, JSON.parse(JSON.stringify(part)) as Entry);
      }
      assert.deepEqual(plainState(again), plainState(history.state));
    });
  }

  it('is opened with its file: nothing counts as changed, and it continues', async () => {
    const folder = makeFolder();
    const file = join(folder, 'prompts.csv');
    cpSync(join(FIXTURES, 'v1', 'prompts.csv'), file);
    cpSync(join(FIXTURES, 'v1'), join(folder, 'state'), { recursive: true });
    const longAgo = new Date(0);
    utimesSync(file, longAgo, longAgo);
    const rows = { timeZone: 'Europe/Berlin', folder: '/place', home: '/home/me', allowBypass: false };
    const queue = await openFileQueue({
      file,
      rows: () => rows,
      machine: { id: 'here', isAlive: () => true },
      known: OWN_HISTORY,
      clock: { now: () => 1_795_198_700_000, sleep: () => Promise.resolve() },
      warn: (message) => {
        throw new Error(message);
      },
    });
    const { tasks, claims, holds, revision } = await queue.read();
    assert.deepEqual(
      tasks.map(({ state }) => `${String(state.id)} ${state.status}`),
      [
        '1 completed',
        '2 completed',
        '3 pending',
        '4 pending',
        '5 completed',
        '6 pending',
        '8 pending',
        '9 cancelled',
      ],
    );
    assert.deepEqual([claims.length, holds[0]?.why, revision], [1, 'the night', 36]);
    assert.equal((await queue.attempts({})).length, 7);
    await queue.resume('resume');
    await queue.close();
    assert.deepEqual((await queue.read()).holds, []);
    await queue.close();
  });

  for (const version of ['v1', 'v2']) {
    it(`is replaced by one of this format with its id and the same content: ${version}`, async () => {
      const { folder, history } = await openCopy(version);
      const before = plainState(history.state);
      assert.ok(await history.takeOver());
      const newest =
        readdirSync(folder)
          .filter((name) => name.startsWith('journal'))
          .sort()
          .at(-1) ?? '';
      const [first = ''] = readFileSync(join(folder, newest), 'utf8').split('\n');
      const { version: format, history: id } = JSON.parse(first) as Record<string, unknown>;
      assert.deepEqual([format, id], [3, 'own']);
      const again = new FileHistory(new StatePaths(folder), {
        known: OWN_HISTORY,
        machine: { id: 'here', isAlive: () => false },
      });
      histories.push(again);
      await again.catchUp();
      assert.deepEqual(plainState(again.state), before);
    });
  }

  it('keeps its format while a worker of the earlier version runs', async () => {
    const { folder, history } = await openCopy('v1', () => true);
    const before = readFileSync(join(folder, 'journal'), 'utf8');
    assert.ok(history.findOlderWorker() !== null);
    assert.ok(await history.takeOver());
    await history.compactIfDue(1_795_198_620_000, 0);
    const entry = { events: [{ kind: 'resumed', at: 1 }] } as const;
    applyEntry(history.state, entry);
    assert.ok(await history.keep(entry));
    const after = readFileSync(join(folder, 'journal'), 'utf8');
    assert.ok(after.startsWith(before));
    assert.deepEqual(versionsIn(after), [1]);
  });

  it('with a snapshot is reported as newer by a program of format 1', () => {
    assert.deepEqual(versionsIn(readFileSync(join(FIXTURES, 'v2', 'journal'), 'utf8')), [2]);
  });
});

/** The format's versions that are in a journal; a program refuses one above its own. */
function versionsIn(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { version?: number }).version)
    .filter((version) => version !== undefined);
}
