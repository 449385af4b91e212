import type { Shown } from '../../domain/reasons/reason';

/** Groups of the tree, in order. */
export const GROUPS = ['running', 'ready', 'waiting', 'review', 'done'] as const;
export type GroupName = (typeof GROUPS)[number];

/** Group of each state; everything that waits for the user is together. */
export const GROUP_OF: Readonly<Record<Shown, GroupName>> = {
  running: 'running',
  ready: 'ready',
  scheduled: 'waiting',
  blocked: 'waiting',
  retrying: 'waiting',
  waiting: 'waiting',
  unapproved: 'review',
  stuck: 'review',
  review: 'review',
  dead: 'review',
  invalid: 'review',
  completed: 'done',
  cancelled: 'done',
};
