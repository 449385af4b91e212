import { describeWhy } from '../pause';
import { describeMessage } from './endNote';
import type { Unmet } from '../../../domain/task/dependencies';
import { formatDuration } from '../../../domain/time/duration';
import { formatTime, type Moment } from '../../../domain/time/moment';
import type { Cause, Reason, LeftoverCause } from '../../../domain/reasons/reason';
import { formatUsd } from '../../../domain/usd';
import { isFarFrom, type FailureStreak } from '../../../domain/queue/view';
import { t } from '../../../platform/text/translate';
import { joinWithAnd, withoutStop } from '../text';
import { formatMissed, formatOrdinal, formatRunning, formatShare, WINDOW_NAMES } from './amounts';
import { describeClaim, describeOwner } from './claim';
import { describeGateFacts } from '../gate';
import { STATE_NAMES } from './stateNames';

/** Reason with its text, as views show it; empty if `shown` says it all. */
export interface ShownReason extends Reason {
  readonly text: string;
}

/** Adds the text of a reason, as of `moment`. */
export function showReason(reason: Reason, moment: Moment): ShownReason {
  let text: string | undefined;
  return {
    ...reason,
    // Created on access: few of thousands of waiting tasks are shown, and those again after each change.
    get text() {
      return (text ??= describeReason(reason, moment));
    },
  };
}

/** Describes why a task is not running, as of `moment`. */
export function describeReason({ review, causes }: Reason, moment: Moment): string {
  const [first = '', ...others] = causes.map((cause) => describeCause(cause, moment));
  const waits = others.reduce((all, one) => t('{0}, then {1}', all, one), first);
  if (review === undefined) return waits;
  const message = cutEnd(describeCause(review, moment));
  return [message, waits].filter((part) => part !== '').join('; ');
}

/** Removes the end of a sentence, so that it continues. */
function cutEnd(sentence: string): string {
  return withoutStop(sentence.trimEnd()).replace(/[.\s]+$/, '');
}

/** Describes a reason as the rest of a sentence; never empty. */
export function nameOrDescribe(reason: Reason, moment: Moment): string {
  const text = cutEnd(describeReason(reason, moment));
  return text === '' ? STATE_NAMES[reason.state] : text;
}

function describeInvalid(names: readonly string[]): string {
  return names.length === 1
    ? t('1 setting is invalid: {0}', names.join(', '))
    : t('{0} settings are invalid: {1}', names.length, names.join(', '));
}

function describeCause(cause: Cause, moment: Moment): string {
  switch (cause.kind) {
    case 'claimed':
      return describeClaimed(cause, moment);
    case 'question':
      return t('needs an answer: {0}', cause.question);
    case 'message':
      return describeMessage(cause);
    case 'retries-used-up':
      return t('retries used up ({0} of {1})', cause.count, cause.max);
    case 'dependency':
      return describeDependency(cause.unmet);
    case 'repository':
      return t('repository {0} is not on this machine', cause.name);
    case 'time':
      return describeOwnTime(cause, formatTime(cause.until, moment));
    case 'limit':
      return t('usage limit, resets {0}', formatTime(cause.until, moment));
    case 'settings':
      return describeInvalid(cause.wrong);
    case 'quiet':
      return describeQuiet(cause, moment);
    case 'hold':
      return describeHold(cause, moment);
    case 'failures':
      return describeStreak(cause.streak);
    case 'unreviewed':
      return describeUnreviewed(cause);
    case 'spare':
      return t('leftover capacity: {0}', describeLeftover(cause.spare, moment));
    case 'attempts':
    case 'night':
      return describeBudget(cause, formatTime(cause.until, moment));
    case 'gate':
      return describeGateFacts(cause.gate, moment);
    case 'reserve':
      return describeReserve(cause, moment);
    case 'slots':
      return formatRunning(cause.running, cause.max, cause.lost);
    case 'busy':
      return describeClaim(cause.claim, moment);
    case 'directory':
      return t('{0} in the same directory', describeClaim(cause.claim, moment));
    case 'made-way':
      return t('made way for {0}', cause.claim.id);
    case 'place-in-line':
      return describePlace(cause);
    case 'nothing-left':
      return describeNothingLeft(cause);
    case 'approved-elsewhere':
      return t('not approved on this machine; {0} may run it', describeOwner(cause.owner, moment));
    default:
      return TEXTS[cause.kind];
  }
}

/** Texts of the causes that need no facts. */
const TEXTS = {
  invalid: t('its row is invalid'),
  'not-confirmed': t('not confirmed'),
  undone: t('undone'),
  reopened: t('was finished; an edit of the file made it pending again'),
  'not-approved': t('not approved on this machine'),
  changed: t('changed since you approved it'),
} as const satisfies Partial<Record<Cause['kind'], string>>;

type CauseOf<Kind extends Cause['kind']> = Extract<Cause, { kind: Kind }>;

function describeClaimed({ owner, isOwnerDead }: CauseOf<'claimed'>, moment: Moment): string {
  const who = describeOwner(owner, moment);
  if (isOwnerDead && isFarFrom(moment, owner))
    return t('{0} died during the attempt; the next worker recovers the task', who);
  return isOwnerDead
    ? t('{0} died during the attempt; the next worker ends its leftover processes and recovers the task', who)
    : who;
}

