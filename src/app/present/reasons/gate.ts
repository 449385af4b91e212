import { formatDuration } from '../../../domain/time/duration';
import {
  DEFAULT_MODEL,
  needsUser,
  passesByItself,
  type GateBlock,
  type GateKind,
  type Probe,
} from '../../../domain/gate/limits';
import { formatSecondTime, formatTime, type Moment } from '../../../domain/time/moment';
import type { GateFacts } from '../../../domain/reasons/reason';

/** Texts of each kind: while it lasts, and after its reset. */
const WORDS: Record<GateKind, readonly [closed: string, over: string]> = {
  five_hour: ['5-hour usage window used up', '5-hour usage window has reset'],
  seven_day: ['weekly usage window used up', 'weekly usage window has reset'],
  seven_day_opus: ['weekly Opus usage window used up', 'weekly Opus usage window has reset'],
  seven_day_sonnet: ['weekly Sonnet usage window used up', 'weekly Sonnet usage window has reset'],
  seven_day_overage_included: ['weekly model usage window used up', 'weekly model usage window has reset'],
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

/** Describes why the account's gate keeps a task from starting, as of `moment`. */
export function describeGateFacts(facts: GateFacts, moment: Moment): string {
  const { block, phase, stagger } = facts;
  switch (phase.kind) {
    case 'closed':
      return describeClosed(block, moment);
    case 'half-open':
      return `${describeOver(facts, moment)}: ${describeProbe(phase.probe, facts)}`;
    case 'staggered': {
      const since = passesByItself(block.kind) ? 'requests succeed again' : 'limit reset';
      const apart = formatDuration(stagger);
      const next = phase.nextAt <= moment.now ? 'now' : `at ${formatSecondTime(phase.nextAt, moment)}`;
      return `${since}; starting attempts ${apart} apart, next ${next}`;
    }
  }
}

/** Describes a block that is in force. */
function describeClosed({ kind, until, guessed, model }: GateBlock, moment: Moment): string {
  const [words] = WORDS[kind];
  if (kind === DEFAULT_MODEL) {
    const name = model === undefined ? '' : ` (${model})`;
    return `${words}${name}: choose another one with /model in Claude Code, or name a model in the rows, then resume the queue`;
  }
  if (until === null) return `${words}: fix it, then resume the queue`;
  if (guessed === true) {
    return `${words}; reset time unknown, next try about ${formatTime(until, moment)}`;
  }
  return `${words}, ${passesByItself(kind) ? 'next try' : 'resets'} ${formatTime(until, moment)}`;
}

function describeOver({ block, isImplausibleReset }: GateFacts, moment: Moment): string {
  const { kind, probed, until } = block;
  const [closed, over] = WORDS[kind];
  if (until !== null && probed !== true && isImplausibleReset)
    return `${closed} until ${formatTime(until, moment)}, which is later than the limit can last; trying now`;
  return probed === true && !needsUser(kind) ? `${closed}, trying now` : over;
}

/** Describes a half-open gate, and which task is the probe. */
function describeProbe(probe: Probe | null, { isProbeHere }: GateFacts): string {
  if (probe === null) return 'probing with one task';
  const { task, worker } = probe;
  const which = isProbeHere ? String(task.id) : `${String(task.id)} of ${task.queue}`;
  return `probing with one task (worker ${worker} is running ${which})`;
}
