import { describeWhy } from './pause';
import { formatMinute } from '../../domain/time/localTime';
import type { Moment } from '../../domain/time/moment';
import type { Occurrence, OccurrenceEnd } from '../../domain/time/occurrences';
import type { SkipCause, SkippedTimes } from '../../domain/time/skippedTimes';
import { t } from '../../platform/text/translate';
import { isoOrNull } from './text';
import { formatMissed } from './reasons/amounts';
import { describeReason, nameOrDescribe } from './reasons/reason';

const CAUSES: Readonly<Record<SkipCause, string>> = {
  skipped: t('missedRuns is skip'),
  merged: t('the run of an earlier time made up for it'),
  'caught-up': t('a run right after an earlier one made up for it'),
  busy: t('the run of an earlier time had not ended'),
  ended: t('the task was ended without a run'),
  unchanged: t('nothing has changed since its last success'),
};

/** Describes what happened to due times, as a row of a table: first, last, count, result. */
export function describeOccurrence({ dueAt, lastDueAt, count, end }: Occurrence, moment: Moment): string[] {
  const { timeZone } = moment;
  const from = formatMinute(dueAt, timeZone);
  const last = count === 1 ? '' : formatMinute(lastDueAt, timeZone);
  return [from, last, formatMissed(count), `${end.kind}${describeEnd(end, moment)}`];
}

function describeEnd(end: OccurrenceEnd, moment: Moment): string {
  switch (end.kind) {
    case 'ran':
    case 'running':
      return ` (attempt ${end.attempts.join(', ')})${end.again === true ? ', again: the history lost an earlier run' : ''}`;
    case 'skipped':
      return `: ${describeSkip(end, moment)}`;
    case 'waits':
      return `: ${nameOrDescribe(end.reason, moment)}`;
  }
}

type Skipped = Pick<SkippedTimes, 'why' | 'pause' | 'bound'>;

/** Returns why the queue was paused when due times were skipped; null if it was not. */
export function describePause({ pause: why, bound }: Omit<Skipped, 'why'>, moment: Moment): string | null {
  if (why === undefined) return null;
  return describeWhy({ why, ...(bound === undefined ? {} : { bound }) }, moment);
}

/** Returns why due times were skipped, as the rest of a sentence. */
export function describeSkip(skipped: Skipped, moment: Moment): string {
  const { why } = skipped;
  if (why === 'busy' || why === 'ended' || why === 'unchanged') return CAUSES[why];
  const pause = describePause(skipped, moment);
  const missed = pause === null ? t('missed') : t('missed during a pause ({0})', pause);
  return why === 'skipped' ? t('{0}, and {1}', missed, CAUSES[why]) : t('{0}, {1}', missed, CAUSES[why]);
}

/** JSON of due times: the contract of `history ID --occurrences --json`. */
export function occurrenceAsJson({ dueAt, lastDueAt, count, end }: Occurrence, moment: Moment): object {
  return {
    dueAt: isoOrNull(dueAt),
    lastDueAt: isoOrNull(lastDueAt),
    count,
    end: end.kind,
    pause: end.kind === 'skipped' ? describePause(end, moment) : null,
    because:
      end.kind === 'skipped' ? end.why : end.kind === 'waits' ? describeReason(end.reason, moment) : null,
    again: (end.kind === 'ran' || end.kind === 'running') && end.again === true,
    attempts: end.kind === 'ran' || end.kind === 'running' ? end.attempts : [],
  };
}
