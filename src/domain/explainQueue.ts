import { findUsedUpBudget } from './budget';
import { describeClaim } from './claimWords';
import type { Override, Reason, World } from './explain';
import { explainQuiet, notBefore } from './explainTime';
import { closureFor, opensAt, type Closure } from './limits';
import { tellTime, type Moment } from './moment';
import { isBroken } from './streak';
import type { Claim, FailureStreak, Hold, TaskView } from './view';

/** What was found out about tasks of one priority and model, where many tasks of one world are asked about. */
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
  const { priority, model = '' } = task.definition;
  const kind = `${priority} ${model}`;
  let reason = found.get(kind);
  if (reason === undefined) {
    reason = explainKind(task, world, override);
    found.set(kind, reason);
  }
  return reason;
}

/** What is the same for all tasks of one priority and model. */
function explainKind(task: TaskView, world: World, override: Override): Reason | null {
  return (
    (override.time === true ? null : explainPause(task, world)) ??
    explainBudget(world) ??
    explainGate(task, world)
  );
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
  const closures = gate.closures.filter(({ model }) => model === undefined);
  return isFull(world) || closureFor({ ...gate, closures }, undefined, now, settings.openAfterReset) !== null;
}

function explainPause(task: TaskView, world: World): Reason | null {
  return explainQuiet(task, world) ?? explainHold(task, world) ?? explainBreaker(world);
}

function explainHold({ definition }: TaskView, world: World): Reason | null {
  if (world.queue.holds.length === 0) return null;
  const onIt = world.queue.holds.find(({ priorities }) => priorities?.includes(definition.priority));
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
  return `the same failure ${String(ids.length)} times in a row (${which}), the last: ${failure}; mend it, then "resume"`;
}

function explainBudget(world: World): Reason | null {
  const used = findUsedUpBudget(world.queue.starts, world.now, world.settings);
  if (used === null) return null;
  const text = `at most ${String(used.limit)} ${used.per === 'hour' ? 'an hour' : 'a day'}, next at`;
  return { ...notBefore('waiting', 'machine', text, used.until, world), atLimit: true };
}

const CLOSED_WORDS: Record<Closure['kind'], string> = {
  five_hour: '5-hour window used up',
  seven_day: 'weekly window used up',
  seven_day_opus: 'weekly Opus window used up',
  seven_day_sonnet: 'weekly Sonnet window used up',
  seven_day_overage_included: 'weekly model window used up',
  overage: 'usage credits used up',
  unknown: 'usage limit reached',
  'sign-in': 'Claude Code is not signed in',
  billing: 'the account has a billing problem',
  'spend-limit': 'the account has reached its spend limit',
};

/** A closed gate in a person's words. */
export function describeClosure(closure: Closure, moment: Moment): string {
  const words = CLOSED_WORDS[closure.kind];
  if (closure.until === null) return `${words}: mend it, then resume the queue`;
  return `${words}, resets ${tellTime(closure.until, moment)}`;
}

function explainGate({ definition: { model } }: TaskView, world: World): Reason | null {
  const { openAfterReset } = world.settings;
  const closure = closureFor(world.gate, model, world.now, openAfterReset);
  if (closure === null) return null;
  const text = describeClosure(closure, world);
  const until = opensAt(closure, openAfterReset);
  if (until === null) return { shown: 'waiting', text, waitsFor: 'person', atLimit: true };
  return { shown: 'waiting', text, waitsFor: 'machine', until, atLimit: true };
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
