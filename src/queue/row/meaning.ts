import { abbreviate } from '../../platform/text/plainText';
import { parseJson } from '../../platform/text/shapes';
import { describeForeignCron } from '../../platform/text/sentences';
import { isCallbackUrl } from '../../domain/queue/callbackUrl';
import { LONGEST_MS, parseDuration } from '../../domain/time/duration';
import { parseTime } from '../../domain/time/localTime';
import { PRIORITIES, parsePriority } from '../../domain/task/priority';
import type { Priority } from '../../domain/task/priority';
import { findForeignCron, parseRepeatInterval } from '../../domain/time/schedule';
import type { RepeatInterval } from '../../domain/time/schedule';
import { PERMISSION_MODES, STATUSES } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { PermissionMode, Status, TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';

/** Meaning of a cell, or the message of a problem with a valid example, in the language of the user. */
export type Meaning<T> = { readonly value: T } | { readonly wrong: string };

const MAX_SHOWN = 60;

/** Largest id of a row. New tasks get higher ids than all others, which must remain exact as numbers. */
const MAX_ID = 1_000_000_000_000;

/** Parses a task's id. */
export function readId(text: string): Meaning<TaskId> {
  if (text === '')
    return { wrong: t('The id is missing. Give the row a whole number above 0 that no other row has.') };
  if (!/^[1-9]\d*$/.test(text))
    return { wrong: t('The id {0} is not a whole number above 0, such as 12.', show(text)) };
  const value = Number(text);
  if (value <= MAX_ID) return { value };
  return {
    wrong: t('The id {0} is too large. Use one up to {1}.', show(text), MAX_ID.toLocaleString('en-US')),
  };
}

export function readPriority(text: string): Meaning<Priority> {
  const value = parsePriority(text);
  if (value !== null) return { value };
  const names = PRIORITIES.join(', ');
  return { wrong: t('The priority {0} is not known. Use {1}, or a number from 1 to 5.', show(text), names) };
}

export function readStatus(text: string): Meaning<Status> {
  const value = STATUSES.find((status) => status === text.toLowerCase());
  if (value !== undefined) return { value };
  return { wrong: t('The status {0} is not known. Use {1}.', show(text), STATUSES.join(', ')) };
}

export function readTime(text: string, timeZone: string): Meaning<EpochMs> {
  const value = parseTime(text, timeZone);
  if (value !== null) return { value };
  return {
    wrong: t(
      'The time {0} is not a valid date and time, such as 2026-11-21 09:00 or 2026-11-21T09:00+09:00.',
      show(text),
    ),
  };
}

/** Parses ids separated by `|`. Each counts once. */
export function readIds(text: string): Meaning<readonly TaskId[]> {
  const ids = new Set<TaskId>();
  for (const part of text.split('|')) {
    const id = readId(part.trim());
    if ('wrong' in id)
      return { wrong: t('The dependencies {0} are not ids with | between them, such as 10|12.', show(text)) };
    ids.add(id.value);
  }
  return { value: [...ids] };
}

export function readYesOrNo(text: string): Meaning<boolean> {
  const word = text.toLowerCase();
  if (word === 'yes' || word === 'no') return { value: word === 'yes' };
  return { wrong: t('The value is {0}. Use yes or no.', show(text)) };
}

/** Parses `unless_unchanged`. Only a repeating task may have it. */
export function readUnlessUnchanged(text: string, repeats: boolean): Meaning<true> {
  if (text.toLowerCase() !== 'true')
    return { wrong: t('The value is {0}. Use true, or leave it empty.', show(text)) };
  if (repeats) return { value: true };
  return { wrong: t('Only a repeating task can be skipped. Set repeat to yes, or clear unless_unchanged.') };
}

export function readInterval(text: string): Meaning<RepeatInterval> {
  const value = parseRepeatInterval(text);
  if (value !== null) return { value };
  const foreign = findForeignCron(text);
  if (foreign !== null)
    return { wrong: t('In the interval {0}, {1}.', show(text), describeForeignCron(foreign)) };
  return {
    wrong:
      text === ''
        ? t(
            'A repeating task needs an interval. Use one like 30m, 12h, daily, weekly, monthly, or a cron expression like 0 9 * * 1-5.',
          )
        : t(
            'The interval {0} is not understood. Use one like 30m, 12h, daily, weekly, monthly, or a cron expression like 0 9 * * 1-5.',
            show(text),
          ),
  };
}

/** Parses a whole number of at least `least`. `name` starts the sentence of the problem. */
export function readCount(text: string, name: string, least: number): Meaning<number> {
  const value = wholeNumber(text);
  if (value !== null && value >= least) return { value };
  return { wrong: t('{0} is {1}. Use a whole number, {2} or more.', name, show(text), least) };
}

export function readBudget(text: string): Meaning<number> {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value > 0 && Number.isFinite(value)) return { value };
  return { wrong: t('The budget {0} is not an amount in US dollars above 0, such as 2.50.', show(text)) };
}

