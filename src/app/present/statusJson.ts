import { describeWhy } from './pause';
import { describeLastMessage, describeMessage } from './reasons/endNote';
import { describeRowProblem } from './problems/rowProblem';
import { accountNoticesAsJson } from '../notify/accountNotices';
import { accountGateAsJson, gatesAsJson } from './gate';
import { isoOrNull } from './text';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import type { Status } from '../viewModel/status';
import { countServices } from './service';
import { settingsAsJson } from '../context/settingPlaces';
import { skippedTimesAsJson } from '../viewModel/taskSkips';
import { usageAsJson } from './usageWindows';
import type { Where } from '../../domain/problem';
import { missingRepository } from '../../domain/task/repository';
import { placeOf } from '../../domain/task/place';
import type { Definition } from '../../domain/task/task';
import type { MissingWorker, Timer } from '../../domain/queue/missingWorker';
import { findFullHold } from '../../domain/queue/pauses';
import {
  isSameWorker,
  isUnreviewed,
  openQuestion,
  type FailureStreak,
  type TaskView,
} from '../../domain/queue/view';
import type { Snapshot } from '../../queue/taskQueue';

/** JSON of the status: the contract of `status --json`. Fields are added; none is removed or changes its meaning. */
export function statusAsJson(
  { viewModel, rates, users, skipped, settings, unwritable, claude, starts }: Status,
  queueFile: string,
  fits: (shown: TaskViewModel) => boolean,
): object {
  const { snapshot, world, tasks, next } = viewModel;
  const held = findFullHold(snapshot.holds);
  return {
    gate: accountGateAsJson(world),
    gates: gatesAsJson(world),
    account: accountNoticesAsJson(viewModel.account),
    hold: held === null ? null : describeWhy(held, world),
    holds: snapshot.holds.map((one) => ({
      by: one.by,
      why: describeWhy(one, world),
      since: isoOrNull(one.at),
      priorities: one.priorities ?? null,
    })),
    failures: streakAsJson(snapshot.streak),
    unreviewed: { tasks: snapshot.unreviewed, max: world.settings.maxUnreviewed || null },
    usage: usageAsJson(world),
    claude: claude.json,
    service: countServices(tasks),
    timer: timerAsJson(snapshot.timer),
    waitingCallbacks: snapshot.callbacks.length,
    silence: viewModel.missingWorkers.found.map(missingWorkerAsJson),
    rates,
    users: users.map(({ user, queued, rate }) => ({
      user: user || null,
      queued: queued.tasks,
      longestWaitMs: queued.longestWaitMs,
      ...rate,
    })),
    skipped: skippedTimesAsJson(skipped, world),
    next,
    workers: workersAsJson(snapshot),
    tasks: tasks.filter(fits).map((shown) => ({
      ...taskAsJson(shown),
      expectedStart: isoOrNull(starts.get(shown.task.definition.id) ?? null),
    })),
    problems: [
      ...rowProblemsAsJson(snapshot, queueFile),
      ...settingsAsJson(settings),
      ...unwritable.map(({ where, message }) => ({ file: where, line: null, column: null, message })),
    ],
  };
}

/** JSON of the problems of rows, as in `status --json`. */
export function rowProblemsAsJson({ problems }: Snapshot, queueFile: string): object[] {
  return problems.map((one) => ({
    file: queueFile,
    ...placeAsJson(one.where),
    message: describeRowProblem(one),
  }));
}

function placeAsJson(where: Where): object {
  if (where.kind === 'file') return { line: where.line, column: where.column };
  return { line: null, column: null, row: where.row, field: where.field };
}

function timerAsJson(timer: Timer | null): object | null {
  if (timer === null) return null;
  const { by, crons, since, startedAt } = timer;
  return { by, crons, since: isoOrNull(since), startedAt: isoOrNull(startedAt) };
}

function missingWorkerAsJson(missing: MissingWorker): object {
  return missing.kind === 'no-worker'
    ? { kind: missing.kind, ids: missing.ids, others: missing.others === true }
    : { kind: missing.kind, by: missing.timer.by, expectedAt: isoOrNull(missing.expectedAt) };
}

function streakAsJson(streak: FailureStreak | null): object | null {
  if (streak === null) return null;
  const { outcome, reason, ids } = streak;
  return { outcome, reason, message: describeMessage(streak), ids };
}

/** JSON of one task in `status --json`. */
export function taskAsJson({ task, reason, effectivePriority, service }: TaskViewModel): object {
  const { definition, state, claim } = task;
  return {
    id: definition.id,
    shown: reason.state,
    reason: reason.text,
    priority: definition.priority,
    effectivePriority,
    ...ownerAsJson(task),
    retryCount: state.retryCount,
    maxRetries: definition.maxRetries,
    notBefore: isoOrNull(reason.until ?? null),
    lastOutcome: state.lastOutcome,
    lastMessage: describeLastMessage(state),
    unconfirmed: state.unconfirmed === true,
    unreviewed: isUnreviewed(task),
    question: (claim === undefined ? openQuestion(state)?.text : undefined) ?? null,
    user: definition.user ?? null,
    tags: definition.tags ?? [],
    deadline: isoOrNull(definition.deadline ?? null),
    service:
      service === null
        ? null
        : { by: isoOrNull(service.by), standing: service.standing, explicit: service.explicit },
    prompt: definition.prompt,
  };
}

function ownerAsJson({ state, claim }: TaskView): object {
  if (claim === undefined) return { status: state.status, session: state.session, machine: null };
  return { status: 'running', session: claim.session, machine: claim.owner.machine };
}

/** JSON of the other cells of a task's row, for `show --json`. */
export function definitionAsJson(definition: Definition): object {
  const { workingDir, dependencies, repeat } = definition;
  return {
    workingDir,
    folder: missingRepository(definition) === null ? placeOf(definition).folder : null,
    dependencies,
    repeatInterval: repeat?.text ?? null,
    ...Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, definition[field] ?? null])),
  };
}

/** Fields of a row that most rows do not have, in the order of the JSON. */
const OPTIONAL_FIELDS = [
  'timeoutMs',
  'model',
  'permissionMode',
  'allowedTools',
  'maxTurns',
  'maxBudgetUsd',
  'verify',
  'verifyBefore',
  'promptFile',
  'appendSystemPrompt',
  'callbackUrl',
  'requestId',
  'metadata',
  'unlessUnchanged',
] as const satisfies readonly (keyof Definition)[];

/** JSON of the running workers, with the tasks that each is running. */
function workersAsJson({ workers, claims }: Snapshot): object[] {
  return workers.map(({ owner: worker, since, keepsAwake }) => ({
    worker: worker.worker,
    since: isoOrNull(since),
    keepsAwake: keepsAwake === true,
    running: claims
      .filter(({ owner }) => owner.kind === 'process' && isSameWorker(owner, worker))
      .map(({ id }) => id),
  }));
}
