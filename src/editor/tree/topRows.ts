import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import { describeLastKnown, describeOutage, nameOutage } from '../../app/present/outage';
import { describeMissingWorker } from '../../app/present/missingWorker';
import { formatTime, type Moment } from '../../domain/time/moment';
import type { Failing } from '../state/queueState';
import type { MissingWorker } from '../../domain/queue/missingWorker';

/** Row of the tree above the groups: a closed gate of the account, a late timer, or a Redis that is away. */
export interface TopRow {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** Lines of plain text. */
  readonly details: readonly string[];
  readonly needsUser: boolean;
  /** Words for the `when` of menus. */
  readonly traits: readonly string[];
}

/** Title of a timer that did not start a worker. */
export const LATE_TIMER = 'Timer is late';

/** Returns the row that says why a queue in Redis cannot be read. */
export function redisRows({ redis, message, outage }: Failing): TopRow[] {
  if (redis === undefined || outage === undefined) return [];
  const { since, moment, lastKnown } = outage;
  const title = nameOutage(redis);
  const when = describeOutage(since, moment);
  const needsUser = redis === 'refused';
  // A narrow tree cuts off the end: the user needs the reason if they have to act, else the time.
  const description = needsUser ? `${message} (${when})` : `${when}. ${message}`;
  const details = [
    `${title} ${when}.`,
    message,
    ...(lastKnown === null ? [] : [describeLastKnown(since, moment)]),
  ];
  return [{ key: 'redis', title, description, details, needsUser, traits: [] }];
}

/** Returns the rows above the groups, those that need the user first. */
export function topRows({ account, missingWorkers, world }: QueueViewModel): TopRow[] {
  const gates = account.map(({ kind, model, title, text, message, needsUser, isResettable }) => ({
    key: ['account', kind, model].filter((part) => part !== undefined).join('-'),
    title,
    description: text,
    details: [
      ...[title, text, `Claude Code said: ${message}`],
      ...(isResettable ? ['After you use /limit-reset, choose Try Now.'] : []),
    ],
    needsUser,
    traits: needsUser ? [...(kind === 'sign-in' ? ['signIn'] : []), 'accountBlock'] : ['usageLimit'],
  }));
  const timers = missingWorkers.found.flatMap((late) =>
    late.kind === 'timer-late' ? [timerRow(late, world)] : [],
  );
  return [
    ...gates.filter(({ needsUser }) => needsUser),
    ...timers,
    ...gates.filter(({ needsUser }) => !needsUser),
  ];
}

/** Row of a late timer. The time comes first, because a narrow tree cuts off the rest. */
function timerRow(late: Extract<MissingWorker, { kind: 'timer-late' }>, moment: Moment): TopRow {
  return {
    key: late.kind,
    title: LATE_TIMER,
    description: `no start at ${formatTime(late.expectedAt, moment)} (${late.timer.by})`,
    details: [describeMissingWorker(late, moment)],
    needsUser: true,
    traits: ['lateTimer'],
  };
}
