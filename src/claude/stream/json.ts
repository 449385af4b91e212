import { isObject } from '../../platform/text/shapes';

/** JSON from outside, read without trusting its shape: what is missing or of another type is undefined. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** `value` as an object; an empty one where it is something else. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** `value` as a list; an empty one where it is something else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `value` where it is a text with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `value` where it is a finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** `T` where a member that may be undefined may be left out instead. */
export type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** The same object without the members that are undefined. */
export function compact<T extends object>(value: T): Compact<T> {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as Compact<T>;
}

/** The object that a text holds, or null where it holds none. */
export function parseObject(text: string): JsonObject | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // Not JSON is an answer here, not a failure: the caller keeps the line as text.
    return null;
  }
}
