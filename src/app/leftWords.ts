import type { Picture } from './picture';
import { count } from './words';

/** What of a queue does not run before somebody sees to it: a line for each kind that there is. */
export function describeLeft({ snapshot, tasks }: Pick<Picture, 'snapshot' | 'tasks'>): string[] {
  const invalid = new Set(snapshot.problems.map(({ line }) => line)).size;
  const stuck = tasks.filter(({ reason }) => reason.shown === 'stuck').length;
  return [
    ...(invalid === 0
      ? []
      : [`${count(invalid, 'row')} ${be(invalid)} invalid and will not run: "claude-queue check" says why.`]),
    ...(stuck === 0
      ? []
      : [
          `${count(stuck, 'task')} ${be(stuck)} stuck: what is waited for cannot be completed; "claude-queue status" says what.`,
        ]),
    ...describeUnapproved({ tasks }),
  ];
}

/** The same of what nobody has approved: without a person nobody can be asked. */
export function describeUnapproved({ tasks }: Pick<Picture, 'tasks'>): string[] {
  const unapproved = tasks.filter(({ reason }) => reason.shown === 'unapproved').length;
  if (unapproved === 0) return [];
  return [
    `${count(unapproved, 'task')} ${unapproved === 1 ? 'waits' : 'wait'} for approval and will not run before: "claude-queue approve", or "trust" for the whole file.`,
  ];
}

function be(number: number): string {
  return number === 1 ? 'is' : 'are';
}
