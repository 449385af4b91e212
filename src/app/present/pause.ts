import type { Priority } from '../../domain/task/priority';
import type { Hold } from '../../domain/queue/view';

/** `low`, `medium and low`, `high, medium and low`. */
export function namePriorities(priorities: readonly Priority[]): string {
  const [last = '', ...others] = [...priorities].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

/** What is held, and why, as a sentence. */
export function describeHold({ why, priorities }: Hold): string {
  return priorities === undefined
    ? `The queue is held: ${why}.`
    : `Tasks of priority ${namePriorities(priorities)} are held: ${why}.`;
}
