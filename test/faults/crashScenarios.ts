import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { TaskQueue } from '../../src/queue/taskQueue';
import type { Ended } from '../support/machine/processes';
import {
  checkAllDone,
  checkNothingLeftOver,
  type FaultFolder,
  openQueue,
  successOf,
  request,
} from './faultQueue';
import { checkReplay, readClaims } from '../support/queue/replayed';
import { idsAfter, startChild } from './program';
import type { Play } from './childPlays';

/** A program that is killed, and what must hold once everything is done after that. */
export interface Scenario {
  readonly name: string;
  readonly play: Play;
  /** Prepares the queue. */
  readonly prepare?: (place: FaultFolder, random: () => number) => Promise<void>;
  readonly check: (place: FaultFolder, queue: TaskQueue, ended: Ended) => Promise<void>;
}

/** All scenarios in which programs are killed. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'while a row is added and a worker works', play: 'steps', check: checkSteps },
  { name: 'while users pause, edit, cancel and retry', play: 'people', check: checkPeople },
  { name: 'while the user saves the file between its steps', play: 'byHand', check: checkByHand },
  {
    name: 'while it recovers from an earlier crash',
    play: 'drain',
    prepare: crashOnce,
    check: checkDrain,
  },
  {
    name: 'while its journal is replaced by what it adds up to',
    play: 'drain',
    prepare: fillJournal,
    check: checkReplaced,
  },
  { name: 'while the history is archived', play: 'reset', prepare: finishTwo, check: checkReset },
];

async function checkSteps(place: FaultFolder, queue: TaskQueue, ended: Ended): Promise<void> {
  await checkDrain(place, queue, ended);
  const rows = place.rows().filter((row) => row['working_dir'] === '/place/added');
  const least = idsAfter('added', ended).length;
  assert.ok(rows.length >= least && rows.length <= 1, `the added row is there ${String(rows.length)} times`);
}

async function checkDrain(place: FaultFolder, queue: TaskQueue, ended: Ended): Promise<void> {
  await checkAllDone(place, queue, idsAfter('finished', ended));
}

async function checkReplaced(place: FaultFolder, queue: TaskQueue, ended: Ended): Promise<void> {
  await checkDrain(place, queue, ended);
  const claims = await readClaims(place.file);
  const attempts = await queue.attempts({});
  assert.ok(attempts.length > 0 && claims.length >= attempts.length);
  assert.deepEqual(
    claims,
    claims.map((_, index) => index + 1),
    'each claim is in the past once, in order',
  );
  await checkReplay(queue);
  const isReplaced = existsSync(path.join(place.folder, 'state', 'journal.2'));
  assert.ok(isReplaced || !/^through$/m.test(ended.stdout), 'it was replaced');
}

async function checkByHand(place: FaultFolder, queue: TaskQueue, ended: Ended): Promise<void> {
  await checkDrain(place, queue, ended);
  const rows = place.rows();
  for (const id of idsAfter('noted', ended))
    assert.equal(rows[id - 1]?.['note'], `note ${String(id)}`, `the note of ${String(id)} is lost`);
}

async function checkPeople(place: FaultFolder, queue: TaskQueue, ended: Ended): Promise<void> {
  await checkAllDone(place, queue, []);
  if (idsAfter('edited', ended).length > 0) assert.equal(place.rows()[1]?.['prompt'], 'Edited, "2"');
  const failed = (await queue.attempts({ outcome: 'error' })).map(({ id }) => id);
  for (const id of idsAfter('erred', ended)) assert.ok(failed.includes(id), 'the failure is in the history');
  assert.ok(failed.length <= 1, 'the failure is in the history once');
  assert.equal(place.log('retry_tasks.log').split('\n').length - 1, failed.length, 'and logged once');
}

/** No program makes fewer changes to the disk in one round of steps. */
const LEAST_CHANGES = 25;

async function crashOnce(place: FaultFolder, random: () => number): Promise<void> {
  const at = 1 + Math.floor(random() * LEAST_CHANGES);
  await startChild({ file: place.file, name: 'before', play: 'steps', at, act: 'kill' }).ended;
}

/** Output files of two runs. */
const OUTPUTS = ['one.jsonl', 'two.jsonl'];

async function finishTwo(place: FaultFolder): Promise<void> {
  const queue = await openQueue(place.file);
  const outputs = path.join(place.folder, 'state', 'outputs');
  mkdirSync(outputs, { recursive: true });
  for (const name of OUTPUTS) writeFileSync(path.join(outputs, name), name);
  for (const turn of ['one', 'two']) {
    const claimed = await queue.claim(request(turn), `${turn}-claim`);
    assert.ok(claimed.kind === 'claimed');
    await queue.finish(claimed.claim, successOf(claimed), `${turn}-finish`);
  }
  await queue.close();
}

/** Makes a journal that the next checkpoint replaces: it is long, and adds up to little. */
async function fillJournal(place: FaultFolder): Promise<void> {
  const queue = await openQueue(place.file);
  for (let turn = 0; turn < 6; turn += 1)
    await queue.hold({ by: 'person', why: `${String(turn)} ${'x'.repeat(200_000)}` }, `hold-${String(turn)}`);
  await queue.resume('resume');
  await queue.close();
}

/** Checks that earlier attempts are in the archive or in the current history, never in both. */
async function checkReset(place: FaultFolder, queue: TaskQueue, ended: Ended): Promise<void> {
  const rows = place.rows();
  const ids = rows.map((row) => Number(row['id']));
  assert.ok(rows.every((row) => row['status'] === 'completed'));
  const logged = filesIn(place, 'executed.log')
    .flatMap((log) => parse(readFileSync(log)))
    .map(([id]) => Number(id));
  assert.deepEqual(
    logged.sort((a, b) => a - b),
    ids,
    'each success is logged once, here or in the archive',
  );
  for (const name of OUTPUTS) assert.equal(filesIn(place, name).length, 1, 'each output is there once');
  const reported = (await queue.attempts({ outcome: 'success' })).map(({ id }) => id).sort((a, b) => a - b);
  const isReset = ended.stdout.includes('reset\n');
  assert.deepEqual(reported.includes(1), reported.includes(2), 'the history was archived as a whole');
  assert.ok(!isReset || !reported.includes(1), 'it was archived');
  const { starts, tasks } = await queue.read();
  assert.ok(starts.length >= ids.length, 'each start counts for the budget');
  assert.ok(
    tasks.every(({ state }) => state.lastSuccessAt !== null && state.lastOutcome === 'success'),
    'what came of them is known',
  );
  assert.deepEqual(
    reported.filter((id) => id > 2),
    ids.filter((id) => id > 2),
    'later successes are in the history',
  );
  assert.equal(place.text().replaceAll('completed', 'pending'), place.original, 'nothing else was written');
  checkNothingLeftOver(place);
}

/** The files of a name, of this history and of those that were archived. */
function filesIn({ folder }: FaultFolder, file: string): string[] {
  const state = path.join(folder, 'state');
  return readdirSync(state, { recursive: true })
    .map((name) => path.join(state, String(name)))
    .filter((found) => path.basename(found) === file && existsSync(found));
}
