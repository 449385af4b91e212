import { parsePriority, PRIORITIES, type Priority } from '../../domain/task/priority';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';

/** A task's id as the user types it. @throws Problem `usage` */
export function parseId(text: string): TaskId {
  return parsePositive(text) ?? refuse(`"${text}" is not a task's id: ids are whole numbers from 1.`);
}

/** Ids as the user types them: several words, or with commas between; each once. @throws Problem `usage` */
export function parseIds(texts: readonly string[]): readonly TaskId[] {
  return [...new Set(texts.flatMap((text) => text.split(',')).map(parseId))];
}

/** How many, as the user types it. @throws Problem `usage` */
export function parseCount(text: string): number {
  return parsePositive(text) ?? refuse(`"${text}" is not a count: give a whole number from 1.`);
}

/** Priorities as the user types them, with commas between; highest first. @throws Problem `usage` */
export function parsePriorities(text: string): readonly Priority[] {
  const named = text.split(',').map((word) => {
    const priority = word.trim() === '' ? null : parsePriority(word);
    return (
      priority ?? refuse(`"${word}" is not a priority: give ${PRIORITIES.join(', ')}, with commas between.`)
    );
  });
  return PRIORITIES.filter((priority) => named.includes(priority));
}

function parsePositive(text: string): number | null {
  const number = Number(text);
  return /^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number) ? number : null;
}

function refuse(message: string): never {
  throw new Problem('usage', message);
}

/** A value for programs. What would steer a terminal is escaped, so that it may be shown as it is. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
