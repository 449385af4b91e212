import type { AttemptEvents } from '../../domain/task/attempt';
import type { WindowUsage } from '../../domain/gate/gate';
import type { StreamMessage } from '../stream/message';
import { readUsage, type StreamFacts } from '../stream/stream';

/**
 * Detects that the API accepted an attempt, and reports it through `events.admitted`.
 *
 * The signs are the model's first words, or an event in which the account allows requests. Words of Claude Code
 * itself, to report a failure or from a local command, do not count. Fill levels follow the answer and come
 * again whenever they change (2.1.329). They are reported during the whole attempt, since others depend on
 * them.
 */
export function createAcceptanceWatch(
  events: Pick<AttemptEvents, 'admitted'>,
): (message: StreamMessage, facts: StreamFacts) => void {
  let lastUsage: readonly WindowUsage[] | null = null;
  return (message, facts) => {
    if (!showsAdmission(message)) return;
    const usage = readUsage(facts.rateLimit);
    if (lastUsage !== null && !usage.some((fresh) => isNews(fresh, lastUsage ?? []))) return;
    lastUsage = usage;
    events.admitted(usage, facts.model);
  };
}

/**
 * Smallest change of utilization to report, as a fraction: half a percent. A long attempt makes hundreds of
 * requests, and smaller changes can wait for its end.
 */
const NOTICED = 0.005;
/** Difference in milliseconds up to which two resets are the same: events may differ by a second. */
const SAME_RESET_MS = 60_000;

function isNews({ window, utilization, resetAt }: WindowUsage, lastUsage: readonly WindowUsage[]): boolean {
  const before = lastUsage.find((one) => one.window === window);
  if (before === undefined || Math.abs(resetAt - before.resetAt) > SAME_RESET_MS) return true;
  return Math.abs(utilization - before.utilization) >= NOTICED;
}

function showsAdmission(message: StreamMessage): boolean {
  if (message.type === 'assistant') return message.failure === undefined && message.isOwn !== true;
  return message.type === 'rate-limit' && message.info.status.startsWith('allowed');
}
