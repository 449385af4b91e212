import type { EpochMs } from './epoch';
import { timeAfter, type RepeatInterval } from './schedule';
import type { Settings } from './settings';
import type { TaskView } from './view';

/** Times of a repeating task that went by without a run, and what becomes of them. */
export interface MissedRuns {
  /** How many there were, since the last run. */
  readonly count: number;
  /** When the task is due now: at once as it was, or at its next time where missed runs are skipped. */
  readonly dueAt: EpochMs;
  /** How many runs follow the one that is due, at once, to make up for the others. */
  readonly owedRuns?: number;
}

/** What decides about missed runs besides the task. */
export interface MissedRules {
  readonly now: EpochMs;
  readonly timeZone: string;
  readonly settings: Pick<Settings, 'missedRuns' | 'missedRunsMax' | 'missedAfter'>;
}

/**
 * What a repeating task missed that nobody has settled; null where it is on time, or that is settled. Asked of a task
 * that is about to run: the answer is recorded first, and the task may not be the next one any more.
 */
export function findMissed(
  { definition: { repeat }, state }: Pick<TaskView, 'definition' | 'state'>,
  { now, timeZone, settings }: MissedRules,
): MissedRuns | null {
  const { dueAt, missed } = state;
  if (repeat === undefined || dueAt === null || state.dueCause !== 'repeat') return null;
  if (now - dueAt <= settings.missedAfter) return null;
  const passed = countPassed(repeat, dueAt, now, timeZone);
  if (settings.missedRuns === 'skip') return { count: (missed ?? 0) + passed.count, dueAt: passed.next };
  if (missed !== undefined && passed.count <= missed) return null;
  if (settings.missedRuns === 'once') return { count: passed.count, dueAt };
  // The run that is due makes up for one; what was owed before is still owed.
  const more = missed === undefined ? passed.count - 1 : passed.count - missed;
  const owedRuns = Math.min((state.owedRuns ?? 0) + more, settings.missedRunsMax - 1);
  return { count: passed.count, dueAt, owedRuns };
}

/** What a repeating task missed that is skipped: it waits for its next time, though that is not settled yet. */
export function findSkipped(
  task: Pick<TaskView, 'definition' | 'state'>,
  rules: MissedRules,
): MissedRuns | null {
  return rules.settings.missedRuns === 'skip' ? findMissed(task, rules) : null;
}

/** As many times of a cron expression as are counted one by one: of more only this is known. */
const MOST_COUNTED = 1000;

/** How many times were missed, for people. */
export function tellMissed(missed: number): string {
  return `${missed >= MOST_COUNTED ? 'at least ' : ''}${String(missed)}`;
}

/** How many times from `dueAt` on have gone by, itself among them, and the first one that has not. */
function countPassed(
  repeat: RepeatInterval,
  dueAt: EpochMs,
  now: EpochMs,
  timeZone: string,
): { readonly count: number; readonly next: EpochMs } {
  if (repeat.kind === 'every') {
    const count = Math.floor((now - dueAt) / repeat.everyMs) + 1;
    return { count, next: dueAt + count * repeat.everyMs };
  }
  const after = timeAfter(repeat, timeZone);
  let [count, next] = [0, dueAt];
  for (; next <= now && count < MOST_COUNTED; count += 1) next = after(next);
  return { count, next: next > now ? next : after(now) };
}
