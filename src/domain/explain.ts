import { findUsedUpBudget } from './budget';
import { findUnmet, isDead } from './dependencies';
import type { Closure, GateView } from './limits';
import { closureFor, opensAt } from './limits';
import { formatMinute } from './localTime';
import type { Settings } from './settings';
import type { EpochMs } from './epoch';
import type { TaskId } from './task';
import type { Claim, Owner, QueueView, TaskView } from './view';

/** The words under which people see tasks. */
export const SHOWN = [
  'invalid',
  'unapproved',
  'ready',
  'scheduled',
  'blocked',
  'stuck',
  'retrying',
  'waiting',
  'running',
  'review',
  'completed',
  'cancelled',
  'dead',
] as const;
export type Shown = (typeof SHOWN)[number];

/** What a task waits for: `machine` passes by itself soon, `schedule` at its owner's time, `person` never by itself. */
export type WaitsFor = 'machine' | 'schedule' | 'task' | 'person' | 'nothing';

/** Why a task is not running now. */
export interface Reason {
  readonly shown: Shown;
  /** Fit for a person; empty where the shown word says it all. */
  readonly text: string;
  readonly waitsFor: WaitsFor;
  /** When that changes by itself, where it is known. */
  readonly until?: EpochMs;
  /** Set where only the account's limits or the queue's budget keep it from running. */
  readonly atLimit?: true;
}

/** Which rows may run unattended on this machine: all of the file, or those with these powers. */
export interface ProofCheck {
  readonly trusted: boolean;
  readonly powers: ReadonlySet<string>;
}

/** When and where times are told. */
export interface Moment {
  readonly now: EpochMs;
  /** IANA name of the zone. */
  readonly timeZone: string;
}

/** Everything a reason depends on. */
export interface World extends Moment {
  readonly queue: QueueView;
  readonly byId: ReadonlyMap<TaskId, TaskView>;
  readonly gate: GateView;
  readonly proofs: ProofCheck;
  readonly settings: Settings;
}

/** The world of one queue at one moment. */
export function createWorld(parts: Omit<World, 'byId'>): World {
  return { ...parts, byId: new Map(parts.queue.tasks.map((task) => [task.definition.id, task])) };
}

/** What may be passed over for a task that a person names: its time, or also what only guards unattended runs. */
export interface Override {
  readonly time?: boolean;
  readonly unattendedRules?: boolean;
}

const READY: Reason = { shown: 'ready', text: '', waitsFor: 'nothing' };

/** Why this task is not running now; `ready` when nothing is in its way. The same rules choose what runs. */
export function explain(task: TaskView, world: World, override: Override = {}): Reason {
  return (
    explainStatus(task) ??
    (override.unattendedRules === true ? null : explainApproval(task, world)) ??
    explainDependencies(task, world) ??
    (override.time === true ? null : explainTime(task, world)) ??
    explainQueue(task, world, override) ??
    READY
  );
}

function explainStatus({ definition, state, claim }: TaskView): Reason | null {
  if (claim !== undefined) return explainClaim(claim);
  const text = state.lastMessage ?? '';
  switch (state.status) {
    case 'review':
      return { shown: 'review', text, waitsFor: 'person' };
    case 'completed':
      return { shown: 'completed', text: '', waitsFor: 'nothing' };
    case 'cancelled':
      return { shown: 'cancelled', text: '', waitsFor: 'nothing' };
    case 'failed':
      return { shown: 'dead', text, waitsFor: 'person' };
    case 'running':
    case 'pending':
      return isDead(definition, { ...state, status: 'pending' })
        ? {
            shown: 'dead',
            text: `retries used up (${String(state.retryCount)} of ${String(definition.maxRetries)})`,
            waitsFor: 'person',
          }
        : null;
  }
}

function explainClaim({ owner, ownerDied }: Claim): Reason {
  const who = describeOwner(owner);
  if (ownerDied !== true) return { shown: 'running', text: who, waitsFor: 'machine' };
  const text = `${who} died during its run; the next worker ends what is left of it, and goes on`;
  return { shown: 'waiting', text, waitsFor: 'machine' };
}

function describeOwner(owner: Owner): string {
  return owner.kind === 'person' ? 'you' : `worker ${owner.worker}`;
}

/** Who does which task. */
export function describeClaim({ id, owner, ownerDied }: Claim): string {
  if (owner.kind === 'person') return `you have task ${String(id)}`;
  return ownerDied === true
    ? `${describeOwner(owner)} died while it ran ${String(id)}; the next worker sees to that first`
    : `${describeOwner(owner)} is running ${String(id)}`;
}

