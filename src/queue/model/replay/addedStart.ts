import type { Choice } from '../../../domain/order/choice';
import { lookAhead } from '../../../domain/order/lookAhead';
import { choose } from '../../../domain/order/order';
import { isSameWorker, type ProcessOwner, type RegisteredWorker } from '../../../domain/queue/view';
import { explain } from '../../../domain/reasons/explain';
import type { DecidingSettings } from '../../../domain/reasons/recordedInputs';
import type { TaskId } from '../../../domain/task/task';
import type { EpochMs } from '../../../domain/time/epoch';
import type { AddedStart, Span } from '../../pastReader';
import { stopFor } from '../../../domain/queue/workerStop';
import { factsOf, nameAsker } from '../state/inputsState';
import type { PastQueue } from './pastQueue';

/**
 * Returns the first start that changed settings add in a time without events; null: none. Slots that a worker adds as
 * needed are not filled.
 */
export function findAddedStart(
  queue: PastQueue,
  changed: Partial<DecidingSettings>,
  span: Span,
): AddedStart | null {
  if (span.from >= span.to) return null;
  const starts = freeWorkers(queue).flatMap((worker) => findStartOf(worker, queue, changed, span) ?? []);
  return starts.sort((a, b) => a.at - b.at)[0] ?? null;
}

/** Returns the workers that have asked for a task and run fewer than their least number of slots. */
function freeWorkers(queue: PastQueue): ProcessOwner[] {
  const claims = [...queue.state.claims.values()];
  const runningOf = (worker: ProcessOwner): number =>
    claims.filter(({ owner }) => owner.kind === 'process' && isSameWorker(owner, worker)).length;
  return askingWorkers(queue)
    .filter(({ owner, slots }) => runningOf(owner) < (slots?.min ?? 1))
    .map(({ owner }) => owner);
}

/** Returns the workers that have asked for a task. Those that were asked to stop start nothing. */
export function askingWorkers({ state }: PastQueue): RegisteredWorker[] {
  return state.workers.filter(
    ({ owner, since }) =>
      stopFor(state, owner, since) === undefined && state.askers.has(nameAsker(owner) ?? ''),
  );
}

function findStartOf(
  worker: ProcessOwner,
  queue: PastQueue,
  changed: Partial<DecidingSettings>,
  span: Span,
): AddedStart | null {
  const start = findFirstStart(worker, queue, span, changed);
  return start === null ? null : whyNotRecorded(start.task, start.at, worker, queue);
}

/** Returns the first start of a worker in a time without events, with `changed` settings. */
export function findFirstStart(
  worker: ProcessOwner,
  queue: PastQueue,
  { from, to }: Span,
  changed?: Partial<DecidingSettings>,
): Pick<AddedStart, 'at' | 'task'> | null {
  const choice = choiceOf(worker, queue);
  for (let at: EpochMs | null = from; at !== null && at < to;) {
    const world = queue.world(at, worker, changed);
    if (world === null) return null;
    const task = choose(world, choice, world.waiting);
    if (task !== null) return { at, task: task.definition.id };
    const { askAgainAt } = lookAhead(world, choice);
    at = askAgainAt !== null && askAgainAt > at ? askAgainAt : null;
  }
  return null;
}

/** Returns a start with the reason why the task waited; null: by the recorded settings a task starts then too. */
function whyNotRecorded(
  task: TaskId,
  at: EpochMs,
  worker: ProcessOwner,
  queue: PastQueue,
): AddedStart | null {
  const choice = choiceOf(worker, queue);
  const world = queue.world(at, worker);
  if (world === null || choose(world, choice, world.waiting) !== null) return null;
  const waited = world.byId.get(task);
  return waited === undefined ? null : { at, task, why: explain(waited, world, choice.override) };
}

/** Returns which tasks a worker asks for; all, in records of older programs. */
function choiceOf(worker: ProcessOwner, { state }: PastQueue): Choice {
  return factsOf(state, nameAsker(worker)).choice ?? {};
}
