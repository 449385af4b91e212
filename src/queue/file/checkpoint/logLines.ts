import type { Attempt } from '../../../domain/task/attempt';
import { isFailure } from '../../../domain/task/decide';
import { promptOf } from '../../../domain/task/task';
import { formatSecond } from '../../../domain/time/localTime';
import { redact } from '../../../platform/text/redact';
import { encodeCell } from '../../csv/csvFile';
import type { LogLines } from '../../model/events';
import type { End } from '../../taskQueue';

/** The four logs of the queue's format: an RFC 4180 record is one line. */
export const LOG_NAMES = [
  'executed.log',
  'repeat_tasks.log',
  'quota_exceeded.log',
  'retry_tasks.log',
] as const;
export type LogName = (typeof LOG_NAMES)[number];

/**
 * Returns the log lines for the end of an attempt:
 * - executed.log: id, start, seconds, exit code, prompt; for a success and an accepted review
 * - repeat_tasks.log: id, start as epoch seconds, seconds, exit code, interval, prompt; for each attempt of a
 *   repeating task
 * - quota_exceeded.log: id, start, seconds, `quota_exceeded`, prompt; once per task and closing of the gate
 * - retry_tasks.log: id, start, seconds, exit code, retries so far, most retries, prompt; for each failure, the last
 *   one too
 */
export function composeLogLines(end: End, history: readonly Attempt[], timeZone: string): LogLines {
  const { attempt, change, definition } = end;
  const id = String(attempt.id);
  const start = formatSecond(attempt.startedAt, timeZone);
  const seconds = String(Math.round((attempt.endedAt - attempt.startedAt) / 1000));
  const code = String(attempt.code);
  // The CSV file holds what its owner wrote. Logs are sent around, so secrets are redacted.
  const prompt = shorten(redact(promptOf(definition)));
  const lines: Partial<Record<LogName, string>> = {};
  if (attempt.outcome === 'success') {
    lines['executed.log'] = record([id, start, seconds, code, prompt]);
  }
  if (definition.repeat !== undefined) {
    const epoch = String(Math.floor(attempt.startedAt / 1000));
    lines['repeat_tasks.log'] = record([id, epoch, seconds, code, definition.repeat.text, prompt]);
  }
  if (isFirstOfClosing(attempt, history)) {
    lines['quota_exceeded.log'] = record([id, start, seconds, 'quota_exceeded', prompt]);
  }
  if (isFailure(change)) {
    const retries = String(change.givenUp ? definition.maxRetries : change.retryCount);
    const most = String(definition.maxRetries);
    lines['retry_tasks.log'] = record([id, start, seconds, code, retries, most, prompt]);
  }
  return lines;
}

function isFirstOfClosing(attempt: Attempt, history: readonly Attempt[]): boolean {
  if (attempt.outcome !== 'limit') return false;
  return !history.some(
    (earlier) =>
      earlier.id === attempt.id && earlier.outcome === 'limit' && earlier.closedSince === attempt.closedSince,
  );
}

/** Longest prompt in a log, in characters. The CSV file or the prompt file has the whole prompt. */
const LONGEST_PROMPT = 500;

/** Returns a prompt in one line, shortened if it is long. Programs that count lines count records. */
function shorten(prompt: string): string {
  const characters = Array.from(prompt.trim().replaceAll(/[\r\n\u2028\u2029\v\f\u0085]+\s*/g, ' '));
  if (characters.length <= LONGEST_PROMPT) return characters.join('');
  return `${characters.slice(0, LONGEST_PROMPT - 1).join('')}…`;
}

function record(cells: readonly string[]): string {
  return `${cells.map((cell) => encodeCell(cell, { delimiter: ',' }, false)).join(',')}\n`;
}
