import { shorten } from '../../app/present/text';
import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { findRunningClaim, findStop } from '../../app/present/workers';
import type { TaskId } from '../../domain/task/task';
import type { CommandName } from '../commandIds';
import type { QueueState } from '../state/queueState';
import { groupOf } from '../tree/rows/groupNames';
import { byHarm } from '../tree/rows/taskOrder';
import { topRows } from '../tree/rows/topRows';

/** Section of the menu. */
export type MenuSection = 'Now' | 'Needs Attention' | 'Queue';

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
  if (state.kind === 'missing') return isTrusted ? [{ section: 'Queue', command: 'createQueue' }] : [];
  const viewModel = state.kind === 'ready' && isTrusted ? state.viewModel : null;
  const entries: readonly MenuEntry[] = [
    ...(viewModel === null ? [] : [...planNow(viewModel), ...planAttention(viewModel)]),
    ...(viewModel === null ? [] : [{ section: 'Queue', command: 'addTask' } as const]),
    ...(hasFile ? [{ section: 'Queue', command: 'openQueueFile' } as const] : []),
    ...(viewModel === null
      ? []
      : ([
          { section: 'Queue', command: 'rehearse' },
          { section: 'Queue', command: 'schedule' },
        ] as const)),
    { section: 'Queue', command: 'showLog' },
  ];
  return entries.filter((entry, index) => entries.findIndex((each) => isSame(each, entry)) === index);
}

function isSame(one: MenuEntry, other: MenuEntry): boolean {
  return one.command === other.command && one.taskId === other.taskId;
}

/** Returns what can be done about what runs, or about what stops everything. */
function planNow(viewModel: QueueViewModel): readonly MenuEntry[] {
  const { snapshot, pause } = viewModel;
  const stops = topRows(viewModel).flatMap(({ title, actions }) =>
    actions.map((command) => ({ section: 'Now', command, description: title }) as const),
  );
  const running = findRunningClaim(snapshot);
  const isWorking = snapshot.workers.length > 0 || running !== null;
  return [
    ...stops,
    ...(running === null
      ? []
      : ([
          { section: 'Now', command: 'showAttempt', taskId: running.id, description: nameTask(running.id) },
          { section: 'Now', command: 'showWork', description: nameTask(running.id) },
        ] as const)),
    ...(isWorking && findStop(snapshot) === null ? [{ section: 'Now', command: 'stop' } as const] : []),
    ...(isWorking ? [] : [{ section: 'Now', command: 'start' } as const]),
    ...(pause === null ? [{ section: 'Now', command: 'hold' } as const] : []),
  ];
}

function nameTask(id: TaskId): string {
  return `task ${String(id)}`;
}

function planAttention({ tasks }: QueueViewModel): readonly MenuEntry[] {
  const own = byHarm(tasks.filter((shown) => groupOf(shown) === 'attention'));
  const unapproved = own.filter(({ reason }) => reason.shown === 'unapproved');
  const others = own.filter(({ reason }) => reason.shown !== 'unapproved');
  return [
    ...others.slice(0, MOST_TASKS).map(planTask),
    ...(unapproved.length === 0
      ? []
      : [
          {
            section: 'Needs Attention',
            command: 'approve',
            description: `${String(unapproved.length)} not approved`,
          } as const,
        ]),
  ];
}

function planTask({ task, reason }: TaskViewModel): MenuEntry {
  const { id, prompt } = task.definition;
  const verb = reason.shown === 'review' ? (task.state.question === undefined ? 'Review' : 'Answer') : null;
  return {
    section: 'Needs Attention',
    command: 'showActions',
    taskId: id,
    label:
      verb === null
        ? `Task ${String(id)} ${NAMES[reason.shown] ?? reason.shown}…`
        : `${verb} Task ${String(id)}…`,
    description: shorten(prompt, PROMPT_WIDTH),
  };
}

const NAMES: Readonly<Partial<Record<TaskViewModel['reason']['shown'], string>>> = {
  dead: 'Failed',
  stuck: 'Is Stuck',
  invalid: 'Is Invalid',
};
