import { formatWait } from '../../../domain/time/duration';
import type { Moment } from '../../../domain/time/moment';
import type { Reason } from '../../../domain/reasons/reason';
import { t } from '../../../platform/text/translate';
import { nameOrDescribe } from './reason';

/** Texts for when nothing runs until the user acts; a task's own reason does not say that. */
const NEEDS_PERSON: Partial<Record<Reason['state'], string>> = {
  unapproved: t('a task needs your approval'),
  review: t('a task is in review; accept or retry it'),
  stuck: t('a task depends on one that cannot be completed'),
  dead: t('a task failed; retry or cancel it'),
};

/** Returns why there is no next task, as the rest of a sentence. */
export function describeIdle(why: Reason, moment: Moment): string {
  return NEEDS_PERSON[why.state] ?? nameOrDescribe(why, moment);
}

/** Describes what a worker waits for, and how long if known. */
export function describeWait(why: Reason, moment: Moment): string {
  const left = why.until === undefined ? '' : ` ${formatWait(why.until - moment.now)}`;
  return `Waiting${left}: ${describeIdle(why, moment)}`;
}
