import assert from 'node:assert/strict';
import type { EpochMs } from '../../../src/domain/time/epoch';
import type { Status, TaskId } from '../../../src/domain/task/task';
import type { QueueView } from '../../../src/domain/queue/view';
import { MINUTE_MS, SUCCESS, taking, type Harness, type Script, type ShortVerdict } from './workerHarness';

/** A time of that Friday evening, or of the morning after it. */
export function at(time: string): EpochMs {
  return Date.parse(`2026-11-${time.startsWith('0') ? '21' : '20'}T${time}:00Z`);
}

const LIMIT: ShortVerdict = {
  outcome: 'limit',
  reason: 'five_hour',
  signal: { kind: 'five_hour', resetAt: at('22:10'), message: "You've hit your session limit" },
};
const REFUSED: ShortVerdict = {
  outcome: 'review',
  reason: 'denied',
  denials: [{ tool: 'Bash', detail: 'npm publish' }],
};

/** Minutes, then this. */
export function after(minutes: number, verdict: ShortVerdict = SUCCESS): Script {
  return taking(minutes * MINUTE_MS, verdict);
}

/** Scripts for the twelve tasks. */
const SCRIPTS: ReadonlyMap<TaskId, Script> = new Map([
  [1, after(15)],
  [2, after(15)],
  [3, after(10)],
  [4, after(20)],
  [5, after(5, { outcome: 'error', reason: 'failed' })],
  [6, after(5, REFUSED)],
  [7, (run, stop) => (run.earlier === 0 ? after(25, LIMIT) : after(20))(run, stop)],
  ...[8, 9, 10, 11, 12].map((id) => [id, after(10)] as const),
]);

export function scriptEvening(harness: Harness): void {
  for (const [id, script] of SCRIPTS) harness.scripts.set(id, script);
}

/** Attempts until the limit is met; nothing else starts before the reset. */
export const UNTIL_THE_LIMIT: readonly string[] = [
  '18:00 1',
  '18:15 2',
  '18:30 3',
  '18:40 4',
  '19:00 5',
  '19:05 6',
  '19:10 5',
  '19:15 7',
];

/** In the morning nine are done, one failed, one is to be reviewed, and the daily one waits. */
export function checkEnds({ tasks, claims }: Pick<QueueView, 'tasks' | 'claims'>): void {
  const idsOf = (status: Status): TaskId[] =>
    tasks.filter(({ state }) => state.status === status).map(({ definition }) => definition.id);
  assert.deepEqual(idsOf('completed'), [1, 2, 4, 7, 8, 9, 10, 11, 12]);
  assert.deepEqual(idsOf('failed'), [5]);
  assert.deepEqual(idsOf('review'), [6]);
  assert.deepEqual(idsOf('pending'), [3]);
  assert.deepEqual(claims, []);
}
