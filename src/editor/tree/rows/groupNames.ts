import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { ShownState } from '../../../domain/reasons/reason';
import { t } from '../../../platform/text/translate';

/** Groups of the tree by state, in order. */
export const GROUPS = ['attention', 'running', 'next', 'waiting', 'done'] as const;
export type GroupName = (typeof GROUPS)[number];

/** Titles of the groups. */
export const GROUP_TITLES: Readonly<Record<GroupName, string>> = {
  attention: t('Needs Attention'),
  running: t('Running'),
  next: t('Next'),
  waiting: t('Waiting'),
  done: t('Done'),
};

/** Group of each state; everything that waits for the user is together. */
const GROUP_OF: Readonly<Record<ShownState, GroupName>> = {
  dead: 'attention',
  stuck: 'attention',
  review: 'attention',
  invalid: 'attention',
  unapproved: 'attention',
  running: 'running',
  ready: 'next',
  scheduled: 'waiting',
  blocked: 'waiting',
  retrying: 'waiting',
  waiting: 'waiting',
  completed: 'done',
  cancelled: 'done',
};

/** Returns the group of a task: one with a place in line is next, whatever keeps the whole queue from starting. */
export function groupOf({ reason, place }: Pick<TaskViewModel, 'reason' | 'place'>): GroupName {
  if (place !== null) return 'next';
  return reason.waitsFor === 'elsewhere' ? 'waiting' : GROUP_OF[reason.state];
}

/** States that need attention, the most harmful first. */
export const BY_HARM: readonly ShownState[] = ['dead', 'stuck', 'review', 'invalid', 'unapproved'];
