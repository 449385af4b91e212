import { formatWait } from '../../../domain/time/duration';
import type { Moment } from '../../../domain/time/moment';
import type { Reason } from '../../../domain/reasons/reason';
import { nameOrDescribe } from './reason';

/** Texts for when nothing runs until the user acts; a task's own reason does not say that. */
const NEEDS_PERSON: Partial<Record<Reason['state'], string>> = {
  unapproved: 'a task needs your approval',
  review: 'a task is in review: accept it, or retry it',
  stuck: 'a task depends on one that cannot be completed',
  dead: 'a task failed: retry it, or cancel it',
};

/** Returns why a worker has nothing to run, as the rest of a sentence. */
export function describeIdle(why: Reason, moment: Moment): string {
  return NEEDS_PERSON[why.state] ?? nameOrDescribe(why, moment);
}

/** Describes what a worker waits for, and how long if known. */
export function describeWait(why: Reason, moment: Moment): string {
  const left = why.until === undefined ? '' : ` (in ${formatWait(why.until - moment.now)})`;
  return `Waiting: ${describeIdle(why, moment)}${left}`;
}
