import { formatDuration } from './duration';
import type { World } from './explain';
import { barrierFor, isBeyondWindow, type Barrier } from './gateOpening';
import {
  DEFAULT_MODEL,
  needsPerson,
  passesByItself,
  type Closure,
  type GateKind,
  type Trial,
} from './limits';
import { tellSecond, tellTime, type Moment } from './moment';
import type { Obstacle } from './obstacle';
import type { TaskView } from './view';

/** Each kind while it lasts, and once its reset has come. */
const WORDS: Record<GateKind, readonly [closed: string, over: string]> = {
  five_hour: ['5-hour window used up', '5-hour window has reset'],
  seven_day: ['weekly window used up', 'weekly window has reset'],
  seven_day_opus: ['weekly Opus window used up', 'weekly Opus window has reset'],
  seven_day_sonnet: ['weekly Sonnet window used up', 'weekly Sonnet window has reset'],
  seven_day_overage_included: ['weekly model window used up', 'weekly model window has reset'],
  overage: ['usage credits used up', 'usage credits have reset'],
  unknown: ['usage limit reached', 'usage limit has reset'],
  'sign-in': ['Claude Code is not signed in', 'the sign-in is tried again'],
  billing: ['the account has a billing problem', 'billing is tried again'],
  'spend-limit': ['the account has reached its spend limit', 'the spend limit is tried again'],
  'default-model': ['the default model cannot be used', 'the default model is tried again'],
  offline: ['the API cannot be reached', 'the API could not be reached'],
  throttle: ['the API throttles this account', 'the API throttled this account'],
  overload: ['the API is overloaded', 'the API was overloaded'],
};

/** What keeps a task of this model from being begun at the account's gate. */
export function findGateObstacle({ definition }: TaskView, world: World): Obstacle | null {
  const barrier = barrierFor(world.gate, definition, world.now, world.settings);
  if (barrier === null) return null;
  const { until, phase, closure } = barrier;
  const gate = {
    kind: 'gate',
    shown: 'waiting',
    atLimit: true,
    ...(closure.resettable === true && phase.kind === 'closed' ? ({ resettable: true } as const) : {}),
    tell: (moment: Moment) => describeBarrier(barrier, { ...world, ...moment }),
  } as const;
  if (until === null) return { ...gate, waitsFor: 'person' };
  // When the one that goes first is let through is not known: its latest end is no time to count down to.
  return { ...gate, waitsFor: 'machine', ...(phase.kind === 'half-open' ? {} : { until }) };
}

/** What stands in the way at the gate, in a person's words. */
export function describeBarrier({ closure, phase }: Barrier, world: World): string {
  switch (phase.kind) {
    case 'closed':
      return describeClosed(closure, world);
    case 'half-open':
      return `${describeOver(closure, world)}: ${describeTrial(phase.trial, world)}`;
    case 'staggered': {
      const since = passesByItself(closure.kind) ? 'requests pass again:' : 'after the reset';
      const apart = formatDuration(world.settings.openStagger);
      const next = phase.nextAt <= world.now ? 'now' : `at ${tellSecond(phase.nextAt, world)}`;
      return `${since} runs begin ${apart} apart, next ${next}`;
    }
  }
}

/** A closure that is in force. */
function describeClosed({ kind, until, guessed, model }: Closure, moment: Moment): string {
  const [words] = WORDS[kind];
  if (kind === DEFAULT_MODEL) {
    const name = model === undefined ? '' : ` (${model})`;
    return `${words}${name}: choose another one with /model in Claude Code, or name a model in the rows, then resume the queue`;
  }
  if (until === null) return `${words}: mend it, then resume the queue`;
  if (guessed === true) {
    return `${words}; when it resets is not known, tried again about ${tellTime(until, moment)}`;
  }
  return `${words}, ${passesByItself(kind) ? 'next try' : 'resets'} ${tellTime(until, moment)}`;
}

function describeOver(closure: Closure, world: World): string {
  const { kind, probed, until } = closure;
  const [closed, over] = WORDS[kind];
  if (until !== null && probed !== true && isBeyondWindow(closure, world.now, world.settings))
    return `${closed} until ${tellTime(until, world)}, which is farther ahead than it can last, so it is tried now`;
  return probed === true && !needsPerson(kind) ? `${closed}, tried now` : over;
}

/** Half-open: who goes first, where somebody does. */
function describeTrial(trial: Trial | null, { queue }: World): string {
  if (trial === null) return 'one task goes first';
  const { task, worker, process } = trial;
  const isHere = queue.claims.some(
    ({ id, owner }) => id === task.id && owner.kind === 'process' && owner.process.pid === process.pid,
  );
  const which = isHere ? String(task.id) : `${String(task.id)} of ${task.queue}`;
  return `one task goes first (worker ${worker} is running ${which})`;
}
