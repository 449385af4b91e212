import { Problem } from '../domain/problem';
import type { TaskId } from '../domain/task';

/** A task's id as a person types it. @throws Problem `usage` */
export function parseId(text: string): TaskId {
  const id = Number(text);
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id;
  throw new Problem('usage', `"${text}" is not a task's id: ids are whole numbers from 1.`);
}

/** The first line of a text, cut to `width` characters; control characters are left out. */
export function shorten(text: string, width: number): string {
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  const characters = Array.from(line.replaceAll(/\p{Cc}/gu, ''));
  return characters.length <= width
    ? characters.join('')
    : `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}

/** `1 task`, `2 tasks`. */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
