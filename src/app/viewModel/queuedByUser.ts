import { waitingSince } from '../../domain/order/effectivePriority';
import { NO_RATE, ratesByUser, type Rate } from '../../domain/order/rates';
import type { ShownState } from '../../domain/reasons/reason';
import type { Attempt } from '../../domain/task/attempt';
import { spreadOf, type Spread } from './attemptStatistics';
import { sumOf, type LedgerLine } from './ledger';
import type { QueueViewModel, TaskViewModel } from './queueViewModel';

/** States of tasks that wait for their start, or for another attempt. */
const QUEUED: readonly ShownState[] = [
  'unapproved',
  'ready',
  'scheduled',
  'blocked',
  'stuck',
  'retrying',
  'waiting',
];

/** Whether a task waits to start. */
export function isQueued({ reason }: TaskViewModel): boolean {
  return QUEUED.includes(reason.state);
}

/** Tasks of one user that wait to start. */
export interface Queued {
  readonly tasks: number;
  /** Longest wait so far among them, in ms; the wait of a task does not start before its time. */
  readonly longestWaitMs: number;
}

/** Returns what waits to start by user; an empty name stands for tasks without a user. */
function findQueuedByUser({ tasks, world }: QueueViewModel): ReadonlyMap<string, Queued> {
  const byUser = new Map<string, Queued>();
  for (const { task } of tasks.filter(isQueued)) {
    const { user = '' } = task.definition;
    const { tasks: before, longestWaitMs } = byUser.get(user) ?? { tasks: 0, longestWaitMs: 0 };
    const waitMs = world.now - waitingSince(task, world.byId);
    byUser.set(user, { tasks: before + 1, longestWaitMs: Math.max(longestWaitMs, waitMs) });
  }
  return byUser;
}

const NOTHING_QUEUED: Queued = { tasks: 0, longestWaitMs: 0 };

/** Queue length and service figures of one user. */
export interface UserService {
  /** Empty for tasks without a user. */
  readonly user: string;
  readonly queued: Queued;
  readonly rate: Rate;
}

/** Returns how each user with waiting tasks, or with attempts in the last day, is served, in order of their names. */
export function findUserService(
  viewModel: QueueViewModel,
  attempts: readonly Attempt[],
): readonly UserService[] {
  const queued = findQueuedByUser(viewModel);
  const rates = ratesByUser(attempts, viewModel.world.now);
  const users = [...new Set([...queued.keys(), ...rates.keys()])].sort((a, b) => a.localeCompare(b, 'en'));
  return users.map((user) => ({
    user,
    queued: queued.get(user) ?? NOTHING_QUEUED,
    rate: rates.get(user) ?? NO_RATE,
  }));
}

/** Facts of a user's line in a ledger. */
export interface UserLine {
  readonly queued: Queued;
  /** Waits of the attempts before their start; null: none has recorded it. */
  readonly waitedMs: Spread | null;
}

/** Adds to each user's line of a ledger what waits now, and lines of users who only have waiting tasks. */
export function composeUserLines(
  lines: readonly LedgerLine[],
  attempts: readonly Attempt[],
  viewModel: QueueViewModel,
): readonly (LedgerLine & UserLine)[] {
  const queued = findQueuedByUser(viewModel);
  const known = new Set(lines.map(({ key }) => key));
  const others = [...queued.keys()].filter((key) => !known.has(key));
  const waits = (key: string): readonly number[] =>
    attempts.flatMap(({ user = '', waitedMs }) => (user === key ? (waitedMs ?? []) : []));
  return [...lines, ...others.map((key) => ({ key, sums: sumOf([]) }))]
    .sort((one, other) => one.key.localeCompare(other.key, 'en', { numeric: true }))
    .map((line) => ({
      ...line,
      queued: queued.get(line.key) ?? NOTHING_QUEUED,
      waitedMs: spreadOf(waits(line.key)),
    }));
}
