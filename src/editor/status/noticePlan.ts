import { describeTogether, type NoticeLook } from '../../app/present/notices/noticeTexts';
import { hasContinuingWorker } from '../../app/present/workers';
import type { DueNotice, Look } from '../../app/notify/dueNotices';
import type { Notice, NoticeKind } from '../../domain/queue/notices';
import type { World } from '../../domain/reasons/world';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskId } from '../../domain/task/task';
import type { CommandName } from '../commandIds';
import { t } from '../../platform/text/translate';

/** Button of a notification. */
export interface NoticeButton {
  readonly title: string;
  readonly command: CommandName | 'showQueue';
  /** Task on which the command is called, if any. */
  readonly taskId?: TaskId;
  /** Its attempt that the notification is about, for what may concern that one only. */
  readonly attempt?: number;
}

/** One notification. */
export interface NoticePlan {
  readonly severity: 'information' | 'warning' | 'error';
  readonly message: string;
  readonly buttons: readonly NoticeButton[];
}

/** Time in which notices about tasks are collected, from the first one on. */
const COLLECT_MS = 60_000;

/**
 * Returns the time until which to collect notices before they are shown as one notification; null: now. Notices that
 * are no matter of a single task do not wait, and take the others with them.
 */
export function collectUntil(
  due: readonly DueNotice[],
  { world }: Pick<Look, 'world'>,
  isWanted: (kind: NoticeKind) => boolean,
): EpochMs | null {
  const wanted = due.filter(({ notice }) => isWanted(notice.kind));
  if (wanted.length === 0 || wanted.some(({ notice }) => !('id' in notice))) return null;
  const first = Math.min(...wanted.map((each) => raisedAt(each, world)));
  // The clock of another machine may be ahead.
  const isOver = first > world.now || first + COLLECT_MS <= world.now;
  return isOver ? null : first + COLLECT_MS;
}

/** Returns when a notice was raised, or when its deadline was at risk or missed. */
function raisedAt({ notice, at }: DueNotice, { settings, now }: World): EpochMs {
  if (at !== null || !('by' in notice)) return at ?? now;
  return notice.kind === 'late' ? notice.by : notice.by - settings.atRiskBefore;
}

/** Plans one notification for all due notices; null if none of them is wanted. */
export function planNotification(
  notices: readonly Notice[],
  look: NoticeLook,
  isWanted: (kind: NoticeKind) => boolean,
): NoticePlan | null {
  const wanted = notices.filter(({ kind }) => isWanted(kind));
  if (wanted.length === 0) return null;
  return {
    severity: severityOf(wanted),
    message: describeTogether(wanted, look),
    buttons: buttonsForAll(wanted, look),
  };
}

/** Kinds after which nothing runs until the user acts. */
const STOPPING: readonly NoticeKind[] = ['blocked', 'stopped', 'worker-died', 'timer-late'];

/** Whether the user set the limit at which the queue stopped. */
function isPlanned(notice: Notice): boolean {
  return notice.kind === 'stopped' && notice.cause === 'bound';
}

function severityOf(notices: readonly Notice[]): NoticePlan['severity'] {
  if (notices.some((notice) => STOPPING.includes(notice.kind) && !isPlanned(notice))) return 'error';
  return notices.every((notice) => notice.kind === 'all-done' || isPlanned(notice))
    ? 'information'
    : 'warning';
}

const SHOW_QUEUE: NoticeButton = { title: t('Show Queue'), command: 'showQueue' };

/** Kinds with an attempt to look at, the most harmful first. */
const BY_HARM = ['failed', 'review', 'needs-answer'] as const;

/** Returns the buttons: what stops all tasks first, then the actions of the one task, or the first to review. */
function buttonsForAll(notices: readonly Notice[], look: NoticeLook): readonly NoticeButton[] {
  const stop = notices.find(({ kind }) => STOPPING.includes(kind));
  const ofTasks = notices.filter((notice) => 'id' in notice);
  const report = notices.some(({ kind }) => kind === 'all-done' || kind === 'stopped') ? [SHOW_REPORT] : [];
  const [one] = ofTasks;
  if (one === undefined || ofTasks.length === 1)
    return [stop ?? [], one ?? []]
      .flat()
      .flatMap((notice) => buttonsFor(notice, look))
      .concat(report, SHOW_QUEUE);
  const [worst] = BY_HARM.flatMap((kind) => ofTasks.filter((notice) => notice.kind === kind));
  const review = worst === undefined ? [] : [reviewOf(worst.id)];
  return [...(stop === undefined ? [] : buttonsFor(stop, look)), ...review, ...report, SHOW_TASKS];
}

const SHOW_TASKS: NoticeButton = { title: t('Show Tasks'), command: 'showQueue' };

function reviewOf(taskId: TaskId): NoticeButton {
  return { title: t('Review Next'), command: 'showAttempt', taskId };
}

function buttonsFor(notice: Notice, { world, snapshot }: NoticeLook): readonly NoticeButton[] {
  switch (notice.kind) {
    case 'review': {
      const isChanged = world.byId.get(notice.id)?.state.changed === true;
      const see = isChanged ? changesOf(notice.id) : attemptOf(notice.id);
      return [{ title: t('Accept'), command: 'accept', taskId: notice.id, attempt: notice.attempt }, see];
    }
    case 'needs-answer':
      return [{ title: t('Answer…'), command: 'answer', taskId: notice.id }, attemptOf(notice.id)];
    case 'failed':
      return [{ title: t('Retry'), command: 'retry', taskId: notice.id }, attemptOf(notice.id)];
    case 'blocked':
      return notice.gate === 'sign-in' ? [{ title: t('Sign In…'), command: 'signIn' }, RESUME] : [RESUME];
    case 'stopped':
      return [RESUME];
    case 'worker-died':
      return hasContinuingWorker(snapshot) ? [] : [START];
    case 'timer-late':
      return [START];
    case 'at-risk':
    case 'late':
    case 'all-done':
    case 'callback-failed':
      return [];
  }
}

const START: NoticeButton = { title: t('Start…'), command: 'start' };

const SHOW_REPORT: NoticeButton = { title: t('Show Report'), command: 'showReport' };

const RESUME: NoticeButton = { title: t('Resume Queue'), command: 'resume' };

function attemptOf(taskId: TaskId): NoticeButton {
  return { title: t('Show Attempt'), command: 'showAttempt', taskId };
}

function changesOf(taskId: TaskId): NoticeButton {
  return { title: t('Show Changes'), command: 'showChanges', taskId };
}

/** Names of the kinds of notices in `claudeQueue.notifications`, which turns them on and off. */
export const NOTICE_SETTINGS = {
  'needs-answer': 'needsAnswer',
  review: 'review',
  failed: 'failed',
  blocked: 'blocked',
  stopped: 'stopped',
  'at-risk': 'atRisk',
  late: 'late',
  'worker-died': 'workerDied',
  'timer-late': 'timerLate',
  'all-done': 'allDone',
  'callback-failed': 'callbackFailed',
} as const satisfies Readonly<Record<NoticeKind, string>>;
