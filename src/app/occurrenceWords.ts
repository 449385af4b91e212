import { formatMinute } from '../domain/localTime';
import { tellMissed } from '../domain/missedRuns';
import type { Occurrence, OccurrenceEnd, SkipCause } from '../domain/occurrences';
import { isoOrNull } from './gateWords';

const CAUSES: Readonly<Record<SkipCause, string>> = {
  skipped: 'missed, and missedRuns is skip',
  merged: 'missed, the run of an earlier time made up for it',
  'caught-up': 'missed, a run right after that of an earlier time made up for it',
  busy: 'the run of an earlier time had not ended',
  ended: 'the task was ended without a run',
};

/** What became of due times, as a row of a table: when, how many, what. */
export function describeOccurrence({ dueAt, lastDueAt, count, end }: Occurrence, timeZone: string): string[] {
  const from = formatMinute(dueAt, timeZone);
  const last = count === 1 ? '' : formatMinute(lastDueAt, timeZone);
  return [from, last, tellMissed(count), `${end.kind}${describeEnd(end)}`];
}

function describeEnd(end: OccurrenceEnd): string {
  switch (end.kind) {
    case 'ran':
    case 'running':
      return ` (attempt ${end.attempts.join(', ')})`;
    case 'skipped':
      return `: ${CAUSES[end.why]}`;
    case 'waits':
      return `: ${end.reason.text === '' ? end.reason.shown : end.reason.text}`;
  }
}

/** The contract of `history ID --occurrences --json`, for each of them. */
export function occurrenceAsJson({ dueAt, lastDueAt, count, end }: Occurrence): object {
  return {
    dueAt: isoOrNull(dueAt),
    lastDueAt: isoOrNull(lastDueAt),
    count,
    end: end.kind,
    because: end.kind === 'skipped' ? end.why : end.kind === 'waits' ? end.reason.text : null,
    attempts: end.kind === 'ran' || end.kind === 'running' ? end.attempts : [],
  };
}
