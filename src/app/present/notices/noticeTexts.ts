import { describeLastMessage } from '../reasons/endNote';
import { formatDuration } from '../../../domain/time/duration';
import type { GateKind } from '../../../domain/gate/gate';
import { formatTime } from '../../../domain/time/moment';
import type { Notice, StoppedNotice, WorkerDiedNotice } from '../../../domain/queue/notices';
import { formatUsd } from '../../../domain/usd';
import { isFarFrom, nameWorker, type Reader, type TaskView } from '../../../domain/queue/view';
import type { TaskId } from '../../../domain/task/task';
import { nameMachine } from '../../../platform/processes/machine';
import { redact } from '../../../platform/text/redact';
import { t } from '../../../platform/text/translate';
import type { Look } from '../../notify/dueNotices';
import { describeFailedCallback } from './callbackTexts';
import { COMMA, listIds, shorten } from '../text';
import { hasContinuingWorker, type RunningWorkers } from '../workers';

/** Text of a notice. Title and message start with words of this program, never with words of others. */
export interface NoticeText {
  readonly title: string;
  /** Subject and what to do; empty if the title says it all. */
  readonly message: string;
}

/** Part of a queue's state that the texts need. */
export type NoticeLook = Pick<Look, 'world'> & { readonly snapshot: RunningWorkers };

const PROMPT_WIDTH = 60;
const MESSAGE_WIDTH = 200;

/** Describes one notice, without secrets. */
export function describeNotice(notice: Notice, look: NoticeLook): NoticeText {
  const { world } = look;
  switch (notice.kind) {
    case 'needs-answer':
    case 'review':
    case 'failed':
      return describeTask(ENDS[notice.kind](notice.id), world.byId.get(notice.id), true);
    case 'at-risk':
    case 'late': {
      const by = formatTime(notice.by, world);
      const title =
        notice.kind === 'late'
          ? t('Task {0} missed its deadline ({1})', notice.id, by)
          : t('Task {0} may miss its deadline ({1})', notice.id, by);
      return describeTask(title, world.byId.get(notice.id), false);
    }
    case 'blocked':
      return {
        title: titleOfBlock(notice.gate),
        message: t('No task that needs it starts. Fix it, then resume the queue.'),
      };
    case 'stopped':
      return STOPS[notice.cause];
    case 'worker-died':
      return {
        title: t('Worker {0} died', nameDead(notice, world)),
        message: describeAfterDeath(look),
      };
    case 'timer-late': {
      const timer = shorten(notice.timer, PROMPT_WIDTH);
      return {
        title: t(
          'The timer ({0}) should have started a worker at {1} and did not',
          timer,
          formatTime(notice.expectedAt, world),
        ),
        message: t('Check with "claude-queue schedule" that it is still installed.'),
      };
    }
    case 'callback-failed':
      return describeFailedCallback(notice);
    case 'all-done':
      return { title: t('Queue finished: {0}', describeSum(notice)), message: describeRest(notice) };
  }
}

/** Describes a notice in one line, for a terminal or a log. */
export function describeInLine(notice: Notice, look: NoticeLook): string {
  const { title, message } = describeNotice(notice, look);
  const sentence = t('{0}.', title);
  return message === '' ? sentence : `${sentence} ${message}`;
}

function nameDead({ worker, machine }: WorkerDiedNotice, reader: Reader): string {
  const name = shorten(worker, PROMPT_WIDTH);
  return machine === undefined || !isFarFrom(reader, { machine })
    ? name
    : t('{0} on {1}', name, nameMachine(machine));
}

function describeAfterDeath({ snapshot }: NoticeLook): string {
  if (!hasContinuingWorker(snapshot))
    return t('Its process ended unexpectedly. Start the queue again to continue.');
  const names = snapshot.workers.map(({ owner }) => shorten(nameWorker(owner), PROMPT_WIDTH)).join(', ');
  return t('Its process ended unexpectedly. The queue continues with worker {0}.', names);
}

const ENDS = {
  'needs-answer': (id: TaskId) => t('Task {0} needs an answer', id),
  review: (id: TaskId) => t('Task {0} needs review', id),
  failed: (id: TaskId) => t('Task {0} failed permanently', id),
} as const;

function describeTask(title: string, task: TaskView | undefined, withMessage: boolean): NoticeText {
  if (task === undefined) return { title, message: t('Its row was removed.') };
  const prompt = t('Prompt: {0}', shorten(redact(task.definition.prompt), PROMPT_WIDTH));
  const said = withMessage ? shorten(redact(describeLastMessage(task.state) ?? ''), MESSAGE_WIDTH) : '';
  return { title, message: said === '' ? prompt : `${prompt} · ${said}` };
}