function describePlace({ place, pool, running, max }: CauseOf<'place-in-line'>): string {
  return t('{0} in line for pool {1} ({2})', formatOrdinal(place), pool, formatRunning(running, max));
}

function describeNothingLeft({ priorities, tags, users }: CauseOf<'nothing-left'>): string {
  if (priorities === undefined && tags === undefined && users === undefined)
    return t('no task is left to run');
  // Only workers are restricted. They run in a terminal, so this is not translated.
  const which = [
    ...(priorities === undefined ? [] : [`with priority ${priorities.join(' or ')}`]),
    ...(tags === undefined ? [] : [`with tag ${tags.join(' or ')}`]),
    ...(users === undefined ? [] : [`of ${users.map((user) => user || 'no user').join(' or ')}`]),
  ];
  return `${['no task', ...which].join(' ')} is left to run`;
}

function describeDependency({ id, why }: Unmet): string {
  if (why === 'missing') return t('depends on task {0}, which does not exist', id);
  // Nobody sees the stored `pending`: such a task is ready, scheduled, retrying or waiting.
  return why === 'pending' ? t('waits for {0}', id) : t('waits for {0} ({1})', id, STATE_NAMES[why]);
}

function describeOwnTime(cause: CauseOf<'time'>, time: string): string {
  if (cause.of === 'owner') return t('not before {0}', time);
  if (cause.of === 'retry') return t('next try {0}', time);
  const { missed = 0 } = cause;
  if (missed === 0) return t('next time {0}', time);
  return missed === 1
    ? t('missed once, skipped; next time {0}', time)
    : t('missed {0} times, skipped; next time {1}', formatMissed(missed), time);
}

function describeQuiet({ priority, until }: CauseOf<'quiet'>, moment: Moment): string {
  if (until === null)
    return priority === undefined ? t('quiet hours, always') : t('quiet hours for {0}, always', priority);
  const time = formatTime(until, moment);
  return priority === undefined
    ? t('quiet hours until {0}', time)
    : t('quiet hours for {0} until {1}', priority, time);
}

function describeHold({ hold }: CauseOf<'hold'>, moment: Moment): string {
  const { priorities } = hold;
  const why = describeWhy(hold, moment);
  return priorities === undefined
    ? t('the queue is paused ({0})', why)
    : t('{0} tasks are paused ({1})', priorities.join(', '), why);
}

/** Maximum number of tasks named in one sentence. */
const MOST_NAMED = 5;

function describeStreak({ ids, ...last }: FailureStreak): string {
  const named = ids.slice(0, MOST_NAMED).join(', ');
  return t(
    'the same failure in {0} tasks in a row ({1}), the last: {2}; fix it, then run "resume"',
    ids.length,
    ids.length > MOST_NAMED ? t('{0} and {1} more', named, ids.length - MOST_NAMED) : named,
    cutEnd(describeMessage(last)),
  );
}

function describeUnreviewed({ unreviewed, running, max }: CauseOf<'unreviewed'>): string {
  return running === 0
    ? t('unreviewed: {0} of at most {1}; accept or retry one', unreviewed, max)
    : t('unreviewed: {0} of at most {1}, and {2} running', unreviewed, max, running);
}

const HOUR_MS = 3_600_000;

function describeLeftover(leftover: LeftoverCause, moment: Moment): string {
  switch (leftover.why) {
    case 'unknown':
      return t('usage is not known yet: the first attempt on a subscription reports it');
    case 'too-fast':
      return t('the weekly usage is ahead of time');
    case 'kept':
      return leftover.window === 'five_hour'
        ? t('the rest of the 5-hour usage window is reserved')
        : t('the rest of the week is reserved');
    case 'used-up':
      return leftover.window === 'five_hour'
        ? t('nothing is left of the 5-hour usage window')
        : t('nothing is left of the week');
    case 'last-part':
      return describeLastPart(leftover.lengthMs, formatTime(leftover.from, moment));
  }
}

function describeLastPart(lengthMs: number, from: string): string {
  return lengthMs === HOUR_MS
    ? t('waits for the last hour of a 5-hour usage window, from {0}', from)
    : t('waits for the last {0} of a 5-hour usage window, from {1}', formatDuration(lengthMs), from);
}

function describeBudget(cause: CauseOf<'attempts' | 'night'>, next: string): string {
  if (cause.kind === 'night') {
    const { budgetUsd, usedUsd } = cause;
    return t(
      "the night's budget of {0} is used up ({1}), next at {2}",
      formatUsd(budgetUsd),
      formatUsd(usedUsd),
      next,
    );
  }
  return cause.per === 'hour'
    ? t('at most {0} an hour, next at {1}', cause.limit, next)
    : t('at most {0} a day, next at {1}', cause.limit, next);
}

function describeReserve({ window, keptFor }: CauseOf<'reserve'>, moment: Moment): string {
  const share = formatShare(window.utilization);
  const name = WINDOW_NAMES[window.window];
  const until = formatTime(window.resetAt, moment);
  return keptFor.length === 0
    ? t('{0} of the {1} is used: the rest is reserved for you until {2}', share, name, until)
    : t(
        '{0} of the {1} is used: the rest is reserved for {2} tasks until {3}',
        share,
        name,
        joinWithAnd(keptFor),
        until,
      );
}
