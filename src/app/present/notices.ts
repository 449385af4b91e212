import { describeLastMessage } from './attempt';
import { formatDuration } from '../../domain/time/duration';
import type { GateKind } from '../../domain/gate/limits';
import { formatTime } from '../../domain/time/moment';
import type { Notice, NoticeKind } from '../../domain/queue/notices';
import { formatUsd } from '../../domain/usd';
import type { TaskView } from '../../domain/queue/view';
import { redact } from '../../platform/text/redact';
import type { Look } from '../notify/dueNotices';
import { count, listIds, shorten } from './text';

/** Text of a notice. Title and message start with words of this program, never with words of others. */
export interface NoticeText {
  readonly title: string;
  /** Subject and what to do; empty if the title says it all. */
  readonly message: string;
}

const PROMPT_WIDTH = 60;
const MESSAGE_WIDTH = 200;

/** Describes one notice, without secrets. */
export function describeNotice(notice: Notice, { world }: Pick<Look, 'world'>): NoticeText {
  switch (notice.kind) {
    case 'needs-answer':
    case 'review':
    case 'failed':
      return describeTask(`Task ${String(notice.id)} ${ENDS[notice.kind]}`, world.byId.get(notice.id), true);
    case 'at-risk':
    case 'late': {
      const what = notice.kind === 'late' ? 'missed its deadline' : 'may miss its deadline';
      const title = `Task ${String(notice.id)} ${what} (${formatTime(notice.by, world)})`;
      return describeTask(title, world.byId.get(notice.id), false);
    }
    case 'blocked':
      return {
        title: titleOfBlock(notice.gate),
        message: 'No task that needs it starts. Fix it, then resume the queue.',
      };
    case 'worker-died':
      return {
        title: `Worker ${shorten(notice.worker, PROMPT_WIDTH)} died`,
        message: 'Its process ended unexpectedly. Start the queue again to continue.',
      };
    case 'timer-late': {
      const timer = shorten(notice.timer, PROMPT_WIDTH);
      return {
        title: `The timer (${timer}) should have started a worker at ${formatTime(notice.expectedAt, world)} and did not`,
        message: 'Check with "claude-queue schedule" that it is still installed.',
      };
    }
    case 'all-done':
      return { title: `Queue finished: ${describeSum(notice)}`, message: describeRest(notice) };
  }
}

/** Describes a notice in one line, for a terminal or a log. */
export function describeInLine(notice: Notice, look: Pick<Look, 'world'>): string {
  const { title, message } = describeNotice(notice, look);
  return message === '' ? `${title}.` : `${title}. ${message}`;
}

const ENDS = {
  'needs-answer': 'needs an answer',
  review: 'needs review',
  failed: 'failed permanently',
} as const;

function describeTask(title: string, task: TaskView | undefined, withMessage: boolean): NoticeText {
  if (task === undefined) return { title, message: 'Its row was removed.' };
  const prompt = `Prompt: ${shorten(redact(task.definition.prompt), PROMPT_WIDTH)}`;
  const said = withMessage ? shorten(redact(describeLastMessage(task.state) ?? ''), MESSAGE_WIDTH) : '';
  return { title, message: said === '' ? prompt : `${prompt} · ${said}` };
}

const BLOCKS: Partial<Record<GateKind, string>> = {
  'sign-in': 'Sign-in needed: Claude Code is not signed in',
  billing: 'Billing problem: the account cannot pay for attempts',
  'spend-limit': 'The account has reached its spend limit',
  'default-model': 'The default model is not available',
};

function titleOfBlock(kind: GateKind): string {
  return BLOCKS[kind] ?? 'The account is blocked';
}

type AllDone = Extract<Notice, { readonly kind: 'all-done' }>;

function describeSum({ completed, failed, review }: AllDone): string {
  const parts = [
    ...(completed > 0 || failed + review === 0 ? [`${String(completed)} completed`] : []),
    ...(failed > 0 ? [`${String(failed)} failed`] : []),
    ...(review > 0 ? [`${String(review)} in review`] : []),
  ];
  return parts.join(', ');
}

function describeRest({ since, until, costUsd, left }: AllDone): string {
  const cost = costUsd > 0 ? `Cost ${formatUsd(costUsd)}, duration` : 'Duration';
  const rest = left === 0 ? '' : ` ${count(left, 'task')} cannot start until you act.`;
  return `${cost} ${formatDuration(until - since)}.${rest}`;
}

/** Words for the tasks of a kind in one line. */
const COUNTED: Readonly<Record<NoticeKind, string>> = {
  'needs-answer': 'waiting for an answer',
  review: 'in review',
  failed: 'failed',
  'at-risk': 'may miss the deadline',
  late: 'missed the deadline',
  blocked: '',
  'worker-died': '',
  'timer-late': '',
  'all-done': '',
};

/** Describes notices that are shown together: `3 tasks need attention: 12 and 14 in review, 15 failed.` */
export function describeTogether(notices: readonly Notice[], look: Pick<Look, 'world'>): string {
  const [first] = notices;
  if (first !== undefined && notices.length === 1) return describeInLine(first, look);
  const kinds = Object.keys(COUNTED) as NoticeKind[];
  const ofTasks = notices.filter((notice) => 'id' in notice);
  const counts = kinds
    .map((kind) => ({ kind, ids: ofTasks.filter((notice) => notice.kind === kind).map(({ id }) => id) }))
    .filter((group) => group.ids.length > 0)
    .map((group) => `${listIds(group.ids)} ${COUNTED[group.kind]}`);
  const ids = new Set(ofTasks.map(({ id }) => id));
  const need = ids.size === 1 ? 'needs' : 'need';
  const others = notices
    .filter((notice) => !('id' in notice))
    .map((notice) => describeNotice(notice, look).title);
  const [one] = ofTasks;
  if (one !== undefined && ofTasks.length === 1)
    return [describeInLine(one, look), ...others.map((title) => `${title}.`)].join(' ');
  return [
    ...(ids.size === 0 ? [] : [`${count(ids.size, 'task')} ${need} attention: ${counts.join(', ')}.`]),
    ...others.map((title) => `${title}.`),
  ].join(' ');
}

/**
 * JSON of a notice: the contract for the input of `notify`. Fields are added; none is removed or changes its meaning.
 */
export function noticeAsJson(notice: Notice, look: Pick<Look, 'world'>, queue: string): object {
  const { title, message } = describeNotice(notice, look);
  const task = 'id' in notice ? notice.id : null;
  const deadline = 'by' in notice ? new Date(notice.by).toISOString() : null;
  const sum =
    notice.kind === 'all-done'
      ? {
          completed: notice.completed,
          failed: notice.failed,
          review: notice.review,
          left: notice.left,
          costUsd: notice.costUsd,
          durationMs: notice.until - notice.since,
        }
      : null;
  return { event: notice.kind, title, message, queue, task, deadline, sum };
}
