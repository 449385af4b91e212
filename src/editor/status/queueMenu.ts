import { shorten } from '../../app/present/text';
import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { findRunningClaim, findStop } from '../../app/present/workers';
import { countInvalidRows } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { CommandName } from '../commandIds';
import { runsUnread, type QueueState, type Ready } from '../state/queueState';
import { GROUP_TITLES, groupOf } from '../tree/rows/groupNames';
import { byHarm } from '../tree/rows/taskOrder';
import { topRows } from '../tree/rows/topRows';
import { t } from '../../platform/text/translate';

/** Section of the menu. */
export type MenuSection = 'now' | 'attention' | 'queue';

/** Titles of the sections. */
export const SECTION_TITLES: Readonly<Record<MenuSection, string>> = {
  now: t('Now'),
  attention: GROUP_TITLES.attention,
  queue: t('Queue'),
};

/** Entry of the menu of what matters now. */
export interface MenuEntry {
  readonly section: MenuSection;
  readonly command: CommandName;
  /** Task on which the command is called, if any. */
  readonly taskId?: TaskId;
  /** Label in place of the command's title. */
  readonly label?: string;
  readonly description?: string;
}

/** Maximum number of tasks that are listed: the tree has the others. */
const MOST_TASKS = 8;

const PROMPT_WIDTH = 60;

/** Returns the entries of the menu, the likely ones first. Without trust, only those that read. */
export function planMenu(
  state: QueueState,
  { isTrusted, hasFile }: { readonly isTrusted: boolean; readonly hasFile: boolean },
): readonly MenuEntry[] {
  const unread = isTrusted ? planUnread(state) : [];
  if (state.kind === 'missing') return unread;
  const shown = state.kind === 'ready' && isTrusted ? state : null;
  const viewModel = shown?.viewModel ?? null;
  const entries: readonly MenuEntry[] = [
    ...unread,
    ...(shown === null ? [] : [...planNow(shown.viewModel), ...planAttention(shown, hasFile)]),
    ...(viewModel === null ? [] : [{ section: 'queue', command: 'addTask' } as const]),
    ...(hasFile ? [{ section: 'queue', command: 'openQueueFile' } as const] : []),
    ...(viewModel === null
      ? []
      : ([
          { section: 'queue', command: 'showReport' },
          { section: 'queue', command: 'rehearse' },
          { section: 'queue', command: 'schedule' },
        ] as const)),
    { section: 'queue', command: 'showLog' },
  ];
  return entries.filter((entry, index) => entries.findIndex((each) => isSame(each, entry)) === index);
}

/** Returns what can be done about a queue that cannot be read. */
function planUnread(state: QueueState): readonly MenuEntry[] {
  const stop: readonly MenuEntry[] = runsUnread(state) ? [{ section: 'now', command: 'stop' }] : [];
  return state.kind === 'missing' ? [...stop, { section: 'queue', command: 'createQueue' }] : stop;
}

function isSame(one: MenuEntry, other: MenuEntry): boolean {
  return one.command === other.command && one.taskId === other.taskId;
}

/** Returns what can be done about what runs, or about what stops everything. */
function planNow(viewModel: QueueViewModel): readonly MenuEntry[] {
  const { snapshot, pause } = viewModel;
  const stops = topRows(viewModel).flatMap(({ title, actions }) =>
    actions.map((command) => ({ section: 'now', command, description: title }) as const),
  );
  const running = findRunningClaim(snapshot);
  const isWorking = snapshot.workers.length > 0 || running !== null;
  return [
    ...stops,
    ...(running === null
      ? []
      : ([
          { section: 'now', command: 'showAttempt', taskId: running.id, description: nameTask(running.id) },
          { section: 'now', command: 'showWork', description: nameTask(running.id) },
        ] as const)),
    ...(isWorking && findStop(snapshot) === null ? [{ section: 'now', command: 'stop' } as const] : []),
    ...(isWorking ? [] : [{ section: 'now', command: 'start' } as const]),
    ...(pause === null ? [{ section: 'now', command: 'hold' } as const] : []),
  ];
}

function nameTask(id: TaskId): string {
  return t('task {0}', id);
}

function planAttention(
  { viewModel: { tasks, snapshot }, byRisk }: Ready,
  hasFile: boolean,
): readonly MenuEntry[] {
  const own = tasks.filter((shown) => groupOf(shown) === 'attention');
  const unapproved = own.filter(({ reason }) => reason.state === 'unapproved');
  // Only those that are listed are sorted: all rows of an imported table are unapproved.
  const others = byHarm(
    own.filter(({ reason }) => reason.state !== 'unapproved'),
    byRisk,
  );
  const invalid = hasFile ? countInvalidRows(snapshot.problems) : 0;
  return [
    ...others.slice(0, MOST_TASKS).map(planTask),
    ...(invalid === 0
      ? []
      : [
          {
            section: 'attention',
            command: 'openQueueFile',
            description: invalid === 1 ? t('1 row cannot be read') : t('{0} rows cannot be read', invalid),
          } as const,
        ]),
    ...(snapshot.unreviewed === 0
      ? []
      : [
          {
            section: 'attention',
            command: 'review',
            description: t('{0} unreviewed', snapshot.unreviewed),
          } as const,
        ]),
    ...(unapproved.length === 0
      ? []
      : [
          {
            section: 'attention',
            command: 'approve',
            description: t('{0} not approved', unapproved.length),
          } as const,
        ]),
  ];
}

function planTask(shown: TaskViewModel): MenuEntry {
  const { id, prompt } = shown.task.definition;
  return {
    section: 'attention',
    command: 'showActions',
    taskId: id,
    label: labelOf(shown),
    description: shorten(prompt, PROMPT_WIDTH),
  };
}

function labelOf({ task: { definition, state }, reason }: TaskViewModel): string {
  const { id } = definition;
  switch (reason.state) {
    case 'dead':
      return t('Task {0} Failed…', id);
    case 'stuck':
      return t('Task {0} Is Stuck…', id);
    case 'invalid':
      return t('Task {0} Is Invalid…', id);
    default:
      return state.question === undefined ? t('Review Task {0}…', id) : t('Answer Task {0}…', id);
  }
}
