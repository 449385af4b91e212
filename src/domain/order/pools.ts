import type { WorkerChoice } from '../queue/view';
import type { Priority } from '../task/priority';
import type { Slots } from './slots';
import {
  findTags,
  readFields,
  readPriorities,
  readWhole,
  refuseOthers,
  within,
  wrongField,
  wrongWhole,
  type Checked,
  type Fields,
} from '../settings/structuredSettings';

/** Parses a number of slots: `3`, or `1-4`, which scales with the backlog; null: it is none. */
export function parseSlots(text: string): Slots | null {
  const match = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(text);
  if (match === null) return null;
  const [, least = '', most = least] = match;
  const slots = { min: Number(least), max: Number(most) };
  return slots.min >= 1 && slots.min <= slots.max && Number.isSafeInteger(slots.max) ? slots : null;
}

/** Workers that take tasks of some priorities or tags, and the number of tasks that they run at a time. */
export interface Pool extends Slots {
  /** Absent: tasks of all priorities. */
  readonly priorities?: readonly Priority[];
  /** Absent: tasks with any tags, or none. */
  readonly tags?: readonly string[];
}

/** Fields of a pool in the setting `pools`. */
export const POOL_FIELDS = ['priorities', 'tags', 'min', 'max'] as const;

/** The pools of a queue, by name. */
export type Pools = ReadonlyMap<string, Pool>;

/**
 * Returns the name of a pool that the settings do not name: the same for workers that take the same tasks. With `--alone`, one
 * of them runs on a machine; workers of other pools run beside it.
 */
export function nameUnnamedPool({ priorities = [], tags = [], users = [], stealFrom }: WorkerChoice): string {
  // Without `stealFrom`, users are only served first.
  const served = stealFrom === undefined ? [] : [...new Set([...users, ...stealFrom])];
  return [
    ...priorities,
    ...[...tags].sort().map((tag) => `#${tag}`),
    ...served.sort().map((user) => `@${user}`),
  ].join(',');
}

/** Reads the setting `pools`. */
export function readPools(value: unknown): Checked<Pools> {
  return readWhole(() => {
    const entries = Object.entries(readFields(value));
    return new Map(entries.map(([name, pool]) => [checkName(name), within(name, () => readPool(pool))]));
  });
}

function checkName(name: string): string {
  if (/^[a-z][a-z0-9-]*$/i.test(name)) return name;
  throw wrongWhole('pool-name', name);
}

function readPool(value: unknown): Pool {
  const fields = readFields(value);
  refuseOthers(fields, POOL_FIELDS);
  const priorities = readPriorities(fields);
  const tags = readTags(fields);
  const min = readCount(fields, 'min', 0) ?? 1;
  const max = readCount(fields, 'max', 1) ?? Math.max(min, 1);
  if (max < min) throw wrongField('max', { kind: 'at-least-min', min }, max);
  return {
    ...(priorities === undefined ? {} : { priorities }),
    ...(tags === undefined ? {} : { tags }),
    min,
    max,
  };
}

function readTags(fields: Fields): readonly string[] | undefined {
  const value = fields['tags'];
  if (value === undefined) return undefined;
  const tags = findTags(value);
  if (tags !== null) return tags;
  throw wrongField('tags', { kind: 'tags' }, value);
}

function readCount(fields: Fields, name: string, least: number): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw wrongField(name, { kind: 'number', isWhole: true, min: least }, value);
}
