import { REPORTED_ENDS, type ReportedEnd } from '../../domain/task/attempt';
import { firstLine } from '../../platform/text/plainText';
import { parseObject } from '../stream/json';

/** Request for a report of how an attempt's work ended. */
export interface ReportRequest {
  /** 4 hex digits of this installation. They keep a quoted log from counting as a report. */
  readonly token: string;
  /** Whether a clean end without a report is a case for review. */
  readonly isRequired: boolean;
}

/** Claude's report of how its work ended: its own claim, and no proof. */
export interface SelfReport {
  readonly end: ReportedEnd;
  /** One sentence; for `needs_answer` the question. */
  readonly reason: string;
}

/** An answer without its report line. */
export interface SplitAnswer {
  readonly answer: string;
  /** Null if the answer has no valid report line. */
  readonly report: SelfReport | null;
}

const LONGEST_REASON = 300;

/**
 * Returns the text that asks for a report. It is the same on every attempt: Claude Code 2.1.329 keeps the
 * system prompt of a session's first attempt, and one prompt for all attempts shares the API's cache.
 */
export function composeRequest(token: string): string {
  return [
    'When your work on this task has ended, close your last message with one extra line, alone and with nothing after it:',
    `${markerOf(token)}{"outcome":"<finished, could_not or needs_answer>","reason":"<one sentence>"}`,
    'finished: everything asked for is done. could_not: part of it is not done, and no answer of the user would help.',
    'needs_answer: the rest depends on a decision of the user; the reason is the question. The line describes how the work',
    'ended. It changes nothing about how you work, what you do by yourself, or what you say before it.',
  ].join('\n');
}

/** Returns the sentence that asks for a report again in a session that knows the whole request. */
export function composeReminder(token: string): string {
  return `Close your last message with the ${nameOf(token)} line, {"outcome":…,"reason":…}, as described.`;
}

/** Returns the words with which a report line starts. */
export function markerOf(token: string): string {
  return `${nameOf(token)}: `;
}

function nameOf(token: string): string {
  return `QUEUE-RESULT-${token}`;
}

/** Splits a report line from the end of an answer. Only the last line counts; nothing above it is searched. */
export function splitAnswer(text: string, token: string): SplitAnswer {
  const none = { answer: text, report: null };
  const whole = text.trimEnd();
  const isFenced = whole.endsWith('\n```');
  const end = isFenced ? whole.slice(0, -'\n```'.length) : whole;
  const start = end.lastIndexOf('\n') + 1;
  const line = end.slice(start).replace(/^[`*]+|[`*\s]+$/g, '');
  if (!line.startsWith(markerOf(token))) return none;
  const report = readReport(line.slice(markerOf(token).length));
  if (report === null) return none;
  const before = end.slice(0, start).trimEnd();
  return { answer: isFenced ? before.replace(/(?:^|\n)```\w*$/, '').trimEnd() : before, report };
}

function readReport(text: string): SelfReport | null {
  const { outcome, reason } = parseObject(text) ?? {};
  const end = REPORTED_ENDS.find((one) => one === outcome);
  if (end === undefined || typeof reason !== 'string' || /[\r\n]/.test(reason)) return null;
  const sentence = firstLine(reason, LONGEST_REASON);
  return sentence === '' ? null : { end, reason: sentence };
}
