import { describeTogether } from '../../app/present/notices';
import type { Look } from '../../app/notify/dueNotices';
import type { Notice, NoticeKind } from '../../domain/queue/notices';
import type { TaskId } from '../../domain/task/task';
import type { CommandName } from '../commandIds';
import { hideIcons } from '../tree/hideIcons';

/** Button of a notification. */
export interface NoticeButton {
  readonly title: string;
  readonly command: CommandName | 'showQueue';
  /** Task on which the command is called, if any. */
  readonly taskId?: TaskId;
}

/** One notification. */
export interface NoticePlan {
  readonly severity: 'information' | 'warning';
  readonly message: string;
  readonly buttons: readonly NoticeButton[];
}

const SHOW_QUEUE: NoticeButton = { title: 'Show Queue', command: 'showQueue' };

/** Plans one notification for all due notices; null if none of them is wanted. */
export function planNotification(
  notices: readonly Notice[],
  look: Pick<Look, 'world'>,
  isWanted: (kind: NoticeKind) => boolean,
): NoticePlan | null {
  const wanted = notices.filter(({ kind }) => isWanted(kind));
  const [first] = wanted;
  if (first === undefined) return null;
  return {
    severity: wanted.every(({ kind }) => kind === 'all-done') ? 'information' : 'warning',
    message: hideIcons(describeTogether(wanted, look)),
    buttons: [...(wanted.length === 1 ? buttonsFor(first, look) : []), SHOW_QUEUE],
  };
}

function buttonsFor(notice: Notice, { world }: Pick<Look, 'world'>): readonly NoticeButton[] {
  switch (notice.kind) {
    case 'review': {
      const isChanged = world.byId.get(notice.id)?.state.changed === true;
      const see = isChanged ? changesOf(notice.id) : attemptOf(notice.id);
      return [{ title: 'Accept', command: 'accept', taskId: notice.id }, see];
    }
    case 'needs-answer':
      return [{ title: 'Answer…', command: 'answer', taskId: notice.id }, attemptOf(notice.id)];
    case 'failed':
      return [{ title: 'Retry', command: 'retry', taskId: notice.id }, attemptOf(notice.id)];
    case 'blocked':
      return notice.gate === 'sign-in' ? [{ title: 'Sign In…', command: 'signIn' }, RESUME] : [RESUME];
    case 'worker-died':
    case 'timer-late':
      return [{ title: 'Start…', command: 'start' }];
    case 'at-risk':
    case 'late':
    case 'all-done':
      return [];
  }
}

const RESUME: NoticeButton = { title: 'Resume Queue', command: 'resume' };

function attemptOf(taskId: TaskId): NoticeButton {
  return { title: 'Show Attempt', command: 'showAttempt', taskId };
}

function changesOf(taskId: TaskId): NoticeButton {
  return { title: 'Show Changes', command: 'showChanges', taskId };
}

/** Names of the kinds of notices in `claudeQueue.notifications`, which turns them on and off. */
export const NOTICE_SETTINGS = {
  'needs-answer': 'needsAnswer',
  review: 'review',
  failed: 'failed',
  blocked: 'blocked',
  'at-risk': 'atRisk',
  late: 'late',
  'worker-died': 'workerDied',
  'timer-late': 'timerLate',
  'all-done': 'allDone',
} as const satisfies Readonly<Record<NoticeKind, string>>;
