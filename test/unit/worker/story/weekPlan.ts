import assert from 'node:assert/strict';
import { parseTime } from '../../../../src/domain/time/localTime';
import { parseRepeatInterval, type RepeatInterval } from '../../../../src/domain/time/schedule';
import type { EpochMs } from '../../../../src/domain/time/epoch';
import type { Definition, SharedCells, TaskId } from '../../../../src/domain/task/task';
import {
  HOUR_MS,
  MINUTE_MS,
  SUCCESS,
  taking,
  type Script,
  type ShortVerdict,
} from '../../../support/queue/workerHarness';

/** Where the clocks go back from three to two in the night to the Sunday of this week. */
export const ZONE = 'Europe/Berlin';

/** A moment of the week, by the clocks there: `22 09:00`; the week is from Thursday the 22nd of October on. */
export function local(text: string): EpochMs {
  const time = parseTime(`2026-10-${text}`, ZONE);
  assert.ok(time !== null, text);
  return time;
}

export const BEGIN = local('22 00:00');
export const END = local('28 23:59');
export const DAYS = ['22', '23', '24', '25', '26', '27', '28'] as const;

/** Cost of each run; sums of it are exact. */
export const COST_USD = 0.25;

/** A row of the week: how it is written, and what its runs do. */
export interface Plan {
  readonly id: TaskId;
  readonly fields: Partial<Definition>;
  readonly shared?: Partial<SharedCells>;
  readonly script: Script;
  /** Number of attempts in the week. */
  readonly attempts: number;
}

/** Twice a day the account has used up its five hours: who runs then meets the limit. */
const USED_UP = [
  { from: '13:00', to: '14:30' },
  { from: '22:00', to: '23:00' },
] as const;

function limitAt(now: EpochMs): ShortVerdict | null {
  for (const day of DAYS) {
    for (const { from, to } of USED_UP) {
      const resetAt = local(`${day} ${to}`);
      if (now < local(`${day} ${from}`) || now >= resetAt) continue;
      return {
        outcome: 'limit',
        reason: 'five_hour',
        signal: { kind: 'five_hour', resetAt, message: 'limit' },
      };
    }
  }
  return null;
}

/** N minutes each time, and then these verdicts, one after another; the last one stays. */
function runs(minutes: number, ...verdicts: readonly ShortVerdict[]): Script {
  return (run, stop) => {
    const limit = limitAt(run.at);
    const verdict = limit ?? verdicts[Math.min(run.earlier, verdicts.length - 1)] ?? SUCCESS;
    return taking(minutes * MINUTE_MS, { ...verdict, costUsd: COST_USD })(run, stop);
  };
}

function every(text: string): RepeatInterval {
  const interval = parseRepeatInterval(text);
  assert.ok(interval !== null, text);
  return interval;
}

const failing = (reason: string): ShortVerdict => ({ outcome: 'error', reason });
const OFFLINE: ShortVerdict = { outcome: 'transient', reason: 'overloaded' };

/** Tasks that repeat. */
const REPEATING: readonly Plan[] = [
  // Each full hour: the 13th and 22nd meet the limit and end after it, over the 14th and 23rd. One night has 25 hours.
  { id: 1, fields: { priority: 'critical', repeat: every('0 * * * *') }, script: runs(2), attempts: 169 },
  { id: 2, ...from('22 06:00', { priority: 'high', repeat: every('daily') }), script: runs(5), attempts: 7 },
  {
    id: 3,
    ...from('22 07:10', { priority: 'high', repeat: every('daily'), dependencies: [2] }),
    script: runs(5),
    attempts: 7,
  },
  { id: 4, ...from('22 05:30', { repeat: every('12h') }), script: runs(5), attempts: 14 },
  { id: 5, ...from('22 08:20', { repeat: every('12h'), user: 'ann' }), script: runs(5), attempts: 14 },
  {
    id: 6,
    ...from('22 09:00', { priority: 'high', repeat: every('0 9 * * 1-5') }),
    script: runs(5),
    attempts: 5,
  },
  {
    id: 7,
    ...from('22 02:30', { priority: 'high', repeat: every('30 2 * * *') }),
    script: runs(5),
    attempts: 7,
  },
  {
    id: 8,
    ...from('22 10:00', { priority: 'low', repeat: every('daily') }),
    script: runs(5),
    attempts: 7,
  },
  { id: 9, ...from('24 12:00', { priority: 'low', repeat: every('weekly') }), script: runs(5), attempts: 1 },
  { id: 10, fields: { repeat: every('3d') }, script: runs(5), attempts: 3 },
];

/** Tasks that run once, or never. */
const SINGLE: readonly Plan[] = [
  ...Array.from({ length: 12 }, (_, index): Plan => {
    const user = ['ann', 'bob', undefined][index % 3];
    return { id: 11 + index, fields: user === undefined ? {} : { user }, script: runs(3), attempts: 1 };
  }),
  { id: 23, fields: { dependencies: [11] }, script: runs(3), attempts: 1 },
  { id: 24, fields: { dependencies: [23] }, script: runs(3), attempts: 1 },
  { id: 25, fields: { dependencies: [24, 12] }, script: runs(3), attempts: 1 },
  { id: 26, fields: { dependencies: [25], priority: 'high' }, script: runs(3), attempts: 1 },
  { id: 27, fields: {}, script: runs(3, failing('compile')), attempts: 3 },
  { id: 28, fields: { dependencies: [27] }, script: runs(3), attempts: 0 },
  { id: 29, fields: { dependencies: [28] }, script: runs(3), attempts: 0 },
  { id: 30, fields: {}, script: runs(3, failing('flaky'), failing('flaky'), SUCCESS), attempts: 3 },
  { id: 31, fields: {}, script: runs(3, { outcome: 'review', reason: 'denied' }), attempts: 1 },
  { id: 32, fields: {}, script: runs(3, OFFLINE, OFFLINE, SUCCESS), attempts: 3 },
  { id: 33, fields: {}, script: runs(3, { outcome: 'permanent', reason: 'refused' }), attempts: 1 },
  { id: 34, ...from('26 10:00', {}), script: runs(3), attempts: 1 },
  { id: 35, ...from('24 20:00', { dependencies: [34] }), script: runs(3), attempts: 1 },
  { id: 36, ...from('23 09:00', { priority: 'low' }), script: runs(3), attempts: 1 },
  { id: 37, fields: {}, shared: { status: 'failed' }, script: runs(3), attempts: 0 },
  { id: 38, fields: {}, shared: { retryCount: 3 }, script: runs(3), attempts: 0 },
  { id: 39, fields: { priority: 'low', deadline: BEGIN + HOUR_MS }, script: runs(3), attempts: 1 },
];

/** All that are there when the week starts. */
export const PLANS: readonly Plan[] = [...REPEATING, ...SINGLE];

/** A row that its owner adds on the Monday. */
export const LATE_ROW: Plan = { id: 40, fields: { priority: 'high' }, script: runs(3), attempts: 1 };

function from(text: string, fields: Partial<Definition>): Pick<Plan, 'fields' | 'shared'> {
  return { fields, shared: { scheduledAt: local(text) } };
}
