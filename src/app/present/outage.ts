import type { EpochMs } from '../../domain/time/epoch';
import { formatTime, type Moment } from '../../domain/time/moment';

/** Names why a queue in Redis cannot be read: the server does not answer, or the user has to act. */
export function nameOutage(kind: 'away' | 'refused'): string {
  return kind === 'refused' ? 'Redis cannot be used' : 'Redis is away';
}

/** Describes since when it cannot be read. */
export function describeOutage(since: EpochMs, moment: Moment): string {
  return `since ${formatTime(since, moment)}`;
}

/** Describes what is shown meanwhile. */
export function describeLastKnown(since: EpochMs, moment: Moment): string {
  return `Last known at ${formatTime(since, moment)}. It may have changed since then.`;
}