function explainApproval({ state }: TaskView, { proofs }: World): Reason | null {
  if (proofs.trusted) return null;
  if (state.reopened) {
    return {
      shown: 'unapproved',
      text: 'was finished and is pending again by an edit of the file',
      waitsFor: 'person',
    };
  }
  if (proofs.powers.has(state.power)) return null;
  return { shown: 'unapproved', text: 'nobody has approved it on this machine', waitsFor: 'person' };
}

function explainDependencies(task: TaskView, world: World): Reason | null {
  const unmet = findUnmet(task, world.byId, world.queue.invalidIds);
  if (unmet === null) return null;
  const text = `waits for ${String(unmet.id)} (${unmet.why})`;
  return unmet.stuck
    ? { shown: 'stuck', text, waitsFor: 'person' }
    : { shown: 'blocked', text, waitsFor: 'task' };
}

function explainTime({ state }: TaskView, world: World): Reason | null {
  const { now } = world;
  if (state.ownerScheduledAt !== null && state.ownerScheduledAt > now) {
    return notBefore('scheduled', 'schedule', 'not before', state.ownerScheduledAt, world);
  }
  if (state.dueAt === null || state.dueAt <= now) return null;
  switch (state.dueCause) {
    case 'repeat':
      return notBefore('scheduled', 'schedule', 'next time', state.dueAt, world);
    case 'limit':
      return { ...notBefore('waiting', 'machine', 'usage limit, resets', state.dueAt, world), atLimit: true };
    case 'retry':
    case null:
      return notBefore('retrying', 'machine', 'next try', state.dueAt, world);
  }
}

function notBefore(shown: Shown, waitsFor: WaitsFor, words: string, until: EpochMs, world: Moment): Reason {
  return { shown, text: `${words} ${tellTime(until, world)}`, waitsFor, until };
}

/**
 * A time before which nothing happens, as people are told it: the time of day alone where that is today, else the
 * date too. The minute is the one that has come by then.
 */
export function tellTime(at: EpochMs, { now, timeZone }: Moment): string {
  const minute = formatMinute(Math.ceil(at / MINUTE_MS) * MINUTE_MS, timeZone);
  const [date, timeOfDay] = [minute.slice(0, DATE_LENGTH), minute.slice(DATE_LENGTH)];
  return formatMinute(now, timeZone).startsWith(date) ? timeOfDay : minute;
}

const MINUTE_MS = 60_000;
const DATE_LENGTH = 'YYYY-MM-DD '.length;

function explainQueue(task: TaskView, world: World, override: Override): Reason | null {
  // A person who takes a task decides about the rest too.
  if (override.unattendedRules === true) return null;
  const { queue, now, settings } = world;
  if (queue.held !== null && override.time !== true) {
    return { shown: 'waiting', text: `the queue is held (${queue.held})`, waitsFor: 'person' };
  }
  const used = findUsedUpBudget(queue.starts, now, settings);
  if (used !== null) {
    const text = `at most ${String(used.limit)} attempts ${used.per === 'hour' ? 'an hour' : 'a day'}, next at`;
    return { ...notBefore('waiting', 'machine', text, used.until, world), atLimit: true };
  }
  const closure = closureFor(world.gate, task.definition.model, now, settings.openAfterReset);
  return closure === null ? explainPlace(task, queue.claims, world) : explainClosure(closure, world);
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

function explainClosure(closure: Closure, world: World): Reason {
  const text = describeClosure(closure, world);
  const until = opensAt(closure, world.settings.openAfterReset);
  if (until === null) return { shown: 'waiting', text, waitsFor: 'person', atLimit: true };
  return { shown: 'waiting', text, waitsFor: 'machine', until, atLimit: true };
}

function explainPlace(task: TaskView, claims: readonly Claim[], world: World): Reason | null {
  const working = claims.filter((claim) => claim.owner.kind === 'process');
  const isFull = working.length >= world.settings.maxRunning;
  const inTheWay = isFull ? working[0] : claims.find((claim) => worksWhere(claim, task, world));
  if (inTheWay === undefined) return null;
  const where = isFull ? '' : ' in the same directory';
  return { shown: 'waiting', text: `${describeClaim(inTheWay)}${where}`, waitsFor: 'machine' };
}

/**
 * Whether Claude Code works in the task's directory for this claim: for a worker, or in a person's terminal. What a
 * person has without a run is in nobody's way: they may have done nothing yet.
 */
function worksWhere({ id, owner, run }: Claim, task: TaskView, { byId }: World): boolean {
  if (owner.kind === 'person' && run === undefined) return false;
  return byId.get(id)?.definition.workingDir === task.definition.workingDir;
}
