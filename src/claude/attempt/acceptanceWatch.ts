import type { RunEvents } from '../../domain/task/attempt';
import type { WindowUsage } from '../../domain/gate/limits';
import type { StreamMessage } from '../stream/message';
import { readUsage, type StreamFacts } from '../stream/stream';

/**
 * Tells of a run that was let through: at the model's first words, or when the account says that it allows requests. What
 * Claude Code itself says in an answer's place, to report a failure or as a local command does, is no sign of that. The fill levels follow the
 * answer, and come again whenever they have changed (2.1.329): told as long as the run continues, since others go by them.
 */
export function createAcceptanceWatch(
  events: Pick<RunEvents, 'admitted'>,
): (message: StreamMessage, facts: StreamFacts) => void {
  let reported: readonly WindowUsage[] | null = null;
  return (message, facts) => {
    if (!showsAdmission(message)) return;
    const usage = readUsage(facts.rateLimit);
    if (reported !== null && !usage.some((fresh) => isNews(fresh, reported ?? []))) return;
    reported = usage;
    events.admitted(usage, facts.model);
  };
}

/** A long run makes hundreds of requests: what is not to be seen in whole hundredths can wait for its end. */
const NOTICED = 0.005;
/** The same reset may be told a second earlier or later. */
const SAME_RESET_MS = 60_000;

function isNews({ window, utilization, resetAt }: WindowUsage, reported: readonly WindowUsage[]): boolean {
  const before = reported.find((one) => one.window === window);
  if (before === undefined || Math.abs(resetAt - before.resetAt) > SAME_RESET_MS) return true;
  return Math.abs(utilization - before.utilization) >= NOTICED;
}

function showsAdmission(message: StreamMessage): boolean {
  if (message.type === 'assistant') return message.failure === undefined && message.isOwn !== true;
  return message.type === 'rate-limit' && message.info.status.startsWith('allowed');
}
