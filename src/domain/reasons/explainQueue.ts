import { findFullHold } from '../queue/pauses';
import { findUsedUpBudget } from '../queue/budget';
import { busyPlace } from '../queue/busyPlace';
import type { Override, World } from './world';
import { findGateObstacle } from './explainGate';
import { findQuietObstacle } from './explainTime';
import { isDefault, isForAll } from '../gate/gate';
import { findUsedUpNight } from '../queue/nightBudget';
import { reasonOf, type Cause, type Obstacle, type Reason } from './reason';
import { findReserveObstacle } from '../order/reserve';
import { findLeftoverObstacle, isLeftover, ownPriority } from '../order/leftoverCapacity';
import { isBroken } from '../task/streak';
import { placeOf } from '../task/place';
import type { Definition } from '../task/task';
import type { Claim, Hold, TaskView } from '../queue/view';

/** Returns the kind of a task: priority or leftover, and model. Tasks of one kind meet the same obstacles. */
export function kindOf({ definition }: TaskView, world: World): string {
  const lane = isLeftover(definition, world.settings) ? 'spare' : definition.priority;
  return `${lane} ${nameModel(definition, world)}`;
}

/**
 * Returns the model of a task as far as the account's gate distinguishes it. A default is that of a directory, also where
 * the row says `default`.
 */
function nameModel({ model = '', workingDir }: Definition, { gate }: World): string {
  if (gate.closures.every(isForAll)) return '';
  return model === '' || isDefault(model) ? `${model} in ${workingDir}` : model;
}

/**
 * Returns what in its queue and account keeps a task from starting at the time of the world, in the order in which it
 * is shown.
 */
export function findQueueObstacles(task: TaskView, world: World, override: Override): readonly Obstacle[] {
  const isNamed = override.time === true;
  const found = [
    findSettingsObstacle(world),
    ...(isNamed
      ? []
      : [
          findQuietObstacle(task, world),
          holdObstacle(task, world),
          failuresObstacle(world),
          findReviewObstacle(world),
        ]),
    isNamed || !isLeftover(task.definition, world.settings) ? null : findLeftoverObstacle(world),
    ...findBudgetObstacles(world),
    findGateObstacle(task, world),
    // The reserve is kept for the user, so it does not stop a task that the user names.
    isNamed ? null : findReserveObstacle(task, world),
  ];
  return found.filter((obstacle) => obstacle !== null);
}

/**
 * Returns what keeps every task from starting until the user acts: a hold on all, or the same failure in a row. Null:
 * nothing.
 */
export function explainFullPause(world: World): Reason | null {
  const obstacle = findPauseObstacle(world);
  return obstacle === null ? null : reasonOf(obstacle);
}

/** Returns the hold on all tasks, or the same failure in a row; null: neither. */
export function findPauseObstacle(world: World): Obstacle | null {
  return obstacleOf(findFullHold(world.queue.holds)) ?? failuresObstacle(world);
}

/** Returns the settings that are not valid; null: all are. */
export function findSettingsObstacle({ wrongSettings = [] }: World): Obstacle | null {
  if (wrongSettings.length === 0) return null;
  return { state: 'waiting', waitsFor: 'person', cause: { kind: 'settings', wrong: wrongSettings } };
}

function holdObstacle({ definition }: TaskView, world: World): Obstacle | null {
  if (world.queue.holds.length === 0) return null;
  const priority = ownPriority(definition, world.settings);
  const onIt = world.queue.holds.find(({ priorities }) => priorities?.includes(priority));
  return obstacleOf(findFullHold(world.queue.holds) ?? onIt ?? null);
}

function obstacleOf(hold: Hold | null): Obstacle | null {
  if (hold === null) return null;
  return { state: 'waiting', waitsFor: 'person', cause: { kind: 'hold', hold } };
}

function failuresObstacle({ queue: { streak }, settings }: World): Obstacle | null {
  if (!isBroken(streak, settings)) return null;
  return { state: 'waiting', waitsFor: 'person', cause: { kind: 'failures', streak } };
}

/** Returns the limit of unreviewed tasks, if it is reached; null: it is not. It holds tasks of every priority. */
export function findReviewObstacle({ queue, settings }: World): Obstacle | null {
  const { maxUnreviewed: max } = settings;
  const { unreviewed } = queue;
  if (max === 0 || unreviewed < max) return null;
  return { state: 'waiting', waitsFor: 'person', cause: { kind: 'unreviewed', unreviewed, running: 0, max } };
}

