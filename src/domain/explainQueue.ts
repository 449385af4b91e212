import { findUsedUpBudget } from './budget';
import { describeClaim } from './claimWords';
import type { Override, Reason, World } from './explain';
import { explainGate } from './explainGate';
import { explainQuiet, notBefore } from './explainTime';
import { barrierForAll } from './gateOpening';
import { isDefault } from './limits';
import { findUsedUpNight } from './nightBudget';
import { explainFullReserve, explainReserve } from './reserve';
import { explainSpare, isSpare, ownPriority } from './spareLane';
import { isBroken } from './streak';
import type { Definition } from './task';
import { formatUsd } from './usd';
import type { Claim, FailureStreak, Hold, TaskView } from './view';

/** What was found out about tasks of one kind (priority or spare lane, and model), where many tasks of one world are asked about. */
export type FoundByKind = Map<string, Reason | null>;

/** What of its queue, account and machine keeps a task from being begun that could be begun by itself. */
export function explainQueue(
  task: TaskView,
  world: World,
  override: Override,
  found?: FoundByKind,
): Reason | null {
  // A person who takes a task decides about the rest too.
  if (override.unattendedRules === true) return null;
  const reason =
    found === undefined ? explainKind(task, world, override) : recall(task, world, override, found);
  return reason ?? explainPlace(task, world);
}

function recall(task: TaskView, world: World, override: Override, found: FoundByKind): Reason | null {
  const { definition } = task;
  const lane = isSpare(definition, world.settings) ? 'spare' : definition.priority;
  const kind = `${lane} ${tellModel(definition, world)}`;
  let reason = found.get(kind);
  if (reason === undefined) {
    reason = explainKind(task, world, override);
    found.set(kind, reason);
  }
  return reason;
}

/** Which model a task is on, as far as the account's gate asks: the default is that of a directory. */
function tellModel({ model = '', workingDir }: Definition, { gate }: World): string {
  if (model !== '' && !isDefault(model)) return model;
  return gate.closures.some((closure) => closure.model !== undefined) ? `default in ${workingDir}` : '';
}

/** What is the same for all tasks of one kind. */
function explainKind(task: TaskView, world: World, override: Override): Reason | null {
  const isNamed = override.time === true;
  return (
    (isNamed ? null : (explainPause(task, world) ?? explainSpareLane(task, world))) ??
    explainBudget(world) ??
    explainGate(task, world) ??
    // What is kept of a window is kept for people, also for one who names a task.
    (isNamed ? null : explainReserve(task, world))
  );
}

function explainSpareLane({ definition }: TaskView, world: World): Reason | null {
  return isSpare(definition, world.settings) ? explainSpare(world) : null;
}

/** What keeps every task from being begun until a person acts: a hold on all, or the same failure in a row. */
export function explainFullPause(world: World): Reason | null {
  return describeHold(findFullHold(world)) ?? explainBreaker(world);
}

function findFullHold({ queue }: World): Hold | undefined {
  return queue.holds.find(({ priorities }) => priorities === undefined);
}

/** Whether no task can be begun, whichever it is, also because all that may run do, or the gate is closed for all. */
export function isStandingStill(world: World, override: Override): boolean {
  if (override.unattendedRules === true) return false;
  const paused = override.time === true ? null : explainFullPause(world);
  if (paused !== null || explainBudget(world) !== null) return true;
  const { gate, settings, now } = world;
  if (isFull(world) || barrierForAll(gate, now, settings) !== null) return true;
  return override.time !== true && explainFullReserve(world) !== null;
}

function explainPause(task: TaskView, world: World): Reason | null {
  return explainQuiet(task, world) ?? explainHold(task, world) ?? explainBreaker(world);
}

function explainHold({ definition }: TaskView, world: World): Reason | null {
  if (world.queue.holds.length === 0) return null;
  const priority = ownPriority(definition, world.settings);
  const onIt = world.queue.holds.find(({ priorities }) => priorities?.includes(priority));
  return describeHold(findFullHold(world) ?? onIt);
}

function describeHold(hold: Hold | undefined): Reason | null {
  if (hold === undefined) return null;
  const { why, priorities } = hold;
  const what = priorities === undefined ? 'the queue is held' : `${priorities.join(', ')} tasks are held`;
  return { shown: 'waiting', text: `${what} (${why})`, waitsFor: 'person' };
}

function explainBreaker({ queue: { streak }, settings }: World): Reason | null {
  if (!isBroken(streak, settings)) return null;
  return { shown: 'waiting', text: describeStreak(streak), waitsFor: 'person' };
}

/** As many tasks as are named in one sentence. */
const MOST_NAMED = 5;

function describeStreak({ ids, message }: FailureStreak): string {
  const more = ids.length > MOST_NAMED ? ` and ${String(ids.length - MOST_NAMED)} more` : '';
  const which = `${ids.slice(0, MOST_NAMED).join(', ')}${more}`;
  const failure = message.replace(/[.\s]+$/, '');
  return `the same failure of ${String(ids.length)} tasks in a row (${which}), the last: ${failure}; mend it, then "resume"`;
}

function explainBudget(world: World): Reason | null {
  return explainAttempts(world) ?? explainNight(world);
}

function explainNight(world: World): Reason | null {
  const { queue, now, settings, timeZone } = world;
  const used = findUsedUpNight(queue.costs, now, settings, timeZone);
  if (used === null) return null;
  const text = `the night's budget of ${formatUsd(settings.nightBudget)} is used up (${formatUsd(used.usd)}), next at`;
  return { ...notBefore('waiting', 'machine', text, used.until, world), atLimit: true };
}

function explainAttempts(world: World): Reason | null {
  const used = findUsedUpBudget(world.queue.starts, world.now, world.settings);
  if (used === null) return null;
  const text = `at most ${String(used.limit)} ${used.per === 'hour' ? 'an hour' : 'a day'}, next at`;
  return { ...notBefore('waiting', 'machine', text, used.until, world), atLimit: true };
}

function explainPlace(task: TaskView, world: World): Reason | null {
  const { claims } = world.queue;
  if (claims.length === 0) return null;
  const isEverywhere = isFull(world);
  const inTheWay = isEverywhere
    ? claims.find(isWorkers)
    : claims.find((claim) => worksWhere(claim, task, world));
  if (inTheWay === undefined) return null;
  const where = isEverywhere ? '' : ' in the same directory';
  return { shown: 'waiting', text: `${describeClaim(inTheWay)}${where}`, waitsFor: 'machine' };
}

function isWorkers({ owner }: Claim): boolean {
  return owner.kind === 'process';
}

/** Whether as many tasks run as may. */
function isFull({ queue, settings }: World): boolean {
  const { claims } = queue;
  return claims.length >= settings.maxRunning && claims.filter(isWorkers).length >= settings.maxRunning;
}

/**
 * Whether Claude Code works in the task's directory for this claim: for a worker, or in a person's terminal. What a
 * person has without a run is in nobody's way: they may have done nothing yet.
 */
function worksWhere({ id, owner, run, workingDir }: Claim, task: TaskView, { byId }: World): boolean {
  if (owner.kind === 'person' && run === undefined) return false;
  return (workingDir ?? byId.get(id)?.definition.workingDir) === task.definition.workingDir;
}
