import { isMet } from '../../../domain/task/dependencies';
import { needsUser, passesByItself, type BlockKind, type PassingKind } from '../../../domain/gate/limits';
import type { Cause, GateFacts } from '../../../domain/reasons/reason';
import type { World } from '../../../domain/reasons/world';
import type { TaskView } from '../../../domain/queue/view';
import { formatDuration } from '../../../domain/time/duration';
import type { TaskViewModel } from '../../viewModel/queueViewModel';
import { formatOrdinal, formatShortTime } from './amounts';

/** Describes the state of a task in at most some 14 characters: why it does not run, or for how long it has run. */
export function describeShortly(shown: TaskViewModel, world: World): string {
  const { task, reason, place } = shown;
  if (place !== null && !reason.causes.some(saysMore)) return describePlace(shown, place, world);
  switch (reason.shown) {
    case 'running':
      return describeAge(task, world.now);
    case 'review':
      return nameReview(task);
    case 'dead':
      return 'failed';
    case 'unapproved':
      return task.state.reopened ? 'reopened' : 'not approved';
    case 'completed':
      return task.state.unconfirmed === true ? 'not confirmed' : 'done';
    case 'ready':
    case 'invalid':
    case 'cancelled':
      return reason.shown;
    case 'scheduled':
    case 'blocked':
    case 'stuck':
    case 'retrying':
    case 'waiting': {
      const [cause] = reason.causes;
      return cause === undefined ? reason.shown : describeCause(cause, task, world);
    }
  }
}

/** Whether the cause says more than the place: which pool has the task, or who keeps the slot without a living worker. */
function saysMore(cause: Cause): boolean {
  if (cause.kind === 'busy') return cause.claim.owner.kind === 'person' || cause.claim.ownerDied === true;
  return cause.kind === 'place-in-line';
}

function describePlace({ task, service }: TaskViewModel, place: number, world: World): string {
  const ordinal = formatOrdinal(place);
  if (service?.standing === 'violated') return `${ordinal}, late`;
  if (service?.standing === 'at-risk')
    return service.explicit ? `${ordinal}, due ${formatShortTime(service.by, world)}` : `${ordinal}, at risk`;
  return task.state.resume === null ? ordinal : `${ordinal}, resumes`;
}

const MINUTE_MS = 60_000;

/** Describes for how long a task has run: in seconds, and from one minute in minutes. */
function describeAge({ claim }: TaskView, now: number): string {
  if (claim === undefined) return 'running';
  // The clocks of two machines differ.
  const ms = Math.max(now - claim.at, 0);
  const unit = ms < MINUTE_MS ? 1_000 : MINUTE_MS;
  const age = formatDuration(Math.floor(ms / unit) * unit);
  return claim.owner.kind === 'person' ? `you, ${age}` : age;
}

function nameReview({ state }: TaskView): string {
  if (state.question !== undefined) return 'question';
  return state.refused === true ? 'refused' : 'review';
}

function describeCause(cause: Cause, task: TaskView, world: World): string {
  switch (cause.kind) {
    case 'dependency':
      return cause.unmet.stuck
        ? `${String(cause.unmet.id)} ${cause.unmet.why === 'dead' ? 'failed' : cause.unmet.why}`
        : describeUnmet(task, world);
    case 'time':
      return `${cause.of === 'retry' ? 'retry ' : ''}${formatShortTime(cause.until, world)}`;
    case 'limit':
      return `resets ${formatShortTime(cause.until, world)}`;
    case 'quiet':
      return cause.until === null ? 'quiet hours' : `quiet to ${formatShortTime(cause.until, world)}`;
    case 'attempts':
    case 'night':
      return `budget ${formatShortTime(cause.until, world)}`;
    case 'gate':
      return describeGate(cause.gate, world);
    case 'place-in-line':
      return `${formatOrdinal(cause.place)}, ${cause.pool}`;
    case 'directory':
      return `after ${String(cause.claim.id)}`;
    case 'claimed':
      return 'worker died';
    case 'busy':
      return cause.claim.ownerDied === true ? 'worker died' : `after ${String(cause.claim.id)}`;
    default:
      return NAMES[cause.kind];
  }
}

/** Names of the causes that need no facts. */
const NAMES = {
  invalid: 'invalid',
  question: 'question',
  message: 'failed',
  'not-confirmed': 'not confirmed',
  'retries-used-up': 'failed',
  reopened: 'reopened',
  'not-approved': 'not approved',
  repository: 'elsewhere',
  hold: 'paused',
  failures: 'paused',
  spare: 'leftover',
  reserve: 'reserved',
  slots: 'waiting',
  'nothing-left': 'waiting',
} as const satisfies Partial<Record<Cause['kind'], string>>;

/** Maximum number of dependencies that are named. */
const MOST_NAMED = 2;

function describeUnmet(task: TaskView, { byId }: World): string {
  const unmet = task.definition.dependencies.filter((id) => {
    const dependency = byId.get(id);
    return dependency === undefined || !isMet(dependency, task);
  });
  const more = unmet.length - MOST_NAMED;
  return `after ${unmet.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` +${String(more)}` : ''}`;
}

const BLOCKS: Readonly<Record<BlockKind, string>> = {
  'sign-in': 'sign-in',
  billing: 'billing',
  'spend-limit': 'spend limit',
  'default-model': 'no model',
};

const PASSING: Readonly<Record<PassingKind, string>> = {
  offline: 'offline',
  throttle: 'throttled',
  overload: 'overloaded',
};

function describeGate({ block, phase }: GateFacts, world: World): string {
  if (needsUser(block.kind)) return BLOCKS[block.kind];
  if (phase.kind === 'half-open') return 'probing';
  if (passesByItself(block.kind)) return PASSING[block.kind];
  const at = phase.kind === 'staggered' ? phase.nextAt : phase.until;
  return at === null ? 'limit' : `resets ${formatShortTime(at, world)}`;
}
