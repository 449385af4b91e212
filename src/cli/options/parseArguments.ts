import { parsePriority, PRIORITIES, type Priority } from '../../domain/task/priority';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';

/** Parses the id of a task. @throws Problem `usage` */
export function parseId(text: string): TaskId {
  return parsePositive(text) ?? refuse(`"${text}" is not a task's id: ids are whole numbers from 1.`);
}

/** Collects the values of an option that may be repeated. */
export function collectTexts(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

/** Parses ids: several words, or separated by commas; each once. @throws Problem `usage` */
export function parseIds(texts: readonly string[]): readonly TaskId[] {
  return [...new Set(texts.flatMap((text) => text.split(',')).map(parseId))];
}

/** Parses a count. @throws Problem `usage` */
export function parseCount(text: string): number {
  return parsePositive(text) ?? refuse(`"${text}" is not a count: give a whole number from 1.`);
}

/** Parses priorities, separated by commas; returns the highest first. @throws Problem `usage` */
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

/** Formats a value as JSON. Escapes control characters of terminals, so that it is safe to print. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
