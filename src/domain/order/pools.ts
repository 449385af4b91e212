import type { Priority } from '../task/priority';
import {
  readFields,
  readPriorities,
  readWhole,
  refuseOthers,
  within,
  wrongField,
  wrongWhole,
  type Checked,
  type Fields,
} from '../settings/settingShape';

/** Workers that take tasks of some priorities or tags, and the number of tasks that they run at a time. */
export interface Pool {
  /** Absent: tasks of all priorities. */
  readonly priorities?: readonly Priority[];
  /** Absent: tasks with any tags, or none. */
  readonly tags?: readonly string[];
  readonly min: number;
  readonly max: number;
}

/** The pools of a queue, by name. */
export type Pools = ReadonlyMap<string, Pool>;

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
  refuseOthers(fields, ['priorities', 'tags', 'min', 'max']);
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
  const tags = Array.isArray(value)
    ? value.map((tag: unknown) => (typeof tag === 'string' ? tag.trim() : ''))
    : [];
  if (tags.length > 0 && !tags.includes('')) return tags;
  throw wrongField('tags', { kind: 'tags' }, value);
}

function readCount(fields: Fields, name: string, least: number): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw wrongField(name, { kind: 'number', isWhole: true, min: least }, value);
}
