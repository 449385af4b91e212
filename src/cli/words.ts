import { clean } from '../claude/plain';
import { Problem } from '../domain/problem';
import type { TaskId } from '../domain/task';

/** A task's id as a person types it. @throws Problem `usage` */
export function parseId(text: string): TaskId {
  return parsePositive(text) ?? refuse(`"${text}" is not a task's id: ids are whole numbers from 1.`);
}

/** How many, as a person types it. @throws Problem `usage` */
export function parseCount(text: string): number {
  return parsePositive(text) ?? refuse(`"${text}" is not a count: give a whole number from 1.`);
}

function parsePositive(text: string): number | null {
  const number = Number(text);
  return /^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number) ? number : null;
}

function refuse(message: string): never {
  throw new Problem('usage', message);
}

/** The first line of a text, cut to `width` characters, without anything that steers a terminal. */
export function shorten(text: string, width: number): string {
  const [line = ''] = clean(text).trim().split('\n', 1);
  const characters = Array.from(line.trimEnd());
  return characters.length <= width
    ? characters.join('')
    : `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}

/** `1 task`, `2 tasks`. */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** A value for programs. What would steer a terminal is escaped, so that it may be shown as it is. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
