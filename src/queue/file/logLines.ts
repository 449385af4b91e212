import type { Attempt } from '../../domain/attempt';
import { isFailure } from '../../domain/decide';
import { formatSecond } from '../../domain/localTime';
import { redact } from '../../platform/redact';
import type { LogLines } from '../model/events';
import type { End } from '../taskQueue';

/** The four logs of the queue's format, one RFC 4180 record a line. */
export const LOG_NAMES = [
  'executed.log',
  'repeat_tasks.log',
  'quota_exceeded.log',
  'retry_tasks.log',
] as const;
export type LogName = (typeof LOG_NAMES)[number];

/**
 * What the end of an attempt leaves in the logs:
 * - executed.log: id, start, seconds, exit code, prompt; for a success and an accepted review
 * - repeat_tasks.log: id, start as epoch seconds, seconds, exit code, interval, prompt; for each attempt of a repeating task
 * - quota_exceeded.log: id, start, seconds, `quota_exceeded`, prompt; once per task and closing of the gate
 * - retry_tasks.log: id, start, seconds, exit code, retries so far, most retries, prompt; for errors and givings-up
 */
export function composeLogLines(end: End, history: readonly Attempt[], timeZone: string): LogLines {
  const { attempt, change, definition } = end;
  const id = String(attempt.id);
  const start = formatSecond(attempt.startedAt, timeZone);
  const seconds = String(Math.round((attempt.endedAt - attempt.startedAt) / 1000));
  const code = String(attempt.code);
  // The file is its owner's, with what they wrote into it; logs are sent around.
  const prompt = redact(definition.prompt);
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

function record(cells: readonly string[]): string {
  return `${cells.map(quoteWhereNeeded).join(',')}\n`;
}

function quoteWhereNeeded(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
