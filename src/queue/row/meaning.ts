import { parseJson } from '../../platform/text/shapes';
import { describeForeignCron } from '../../platform/text/sentences';
import { LONGEST_MS, parseDuration } from '../../domain/time/duration';
import { parseTime } from '../../domain/time/localTime';
import { PRIORITIES, parsePriority } from '../../domain/task/priority';
import type { Priority } from '../../domain/task/priority';
import { findForeignCron, parseRepeatInterval } from '../../domain/time/schedule';
import type { RepeatInterval } from '../../domain/time/schedule';
import { PERMISSION_MODES, STATUSES } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { PermissionMode, Status, TaskId } from '../../domain/task/task';

/** Meaning of a cell, or the message of a problem with a valid example. */
export type Meaning<T> = { readonly value: T } | { readonly wrong: string };

const MAX_SHOWN = 60;

/** Parses a task's id. */
export function readId(text: string): Meaning<TaskId> {
  const id = wholeNumber(text);
  if (id !== null && id > 0 && !text.startsWith('0')) return { value: id };
  return text === ''
    ? { wrong: 'The id is missing. Give the row a whole number above 0 that no other row has.' }
    : { wrong: `The id ${show(text)} is not a whole number above 0, such as 12.` };
}

export function readPriority(text: string): Meaning<Priority> {
  const value = parsePriority(text);
  const names = `${PRIORITIES.join(', ')}, or a number from 1 to 5`;
  return value === null ? { wrong: `The priority ${show(text)} is not known. Use ${names}.` } : { value };
}

export function readStatus(text: string): Meaning<Status> {
  const value = STATUSES.find((status) => status === text.toLowerCase());
  if (value !== undefined) return { value };
  return { wrong: `The status ${show(text)} is not known. Use ${STATUSES.join(', ')}.` };
}

export function readTime(text: string, timeZone: string): Meaning<EpochMs> {
  const value = parseTime(text, timeZone);
  if (value !== null) return { value };
  return {
    wrong: `The time ${show(text)} is not a valid date and time, such as 2026-11-21 09:00 or 2026-11-21T09:00+09:00.`,
  };
}

/** Parses ids separated by `|`. Each counts once. */
export function readIds(text: string): Meaning<readonly TaskId[]> {
  const ids = new Set<TaskId>();
  for (const part of text.split('|')) {
    const id = readId(part.trim());
    if ('wrong' in id)
      return { wrong: `The dependencies ${show(text)} are not ids with | between them, such as 10|12.` };
    ids.add(id.value);
  }
  return { value: [...ids] };
}

export function readYesOrNo(text: string): Meaning<boolean> {
  const word = text.toLowerCase();
  if (word === 'yes' || word === 'no') return { value: word === 'yes' };
  return { wrong: `The value is ${show(text)}. Use yes or no.` };
}

export function readInterval(text: string): Meaning<RepeatInterval> {
  const value = parseRepeatInterval(text);
  if (value !== null) return { value };
  const foreign = findForeignCron(text);
  if (foreign !== null) return { wrong: `In the interval ${show(text)}, ${describeForeignCron(foreign)}.` };
  const start =
    text === '' ? 'A repeating task needs an interval' : `The interval ${show(text)} is not understood`;
  return {
    wrong: `${start}. Use one like 30m, 12h, daily, weekly, monthly, or a cron expression like 0 9 * * 1-5.`,
  };
}

/** Parses a whole number of at least `least`. `name` starts the sentence of the problem. */
export function readCount(text: string, name: string, least: number): Meaning<number> {
  const value = wholeNumber(text);
  if (value !== null && value >= least) return { value };
  return { wrong: `${name} is ${show(text)}. Use a whole number, ${least} or more.` };
}

export function readBudget(text: string): Meaning<number> {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value > 0 && Number.isFinite(value)) return { value };
  return { wrong: `The budget ${show(text)} is not an amount in US dollars above 0, such as 2.50.` };
}

/** Parses a duration above 0 and up to ten years. Returns milliseconds. */
export function readTimeout(text: string): Meaning<number> {
  const value = parseDuration(text);
  if (value === null || value <= 0) {
    return { wrong: `The timeout ${show(text)} is not a duration above 0, such as 90m or 2h.` };
  }
  if (value <= LONGEST_MS) return { value };
  return { wrong: `The timeout ${show(text)} is longer than ten years. Use one such as 90m or 2h.` };
}

/** Parses a model name for Claude Code. A leading dash is refused: it could be taken for an option. */
export function readModel(text: string): Meaning<string> {
  if (/^[^-\s]\S*$/.test(text)) return { value: text };
  return { wrong: `The model ${show(text)} is not a model's name, such as opus or sonnet.` };
}

export function readPermissionMode(text: string, allowBypass: boolean): Meaning<PermissionMode> {
  const value = PERMISSION_MODES.find((mode) => mode === text);
  const usable = PERMISSION_MODES.filter((mode) => allowBypass || mode !== 'bypassPermissions').join(', ');
  if (value === undefined) return { wrong: `The permission mode ${show(text)} is not known. Use ${usable}.` };
  if (value !== 'bypassPermissions' || allowBypass) return { value };
  return {
    wrong: `This machine's owner does not allow bypassPermissions in a row (setting allowBypass). Use ${usable}.`,
  };
}

/** Parses tool rules separated by `|`. Inside parentheses a `|` belongs to the rule, as in `Bash(git log | head)`. */
export function readTools(text: string): Meaning<readonly string[]> {
  const value = text.split(/\|(?![^()]*\))/).map((rule) => rule.trim());
  const good = value.every((rule) => /^[A-Za-z][\w-]*(\(.*\))?$/s.test(rule));
  if (good) return { value };
  return {
    wrong: `The allowed tools ${show(text)} are not tools with | between them, such as Read|Bash(npm test).`,
  };
}

/** Parses a program and its arguments. */
export function readVerify(text: string): Meaning<readonly [string, ...string[]]> {
  const parts = parseJson(text);
  if (Array.isArray(parts) && parts.every((part) => typeof part === 'string')) {
    const [program, ...rest] = parts;
    if (program !== undefined && program.trim() !== '') return { value: [program, ...rest] };
  }
  return {
    wrong: `The check ${show(text)} is not a JSON array of a program and its arguments, such as ["npm","test"].`,
  };
}

/** Parses the user that a row belongs to. */
export function readUser(text: string): Meaning<string> {
  if (!/[\r\n|]/.test(text)) return { value: text };
  return { wrong: `The user ${show(text)} is not one name on one line, such as anna.` };
}

/** Parses words separated by `|`. Each counts once. */
export function readTags(text: string): Meaning<readonly string[]> {
  const tags = text.split('|').map((tag) => tag.trim());
  if (tags.every((tag) => tag !== '')) return { value: [...new Set(tags)] };
  return { wrong: `The tags ${show(text)} are not words with | between them, such as docs|urgent.` };
}

/** Parses a prompt. Refuses white space alone. */
export function readPrompt(text: string): Meaning<string> {
  return text.trim() === ''
    ? { wrong: 'The prompt is missing. Write what Claude Code should do.' }
    : { value: text };
}

function wholeNumber(text: string): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : null;
}

function show(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
