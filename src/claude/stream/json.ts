import { isObject } from '../../platform/text/shapes';

/**
 * JSON from outside, read without trusting its shape. Members that are missing or of another type are
 * undefined.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns `value` as an object; an empty one if it is something else. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns `value` if it is a text that is not empty. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns `value` if it is a finite number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** `T` with optional members in place of those that may be undefined. */
export type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** Returns the object without its undefined members. */
export function compact<T extends object>(value: T): Compact<T> {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as Compact<T>;
}

/** Returns the object that a text holds, or null if it holds none. */
export function parseObject(text: string): JsonObject | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // Text that is not JSON is no error here: the caller keeps the line as text.
    return null;
  }
}
