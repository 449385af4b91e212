import { describePayer, describeUnusedKeys, nameClaude, noteVersion } from '../../app/present/installation';
import { MODE_WORDS } from '../../app/present/permissionModes';
import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { showReason, type ShownReason } from '../../app/present/reasons/reason';
import { runsByItself } from '../../app/viewModel/possibleActions';
import type { Installation } from '../../claude/installation/installation';
import { explain } from '../../domain/reasons/explain';
import type { Reason } from '../../domain/reasons/reason';
import type { TaskId } from '../../domain/task/task';
import type { PermissionChoice, WindowRule } from './editorSettings';
import { t } from '../../platform/text/translate';

/** Plan of a Start, for the user to read before it is carried out. */
export interface StartPlan {
  /** Action, and what it is done with. */
  readonly title: string;
  /** Name and version of Claude Code. */
  readonly claude: string;
  /** Payer of the attempts. */
  readonly payer: string;
  /** Keys that are present and not used. */
  readonly unusedKeys: string | null;
  /** Sentence if the program is not tested with this version of Claude Code. */
  readonly versionNote: string | null;
  /** The one task to run; null if the worker continues from task to task. */
  readonly only: TaskId | null;
  /** New or changed rows, which need approval before they run. */
  readonly unapproved: readonly TaskViewModel[];
  /** Approved tasks: those in line in the order of running, then those that wait for something else. */
  readonly approved: readonly TaskViewModel[];
  /** Offered actions, most likely first. */
  readonly offers: readonly StartOffer[];
}

export interface StartOffer {
  readonly kind: 'approve-and-start' | 'start';
  readonly words: string;
  readonly detail: string;
}

/** Plans a Start of a queue; `only` is one task to run regardless of its place and time. */
export function planStart(viewModel: QueueViewModel, installation: Installation, only?: TaskId): StartPlan {
  const tasks = viewModel.tasks.filter(({ task }) => only === undefined || task.definition.id === only);
  const unapproved = tasks.filter(({ reason }) => reason.state === 'unapproved');
  const approved = tasks
    .filter((shown) => only !== undefined || runsByItself(shown))
    .filter((shown) => !unapproved.includes(shown))
    .sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity) || 0);
  const claude = nameClaude(installation);
  return {
    title: only === undefined ? t('Start: {0}', claude) : t('Run task {0}: {1}', only, claude),
    claude,
    payer: describePayer(installation),
    unusedKeys: describeUnusedKeys(installation),
    versionNote: noteVersion(installation),
    only: only ?? null,
    unapproved,
    approved,
    offers: offersFor(unapproved.length, approved.length, only),
  };
}

/**
 * Returns why a task that the user names could not run now after its approval; null if it could. The rules are those of
 * `claude-queue run --id`: it ignores the task's time and a pause, and first reclaims the tasks of dead workers.
 */
export function whyNotNow({ world }: QueueViewModel, only: TaskId): ShownReason | null {
  const task = world.byId.get(only);
  if (task === undefined) return showReason(NOT_UNDERSTOOD, world);
  const claims = world.queue.claims.filter(({ ownerDied }) => ownerDied !== true);
  const approved = {
    ...world,
    queue: { ...world.queue, claims },
    approvedRows: { ...world.approvedRows, trusted: true },
  };
  const reason = explain(task, approved, { time: true });
  return reason.state === 'ready' ? null : showReason(reason, world);
}

const NOT_UNDERSTOOD: Reason = { state: 'invalid', causes: [{ kind: 'invalid' }], waitsFor: 'person' };

/** Returns the tasks that were approved or listed and then changed: they wait for approval again. */
export function findChanged(listed: readonly TaskViewModel[], now: QueueViewModel): readonly TaskId[] {
  const unapproved = now.tasks.filter(({ reason }) => reason.state === 'unapproved');
  const waiting = new Set(unapproved.map(({ task }) => task.definition.id));
  return listed.map(({ task }) => task.definition.id).filter((id) => waiting.has(id));
}

function offersFor(unapproved: number, approved: number, only: TaskId | undefined): StartOffer[] {
  const approving: StartOffer = {
    kind: 'approve-and-start',
    words: only === undefined ? t('Approve and start') : t('Approve and run'),
    detail:
      unapproved === 1
        ? t('1 new or changed task may then run unattended, exactly as listed')
        : t('{0} new or changed tasks may then run unattended, exactly as listed', unapproved),
  };
  if (only !== undefined) {
    return unapproved > 0 ? [approving] : [{ kind: 'start', words: t('Run'), detail: t('unattended, now') }];
  }
  const starting: StartOffer = {
    kind: 'start',
    words: unapproved > 0 ? t('Start without them') : t('Start'),
    detail:
      approved === 1
        ? t('1 approved task will run; what is not approved waits')
        : t('{0} approved tasks will run; what is not approved waits', approved),
  };
  if (unapproved === 0) return [starting];
  return approved === 0 ? [approving] : [approving, starting];
}

/** Description of each default permission mode. */
export const PERMISSION_WORDS: Readonly<Record<PermissionChoice, string>> = {
  ask: t('not chosen yet'),
  auto: MODE_WORDS.auto,
  acceptEdits: MODE_WORDS.acceptEdits,
  manual: MODE_WORDS.manual,
  dontAsk: MODE_WORDS.dontAsk,
  plan: MODE_WORDS.plan,
};

/** Description of each rule for the last window. */
export const WINDOW_RULE_WORDS: Readonly<Record<WindowRule, string>> = {
  finishTask: t('finish the running task, then stop'),
  goOn: t('continue'),
  stopNow: t('stop now, resume later'),
};