/** Parses a duration above 0 and up to ten years. Returns milliseconds. */
export function readTimeout(text: string): Meaning<number> {
  const value = parseDuration(text);
  if (value === null || value <= 0) {
    return { wrong: t('The timeout {0} is not a duration above 0, such as 90m or 2h.', show(text)) };
  }
  if (value <= LONGEST_MS) return { value };
  return { wrong: t('The timeout {0} is longer than ten years. Use one such as 90m or 2h.', show(text)) };
}

/** Parses a model name for Claude Code. A leading dash is refused: it could be taken for an option. */
export function readModel(text: string): Meaning<string> {
  if (/^[^-\s]\S*$/.test(text)) return { value: text };
  return { wrong: t("The model {0} is not a model's name, such as opus or sonnet.", show(text)) };
}

export function readPermissionMode(text: string, allowBypass: boolean): Meaning<PermissionMode> {
  const value = PERMISSION_MODES.find((mode) => mode === text);
  const usable = PERMISSION_MODES.filter((mode) => allowBypass || mode !== 'bypassPermissions').join(', ');
  if (value === undefined)
    return { wrong: t('The permission mode {0} is not known. Use {1}.', show(text), usable) };
  if (value !== 'bypassPermissions' || allowBypass) return { value };
  return {
    wrong: t(
      "This machine's owner does not allow bypassPermissions in a row (setting allowBypass). Use {0}.",
      usable,
    ),
  };
}

/** Source of a regular expression that matches where no parenthesis is open. */
export const OUTSIDE_PARENTHESES = String.raw`(?![^()]*\))`;

/** End of one of several tools. What is in parentheses is part of one: `Bash(git log | head)`. */
export const RULE_END = new RegExp(String.raw`\|${OUTSIDE_PARENTHESES}`);

/** Parses tool rules separated by `|`. Inside parentheses a `|` belongs to the rule, as in `Bash(git log | head)`. */
export function readTools(text: string): Meaning<readonly string[]> {
  const value = text.split(RULE_END).map((rule) => rule.trim());
  const good = value.every((rule) => /^[A-Za-z][\w-]*(\(.*\))?$/s.test(rule));
  if (good) return { value };
  return {
    wrong: t(
      'The allowed tools {0} are not tools with | between them, such as Read|Bash(npm test).',
      show(text),
    ),
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
    wrong: t(
      'The check {0} is not a JSON array of a program and its arguments, such as ["npm","test"].',
      show(text),
    ),
  };
}

/** Parses the user that a row belongs to. */
export function readUser(text: string): Meaning<string> {
  if (!/[\r\n|]/.test(text)) return { value: text };
  return { wrong: t('The user {0} is not one name on one line, such as anna.', show(text)) };
}

/** Parses an address for callbacks. The address may be secret, so a problem does not show it. */
export function readCallbackUrl(text: string): Meaning<string> {
  if (isCallbackUrl(text)) return { value: text };
  return {
    wrong: t(
      'The callback_url is not an address such as {0}, without a password.',
      'https://example.com/hook',
    ),
  };
}

/** Most characters of a request id, and most bytes of metadata. The journal repeats both for each attempt. */
const MAX_REQUEST_ID = 256;
const MAX_METADATA_BYTES = 4 * 1024;

/** Parses the name that a request has in another program. */
export function readRequestId(text: string): Meaning<string> {
  if (/[\r\n]/.test(text)) return { wrong: t('The request id {0} is not on one line.', show(text)) };
  if (Array.from(text).length <= MAX_REQUEST_ID) return { value: text };
  return { wrong: t('The request id {0} is longer than 256 characters. Shorten it.', show(text)) };
}

/** Parses the facts that callbacks repeat, at most 4 KiB. */
export function readMetadata(text: string): Meaning<string> {
  if (Buffer.byteLength(text) <= MAX_METADATA_BYTES) return { value: text };
  return { wrong: t('The metadata is longer than 4 KiB. Shorten it.') };
}

/** Parses words separated by `|`. Each counts once. */
export function readTags(text: string): Meaning<readonly string[]> {
  const tags = text.split('|').map((tag) => tag.trim());
  if (tags.every((tag) => tag !== '')) return { value: [...new Set(tags)] };
  return { wrong: t('The tags {0} are not words with | between them, such as docs|urgent.', show(text)) };
}

/** Most bytes of a text for the system prompt. It is a part of one argument, and Linux takes 128 KiB for that. */
const MAX_SYSTEM_PROMPT_BYTES = 64 * 1024;

/** Parses a text for the system prompt. Refuses what does not fit into an argument. */
export function readSystemPrompt(text: string): Meaning<string> {
  if (text.includes('\0'))
    return { wrong: t('The text for the system prompt contains a NUL character. Remove it.') };
  if (Buffer.byteLength(text) <= MAX_SYSTEM_PROMPT_BYTES) return { value: text };
  return {
    wrong: t(
      'The text for the system prompt is longer than 64 KiB. Shorten it, or move a part into the prompt.',
    ),
  };
}

/** Parses a prompt. Refuses white space alone. */
export function readPrompt(text: string): Meaning<string> {
  return text.trim() === ''
    ? { wrong: t('The prompt is missing. Write what Claude Code should do.') }
    : { value: text };
}

function wholeNumber(text: string): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : null;
}

function show(text: string): string {
  return JSON.stringify(abbreviate(text, MAX_SHOWN));
}