/** Returns the queue's own budgets that are used up: of attempts, and of the night. */
export function findBudgetObstacles(world: World): readonly (Obstacle | null)[] {
  return [attemptsObstacle(world), nightObstacle(world)];
}

function nightObstacle(world: World): Obstacle | null {
  const { queue, now, settings, timeZone } = world;
  const used = findUsedUpNight(queue.costs, now, settings, timeZone);
  if (used === null) return null;
  const { usd: usedUsd, until } = used;
  return { ...BUDGET, until, cause: { kind: 'night', budgetUsd: settings.nightBudget, usedUsd, until } };
}

function attemptsObstacle(world: World): Obstacle | null {
  const used = findUsedUpBudget(world.queue.starts, world.now, world.settings);
  if (used === null) return null;
  return { ...BUDGET, until: used.until, cause: { kind: 'attempts', ...used } };
}

const BUDGET = { state: 'waiting', waitsFor: 'machine', atLimit: true } as const;

/**
 * Returns the attempts that leave no room for the task: all slots are busy, their work could reach the limit of unreviewed
 * tasks, or one runs in its place. Null: there is room.
 */
export function explainPlace(task: TaskView, world: World, override: Override = {}): Reason | null {
  const { claims } = world.queue;
  if (claims.length === 0) return null;
  if (isFull(world)) return explainSlots(task, world);
  const reviews = override.time === true ? null : explainReviews(world);
  if (reviews !== null) return reviews;
  const inTheWay = busyFolders(world).get(placeOf(task.definition).folder);
  if (inTheWay === undefined) return null;
  const cause = findMadeWay(task, world) ?? ({ kind: 'directory', claim: inTheWay } as const);
  return { state: 'waiting', causes: [cause], waitsFor: 'machine' };
}

function explainSlots(task: TaskView, world: World): Reason {
  const cause = findMadeWay(task, world) ?? slotsCause(world);
  return { state: 'waiting', causes: [cause], waitsFor: 'machine', slotsBusy: true };
}

/** Returns the running task that this one was stopped for; null: none. */
function findMadeWay({ state: { lastNote } }: TaskView, { queue }: World): Cause | null {
  if (lastNote?.kind !== 'made-way') return null;
  const claim = queue.claims.find(({ id }) => id === lastNote.for);
  return claim === undefined ? null : { kind: 'made-way', claim };
}

function slotsCause({ queue: { claims }, settings: { maxRunning } }: World): Cause {
  const held = claims.filter(isOfWorker);
  const [only] = held;
  if (only !== undefined && maxRunning === 1) return { kind: 'busy', claim: only };
  // The task of a dead worker keeps its slot until another worker returns it to the queue.
  const lost = held.filter(({ ownerDied }) => ownerDied === true).length;
  const counts = { running: held.length - lost, max: maxRunning };
  return { kind: 'slots', ...counts, ...(lost === 0 ? {} : { lost }) };
}

/** Returns the attempts that could reach the limit of unreviewed tasks when they end; null: they cannot. */
function explainReviews({ queue: { claims, unreviewed }, settings }: World): Reason | null {
  const { maxUnreviewed: max } = settings;
  if (max === 0) return null;
  const running = claims.filter(isOfWorker).length;
  if (running === 0 || unreviewed + running < max) return null;
  const cause: Cause = { kind: 'unreviewed', unreviewed, running, max };
  return { state: 'waiting', causes: [cause], waitsFor: 'machine', slotsBusy: true };
}

function isOfWorker({ owner }: Claim): boolean {
  return owner.kind === 'process';
}

/** Whether as many tasks run as `maxRunning` allows. */
export function isFull({ queue, settings }: World): boolean {
  const { claims } = queue;
  return claims.length >= settings.maxRunning && claims.filter(isOfWorker).length >= settings.maxRunning;
}

/** Cache: the folders in which Claude Code works, with the first claim for each. */
const foundBusy = new WeakMap<World, ReadonlyMap<string, Claim>>();

function busyFolders(world: World): ReadonlyMap<string, Claim> {
  const known = foundBusy.get(world);
  if (known !== undefined) return known;
  const busy = new Map<string, Claim>();
  const { byId, machine } = world;
  for (const claim of world.queue.claims) {
    const row = byId.get(claim.id)?.definition;
    const place = busyPlace(claim, row, machine ?? claim.owner.machine);
    if (place !== undefined && !busy.has(place.folder)) busy.set(place.folder, claim);
  }
  foundBusy.set(world, busy);
  return busy;
}