const BLOCKS: Partial<Record<GateKind, string>> = {
  'sign-in': t('Sign in needed: Claude Code is not signed in'),
  billing: t('Billing problem: the account cannot pay for attempts'),
  'spend-limit': t('The account has reached its spend limit'),
  'default-model': t('The default model is not available'),
};

const STOPS: Readonly<Record<StoppedNotice['cause'], NoticeText>> = {
  bound: {
    title: t('Queue paused: a limit of its run was reached'),
    message: t('No task starts until you resume the queue, or start a worker by hand.'),
  },
  failures: {
    title: t('Queue paused: tasks failed in the same way, one after another'),
    message: t('Fix the cause, then resume the queue.'),
  },
};

function titleOfBlock(kind: GateKind): string {
  return BLOCKS[kind] ?? t('The account is blocked');
}

type AllDone = Extract<Notice, { readonly kind: 'all-done' }>;

function describeSum({ completed, failed, review, cancelled = 0 }: AllDone): string {
  const parts = [
    ...(completed > 0 || failed + review + cancelled === 0 ? [t('{0} completed', completed)] : []),
    ...(failed > 0 ? [t('{0} failed', failed)] : []),
    ...(review > 0 ? [t('{0} in review', review)] : []),
    ...(cancelled > 0 ? [t('{0} cancelled', cancelled)] : []),
  ];
  return parts.join(COMMA);
}

function describeRest({ since, until, costUsd, isCostOpen, left }: AllDone): string {
  const duration = formatDuration(until - since);
  const usd = formatUsd(costUsd);
  const cost = isCostOpen === true ? t('at least {0}', usd) : usd;
  const spent = costUsd > 0 ? t('Cost {0}, duration {1}.', cost, duration) : t('Duration {0}.', duration);
  if (left === 0) return spent;
  const rest =
    left === 1 ? t('1 task cannot start until you act.') : t('{0} tasks cannot start until you act.', left);
  return `${spent} ${rest}`;
}

/** Notice about a task. */
type TaskNotice = Extract<Notice, { readonly id: TaskId }>;

/** Texts for the tasks of a kind in one line. */
const COUNTED: Readonly<Record<TaskNotice['kind'], (ids: string) => string>> = {
  'needs-answer': (ids) => t('{0} waiting for an answer', ids),
  review: (ids) => t('{0} in review', ids),
  failed: (ids) => t('{0} failed', ids),
  'at-risk': (ids) => t('{0} may miss the deadline', ids),
  late: (ids) => t('{0} missed the deadline', ids),
  'callback-failed': (ids) => t('callback of {0} not delivered', ids),
};

/** Describes notices that are shown together: `3 tasks need attention: 12 and 14 in review, 15 failed.` */
export function describeTogether(notices: readonly Notice[], look: NoticeLook): string {
  const [first] = notices;
  if (first !== undefined && notices.length === 1) return describeInLine(first, look);
  const kinds = Object.keys(COUNTED) as TaskNotice['kind'][];
  const ofTasks = notices.filter((notice) => 'id' in notice);
  const counts = kinds
    .map((kind) => ({ kind, ids: ofTasks.filter((notice) => notice.kind === kind).map(({ id }) => id) }))
    .filter((group) => group.ids.length > 0)
    .map((group) => COUNTED[group.kind](listIds(group.ids)));
  const ids = new Set(ofTasks.map(({ id }) => id));
  const others = notices
    .filter((notice) => !('id' in notice))
    .map((notice) => t('{0}.', describeNotice(notice, look).title));
  const [one] = ofTasks;
  if (one !== undefined && ofTasks.length === 1) return [describeInLine(one, look), ...others].join(' ');
  return [...(ids.size === 0 ? [] : [describeNeeds(ids.size, counts.join(COMMA))]), ...others].join(' ');
}

function describeNeeds(tasks: number, counts: string): string {
  return tasks === 1
    ? t('1 task needs attention: {0}.', counts)
    : t('{0} tasks need attention: {1}.', tasks, counts);
}

/**
 * JSON of a notice: the contract for the input of `notify`. Fields are added; none is removed or changes its meaning.
 */
export function noticeAsJson(notice: Notice, look: NoticeLook, queue: string): object {
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
          isCostComplete: notice.isCostOpen !== true,
          durationMs: notice.until - notice.since,
        }
      : null;
  return { event: notice.kind, title, message, queue, task, deadline, sum };
}
