import { isMet } from '../../../domain/task/dependencies';
import { needsUser, passesByItself, type BlockKind, type PassingKind } from '../../../domain/gate/gate';
import type { Cause, GateFacts } from '../../../domain/reasons/reason';
import type { TaskWorld } from '../../../domain/reasons/world';
import type { EpochMs } from '../../../domain/time/epoch';
import { isUserHere, type TaskView } from '../../../domain/queue/view';
import { formatDuration } from '../../../domain/time/duration';
import { nameMachine } from '../../../platform/processes/machine';
import { t } from '../../../platform/text/translate';
import type { TaskViewModel } from '../../viewModel/queueViewModel';
import { formatOrdinal, formatShortTime } from './amounts';
import { STATE_NAMES } from './stateNames';

/**
 * Describes the state of a task in at most some 14 characters: why it does not run, or for how long it has run.
 * `expected`: the start that a forecast gives, named in place of a place in line that is not the first.
 */
export function describeShortly(shown: TaskViewModel, world: TaskWorld, expected?: EpochMs): string {
  const { task, reason, place } = shown;
  if (place !== null && !reason.causes.some(saysMore)) return describePlace(shown, place, world, expected);
  switch (reason.state) {
    case 'running':
      return describeAge(task, world);
    case 'review':
      return nameReview(task);
    case 'completed':
      return nameCompleted(task);
    case 'ready':
    case 'invalid':
    case 'cancelled':
    case 'dead':
      return STATE_NAMES[reason.state];
    case 'unapproved':
    case 'scheduled':
    case 'blocked':
    case 'stuck':
    case 'retrying':
    case 'waiting': {
      const [cause] = reason.causes;
      return cause === undefined ? STATE_NAMES[reason.state] : describeCause(cause, task, world);
    }
  }
}

/** Whether the cause says more than the place: which pool has the task, or who keeps the slot without a living worker. */
function saysMore(cause: Cause): boolean {
  if (cause.kind === 'busy') return cause.claim.owner.kind === 'person' || cause.claim.ownerDied === true;
  return cause.kind === 'place-in-line';
}

function describePlace(
  { task, service }: TaskViewModel,
  place: number,
  world: TaskWorld,
  expected: EpochMs | undefined,
): string {
  const ordinal = formatOrdinal(place);
  if (service?.standing === 'violated') return t('{0}, late', ordinal);
  if (service?.standing === 'at-risk')
    return service.explicit
      ? t('{0}, due {1}', ordinal, formatShortTime(service.by, world))
      : t('{0}, at risk', ordinal);
  if (task.state.resume !== null) return t('{0}, resumes', ordinal);
  return expected === undefined || place === 1 ? ordinal : t('about {0}', formatShortTime(expected, world));
}

/** Describes the start that a forecast gives, for a hover. */
export function describeExpected(expected: EpochMs, world: TaskWorld): string {
  return t('starts about {0}', formatShortTime(expected, world));
}

const MINUTE_MS = 60_000;

/** Describes for how long a task has run: in seconds, and from one minute in minutes. */
function describeAge({ claim }: TaskView, world: TaskWorld): string {
  if (claim === undefined) return STATE_NAMES.running;
  // The clocks of two machines differ.
  const ms = Math.max(world.now - claim.at, 0);
  const unit = ms < MINUTE_MS ? 1_000 : MINUTE_MS;
  const age = formatDuration(Math.floor(ms / unit) * unit);
  const { owner } = claim;
  if (owner.kind === 'process') return age;
  return isUserHere(owner, world) ? t('you, {0}', age) : `${nameMachine(owner.machine)}, ${age}`;
}

function nameCompleted({ state }: TaskView): string {
  if (state.undone === true) return t('undone');
  return state.unconfirmed === true ? t('not confirmed') : t('done');
}

function nameReview({ state }: TaskView): string {
  if (state.question !== undefined) return t('question');
  return state.refused === true ? t('refused') : STATE_NAMES.review;
}

function describeCause(cause: Cause, task: TaskView, world: TaskWorld): string {
  switch (cause.kind) {
    case 'dependency':
      return cause.unmet.stuck ? t('stuck on {0}', cause.unmet.id) : describeUnmet(task, world);
    case 'time':
      return describeTime(cause.of, formatShortTime(cause.until, world));
    case 'limit':
      return t('resets {0}', formatShortTime(cause.until, world));
    case 'quiet':
      return cause.until === null ? t('quiet hours') : t('quiet to {0}', formatShortTime(cause.until, world));
    case 'attempts':
    case 'night':
      return t('budget {0}', formatShortTime(cause.until, world));
    case 'gate':
      return describeGate(cause.gate, world);
    case 'place-in-line':
      return `${formatOrdinal(cause.place)}, ${cause.pool}`;
    case 'directory':
    case 'made-way':
      return t('after {0}', cause.claim.id);
    case 'claimed':
      return t('worker died');
    case 'busy':
      return cause.claim.ownerDied === true ? t('worker died') : t('after {0}', cause.claim.id);
    default:
      return NAMES[cause.kind];
  }
}

function describeTime(of: Extract<Cause, { kind: 'time' }>['of'], time: string): string {
  return of === 'retry' ? t('retry {0}', time) : time;
}

/** Names of the causes that need no facts. */
const NAMES = {
  invalid: t('invalid'),
  question: t('question'),
  message: t('failed'),
  'not-confirmed': t('not confirmed'),
  undone: t('undone'),
  'retries-used-up': t('failed'),
  reopened: t('reopened'),
  'not-approved': t('not approved'),
  changed: t('row changed'),
  'approved-elsewhere': t('elsewhere'),
  repository: t('elsewhere'),
  settings: t('invalid settings'),
  hold: t('paused'),
  failures: t('paused'),
  unreviewed: t('review first'),
  spare: t('leftover'),
  reserve: t('reserved'),
  slots: t('waiting'),
  'nothing-left': t('waiting'),
} as const satisfies Partial<Record<Cause['kind'], string>>;

/** Maximum number of dependencies that are named. */
const MOST_NAMED = 2;

function describeUnmet(task: TaskView, { byId }: TaskWorld): string {
  const unmet = task.definition.dependencies.filter((id) => {
    const dependency = byId.get(id);
    return dependency === undefined || !isMet(dependency, task);
  });
  const more = unmet.length - MOST_NAMED;
  const named = unmet.slice(0, MOST_NAMED).join(', ');
  return t('after {0}', more > 0 ? `${named} +${String(more)}` : named);
}

const BLOCKS: Readonly<Record<BlockKind, string>> = {
  'sign-in': t('sign-in'),
  billing: t('billing'),
  'spend-limit': t('spend limit'),
  'default-model': t('no model'),
};

const PASSING: Readonly<Record<PassingKind, string>> = {
  offline: t('offline'),
  throttle: t('throttled'),
  overload: t('overloaded'),
};

function describeGate({ block, phase }: GateFacts, world: TaskWorld): string {
  if (needsUser(block.kind)) return BLOCKS[block.kind];
  if (phase.kind === 'half-open') return t('probing');
  if (passesByItself(block.kind)) return PASSING[block.kind];
  const at = phase.kind === 'staggered' ? phase.nextAt : phase.opensAt;
  return at === null ? t('limit') : t('resets {0}', formatShortTime(at, world));
}
