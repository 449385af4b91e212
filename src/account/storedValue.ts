import { Problem } from '../domain/problem';
import { type Check, isNumber, isObject } from '../platform/text/shapes';
import { t } from '../platform/text/translate';

/** Format of stored values. */
const VERSION = 1;

interface Stored<T> {
  readonly version: number;
  readonly value: T;
}

/** A kind of value that is stored as a JSON text. */
export interface ValueFormat<T> {
  /** The value where none was stored. */
  readonly empty: T;
  readonly isRight: Check<T>;
  /** Whether a valid value holds something that only a later version writes. */
  readonly isOfLaterProgram?: (value: T) => boolean;
}

/**
 * Returns the value of a stored text; null: nothing was stored.
 * @param name where the text is, for messages
 * @throws Problem `state-newer`, `state-damaged`
 */
export function parseStored<T>(text: string | null, name: string, format: ValueFormat<T>): T {
  if (text === null) return format.empty;
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    throw damaged(name, error);
  }
  if (!isStored(stored)) throw damaged(name);
  const { version, value } = stored;
  if (version > VERSION) throw newer(name);
  if (!format.isRight(value)) throw damaged(name);
  if (format.isOfLaterProgram?.(value) === true) throw newer(name);
  return value;
}

/** Returns the text to store for a value. */
export function formatStored(value: unknown): string {
  const stored: Stored<unknown> = { version: VERSION, value };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

function isStored(stored: unknown): stored is Stored<unknown> {
  return isObject(stored) && isNumber(stored['version']) && 'value' in stored;
}

function newer(name: string): Problem {
  const message = t('{0} was written by a newer version of this program. Update this one.', name);
  return new Problem('state-newer', message);
}

function damaged(name: string, cause?: unknown): Problem {
  const message = t('{0} was not written by this program. Remove it to start over.', name);
  return new Problem('state-damaged', message, { cause });
}
