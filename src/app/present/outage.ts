import type { EpochMs } from '../../domain/time/epoch';
import { formatTime, type Moment } from '../../domain/time/moment';
import { t } from '../../platform/text/translate';

/** Names why a queue in Redis cannot be read: the server does not answer, or the user has to act. */
export function nameOutage(kind: 'away' | 'refused'): string {
  return kind === 'refused' ? t('Redis cannot be used') : t('Redis is away');
}

/** Describes since when it cannot be read. */
export function describeOutage(since: EpochMs, moment: Moment): string {
  return t('since {0}', formatTime(since, moment));
}

/** Describes what is shown meanwhile. */
export function describeLastKnown(since: EpochMs, moment: Moment): string {
  return t('Last known at {0}. It may have changed since then.', formatTime(since, moment));
}
