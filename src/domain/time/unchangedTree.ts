import type { Claim, TaskView } from '../queue/view';
import type { Permissions } from '../task/attempt';
import type { EpochMs } from './epoch';
import { passedTimes, timeAfter } from './schedule';
import type { SkippedTimes } from './skippedTimes';

/** Due times that are skipped, and the next one. */
export interface SkippedRun {
  readonly skipped: SkippedTimes;
  readonly dueAt: EpochMs;
}

/** Returns a text that is the same while the tree of a folder and the permissions there are the same. */
export function nameUnchanged(tree: string, permissions?: Permissions): string {
  return permissions === undefined ? tree : `${tree} ${JSON.stringify(permissions)}`;
}

/**
 * Whether the due time of a claimed task is skipped if nothing has changed. If not, it runs in any case: it resumes an
 * attempt, it makes up for a missed time, or the user wants it to run now.
 */
export function maySkipUnchanged(
  { definition, state }: Pick<TaskView, 'definition' | 'state'>,
  { power, resume }: Pick<Claim, 'power' | 'resume'>,
): boolean {
  const isDue = definition.repeat !== undefined && state.dueCause === 'repeat' && state.catchUp !== true;
  const isAsked = definition.unlessUnchanged === true && state.power === power;
  return isDue && isAsked && resume === undefined;
}

/**
 * Returns the tree and the permissions (`nameUnchanged`) of the last success of a claimed task, if a due time of it is
 * skipped while they are these. Null: it runs in any case, also if it has no success or the tree is not known. A row with
 * another prompt, permission or model is another task, without a success.
 */
export function findTreeToCompare(
  task: Pick<TaskView, 'definition' | 'state'>,
  claim: Pick<Claim, 'power' | 'resume'>,
): string | null {
  return maySkipUnchanged(task, claim) ? (task.state.successTree ?? null) : null;
}

/** Returns the due times of a repeating task up to now, all skipped as unchanged; null: it is not due. */
export function skipUnchanged(
  { definition: { repeat }, state: { dueAt: from } }: Pick<TaskView, 'definition' | 'state'>,
  { now, timeZone }: { readonly now: EpochMs; readonly timeZone: string },
): SkippedRun | null {
  if (repeat === undefined || from === null || from > now) return null;
  const { count, at } = passedTimes(repeat, from, now, timeZone);
  const to = count === 0 ? from : at(count - 1);
  const dueAt = repeat.kind === 'every' ? to + repeat.everyMs : timeAfter(repeat, timeZone)(now);
  return { skipped: { why: 'unchanged', from, to, count: count + 1 }, dueAt };
}
