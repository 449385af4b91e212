import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import { describeSilence } from '../../app/present/silence';
import { formatTime, type Moment } from '../../domain/time/moment';
import type { Silence } from '../../domain/queue/silence';

/** A row of the tree above the groups: a closed gate of the account, or a timer that is late. */
export interface TopRow {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** Lines of plain text. */
  readonly details: readonly string[];
  readonly needsUser: boolean;
  /** Words that a menu's `when` looks for. */
  readonly traits: readonly string[];
}

/** What a timer is called that did not start a worker. */
export const LATE_TIMER = 'Timer is late';

/** The rows above the groups, what needs the user first. */
export function topRows({ account, silence, world }: QueueViewModel): TopRow[] {
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
  const timers = silence.found.flatMap((late) => (late.kind === 'timer-late' ? [timerRow(late, world)] : []));
  return [
    ...gates.filter(({ needsUser }) => needsUser),
    ...timers,
    ...gates.filter(({ needsUser }) => !needsUser),
  ];
}

/** The time first: a narrow tree cuts off the rest. */
function timerRow(late: Extract<Silence, { kind: 'timer-late' }>, moment: Moment): TopRow {
  return {
    key: late.kind,
    title: LATE_TIMER,
    description: `no start at ${formatTime(late.expectedAt, moment)} (${late.timer.by})`,
    details: [describeSilence(late, moment)],
    needsUser: true,
    traits: ['lateTimer'],
  };
}
