import { describeWhy } from '../pause';
import { describeMessage } from '../attempt';
import type { Unmet } from '../../../domain/task/dependencies';
import { formatDuration } from '../../../domain/time/duration';
import { formatTime, type Moment } from '../../../domain/time/moment';
import type { Cause, Reason, LeftoverCause } from '../../../domain/reasons/reason';
import { formatUsd } from '../../../domain/usd';
import type { FailureStreak } from '../../../domain/queue/view';
import { formatMissed, formatOrdinal, formatRunning, formatShare, WINDOW_NAMES } from './amounts';
import { describeClaim, describeOwner } from './claim';
import { describeGateFacts } from '../gate';

/** Reason with its text, as views show it; empty if `shown` says it all. */
export interface ShownReason extends Reason {
  readonly text: string;
}

/** Adds the text of a reason, as of `moment`. */
export function showReason(reason: Reason, moment: Moment): ShownReason {
  return {
    ...reason,
    // Created on access: few of thousands of waiting tasks are shown.
    get text() {
      return describeReason(reason, moment);
    },
  };
}

/** Describes why a task is not running, as of `moment`. */
export function describeReason({ review, causes }: Reason, moment: Moment): string {
  const waits = causes.map((cause) => describeCause(cause, moment)).join(', then ');
  if (review === undefined) return waits;
  const message = describeCause(review, moment).replace(/[.\s]+$/, '');
  return [message, waits].filter((part) => part !== '').join('; ');
}

/** Describes a reason; never empty. */
export function nameOrDescribe(reason: Reason, moment: Moment): string {
  const text = describeReason(reason, moment);
  return text === '' ? reason.shown : text;
}

function describeCause(cause: Cause, moment: Moment): string {
  switch (cause.kind) {
    case 'invalid':
      return 'its row is invalid';
    case 'claimed':
      return cause.isOwnerDead
        ? `${describeOwner(cause.owner)} died during the attempt; the next worker ends its leftover processes and resumes it`
        : describeOwner(cause.owner);
    case 'question':
      return `needs an answer: ${cause.question}`;
    case 'message':
      return describeMessage(cause);
    case 'not-confirmed':
      return 'not confirmed';
    case 'retries-used-up':
      return `retries used up (${String(cause.count)} of ${String(cause.max)})`;
    case 'reopened':
      return 'was finished; an edit of the file made it pending again';
    case 'not-approved':
      return 'not approved on this machine';
    case 'dependency':
      return describeDependency(cause.unmet);
    case 'repository':
      return `repository ${cause.name} is not on this machine`;
    case 'time':
      return `${describeOwnTime(cause)} ${formatTime(cause.until, moment)}`;
    case 'limit':
      return `usage limit, resets ${formatTime(cause.until, moment)}`;
    case 'quiet':
      return describeQuiet(cause, moment);
    case 'hold':
      return describeHold(cause, moment);
    case 'failures':
      return describeStreak(cause.streak);
    case 'spare':
      return `leftover capacity: ${describeLeftover(cause.spare, moment)}`;
    case 'attempts':
    case 'night':
      return `${describeBudget(cause)}, next at ${formatTime(cause.until, moment)}`;
    case 'gate':
      return describeGateFacts(cause.gate, moment);
    case 'reserve':
      return describeReserve(cause, moment);
    case 'slots':
      return formatRunning(cause.running, cause.max);
    case 'busy':
      return describeClaim(cause.claim);
    case 'directory':
      return `${describeClaim(cause.claim)} in the same directory`;
    case 'place-in-line':
      return `${formatOrdinal(cause.place)} in line for pool ${cause.pool} (${formatRunning(cause.running, cause.max)})`;
    case 'nothing-left':
      return describeNothingLeft(cause);
  }
}

type CauseOf<Kind extends Cause['kind']> = Extract<Cause, { kind: Kind }>;

function describeNothingLeft({ priorities, tags, users }: CauseOf<'nothing-left'>): string {
  const which = [
    ...(priorities === undefined ? [] : [`with priority ${priorities.join(' or ')}`]),
    ...(tags === undefined ? [] : [`with tag ${tags.join(' or ')}`]),
    ...(users === undefined ? [] : [`of ${users.map((user) => user || 'no user').join(' or ')}`]),
  ];
  return `${['no task', ...which].join(' ')} is left to run`;
}

function describeDependency({ id, why }: Unmet): string {
  if (why === 'missing') return `depends on task ${String(id)}, which does not exist`;
  return `waits for ${String(id)} (${why})`;
}

function describeOwnTime(cause: CauseOf<'time'>): string {
  if (cause.of === 'owner') return 'not before';
  if (cause.of === 'retry') return 'next try';
  const { missed = 0 } = cause;
  if (missed === 0) return 'next time';
  const times = missed === 1 ? 'once' : `${formatMissed(missed)} times`;
  return `missed ${times}, skipped; next time`;
}

function describeQuiet({ priority, until }: CauseOf<'quiet'>, moment: Moment): string {
  const whose = priority === undefined ? '' : ` for ${priority}`;
  return `quiet hours${whose}${until === null ? ', always' : ` until ${formatTime(until, moment)}`}`;
}

function describeHold({ hold }: CauseOf<'hold'>, moment: Moment): string {
  const { priorities } = hold;
  const what = priorities === undefined ? 'the queue is paused' : `${priorities.join(', ')} tasks are paused`;
  return `${what} (${describeWhy(hold, moment)})`;
}

/** Maximum number of tasks named in one sentence. */
const MOST_NAMED = 5;

function describeStreak({ ids, ...last }: FailureStreak): string {
  const more = ids.length > MOST_NAMED ? ` and ${String(ids.length - MOST_NAMED)} more` : '';
  const which = `${ids.slice(0, MOST_NAMED).join(', ')}${more}`;
  const failure = describeMessage(last).replace(/[.\s]+$/, '');
  return `the same failure in ${String(ids.length)} tasks in a row (${which}), the last: ${failure}; fix it, then run "resume"`;
}

const HOUR_MS = 3_600_000;

function describeLeftover(leftover: LeftoverCause, moment: Moment): string {
  switch (leftover.why) {
    case 'unknown':
      return 'usage is not known yet: the first attempt on a subscription reports it';
    case 'too-fast':
      return 'the weekly usage is ahead of time';
    case 'kept':
      return `the rest of the ${SPARE_WINDOWS[leftover.window]} is reserved`;
    case 'used-up':
      return `nothing is left of the ${SPARE_WINDOWS[leftover.window]}`;
    case 'last-part': {
      const last = leftover.lengthMs === HOUR_MS ? 'hour' : formatDuration(leftover.lengthMs);
      return `waits for the last ${last} of a 5-hour usage window, from ${formatTime(leftover.from, moment)}`;
    }
  }
}

const SPARE_WINDOWS = { ...WINDOW_NAMES, seven_day: 'week' };

function describeBudget(cause: CauseOf<'attempts' | 'night'>): string {
  if (cause.kind === 'attempts')
    return `at most ${String(cause.limit)} ${cause.per === 'hour' ? 'an hour' : 'a day'}`;
  return `the night's budget of ${formatUsd(cause.budgetUsd)} is used up (${formatUsd(cause.usedUsd)})`;
}

function describeReserve({ window, keptFor }: CauseOf<'reserve'>, moment: Moment): string {
  const whom = keptFor.length === 0 ? 'you' : `${keptFor.join(' and ')} tasks`;
  const used = `${formatShare(window.utilization)} of the ${WINDOW_NAMES[window.window]} is used`;
  return `${used}: the rest is reserved for ${whom} until ${formatTime(window.resetAt, moment)}`;
}
