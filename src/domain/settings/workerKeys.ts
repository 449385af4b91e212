import { parseSlots } from '../order/pools';
import type { Slots } from '../order/slots';
import type { Priority } from '../task/priority';
import { LONGEST_MS } from '../time/duration';
import { findPriorities, findTags, findWords, type Expected } from './structuredSettings';

/** Reader of a value. */
export interface Reader<T> {
  /** Returns the value as it is used; null: it is wrong. */
  readonly read: (value: unknown) => T | null;
  readonly expected: Expected;
  /** Returns what a file would hold for a variable's text. */
  readonly fromText: (text: string) => unknown;
}

const asIs = (text: string): unknown => text;
const toList = (text: string): unknown => text.split(',');
const toNumber = (text: string): unknown => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);

function textOf(pattern: RegExp, expected: Expected): Reader<string> {
  const read = (value: unknown): string | null =>
    typeof value === 'string' && pattern.test(value) ? value : null;
  return { read, expected, fromText: asIs };
}

function numberFrom(min: number, max: number, isWhole: boolean): Reader<number> {
  const read = (value: unknown): number | null => {
    if (typeof value !== 'number' || !(value >= min && value <= max)) return null;
    return isWhole && !Number.isInteger(value) ? null : value;
  };
  return { read, expected: { kind: 'number', isWhole, min, max }, fromText: toNumber };
}

const NAME = textOf(/^[\w.:@-]{1,64}$/, { kind: 'worker-name' });
const TEXT = textOf(/^\S+$/, { kind: 'text' });
const HOST = textOf(/^[^\s/@]+$/, { kind: 'host' });
const USERS: Reader<readonly string[]> = { read: findWords, expected: { kind: 'users' }, fromText: toList };
const TAGS: Reader<readonly string[]> = { read: findTags, expected: { kind: 'tags' }, fromText: toList };

const PRIORITIES: Reader<readonly Priority[]> = {
  read: (value) => {
    const found = findPriorities(value);
    return found?.length === 0 ? null : found;
  },
  expected: { kind: 'some-priorities' },
  fromText: toList,
};

const SLOTS: Reader<Slots> = {
  read: (value) => (['number', 'string'].includes(typeof value) ? parseSlots(String(value)) : null),
  expected: { kind: 'slots' },
  fromText: asIs,
};

const BOOLEAN: Reader<boolean> = {
  read: (value) => (typeof value === 'boolean' ? value : null),
  expected: { kind: 'boolean' },
  fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** A password: everyone who can read the file would have it. */
const NO_PASSWORD: Reader<never> = {
  read: () => null,
  expected: { kind: 'no-password' },
  fromText: asIs,
};

/** Keys of a worker file by section, with the variable that overrides each. */
export const WORKER_KEYS = {
  worker: {
    id: { variable: 'CLAUDE_QUEUE_WORKER_ID', reader: NAME },
    assigned_users: { variable: 'CLAUDE_QUEUE_ASSIGNED_USERS', reader: USERS },
    steal_targets: { variable: 'CLAUDE_QUEUE_STEAL_TARGETS', reader: USERS },
    priorities: { variable: 'CLAUDE_QUEUE_PRIORITIES', reader: PRIORITIES },
    tags: { variable: 'CLAUDE_QUEUE_TAGS', reader: TAGS },
    slots: { variable: 'CLAUDE_QUEUE_SLOTS', reader: SLOTS },
    poll_interval_seconds: {
      variable: 'CLAUDE_QUEUE_POLL_INTERVAL_SECONDS',
      reader: numberFrom(0.1, 3600, false),
    },
    task_timeout_seconds: {
      variable: 'CLAUDE_QUEUE_TASK_TIMEOUT_SECONDS',
      reader: numberFrom(1, LONGEST_MS / 1000, false),
    },
  },
  redis: {
    host: { variable: 'CLAUDE_QUEUE_REDIS_HOST', reader: HOST },
    port: { variable: 'CLAUDE_QUEUE_REDIS_PORT', reader: numberFrom(1, 65_535, true) },
    db: { variable: 'CLAUDE_QUEUE_REDIS_DB', reader: numberFrom(0, 2 ** 31 - 1, true) },
    tls: { variable: 'CLAUDE_QUEUE_REDIS_TLS', reader: BOOLEAN },
    username: { variable: 'CLAUDE_QUEUE_REDIS_USERNAME', reader: TEXT },
    queue: { variable: 'CLAUDE_QUEUE_REDIS_QUEUE', reader: TEXT },
    // A variable may hold it, but the code that connects reads that one.
    password: { variable: undefined, reader: NO_PASSWORD },
  },
} as const;

/** Keys of a section. Only a key with a variable may be in a file. */
export type WorkerKeys = Readonly<
  Record<string, { readonly variable: string | undefined; readonly reader: Reader<unknown> }>
>;

/** Variables over a worker file, and those for the password. */
export const WORKER_VARIABLES: readonly string[] = [
  ...Object.values<WorkerKeys>(WORKER_KEYS)
    .flatMap((keys) => Object.values(keys).map(({ variable }) => variable))
    .filter((variable) => variable !== undefined),
  'CLAUDE_QUEUE_REDIS_PASSWORD',
  'CLAUDE_QUEUE_REDIS_PASSWORD_FILE',
  'CLAUDE_QUEUE_REDIS_CA_FILE',
];
