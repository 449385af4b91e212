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

/** Workers that take tasks of some priorities, and the number of tasks that they run at a time. */
export interface Pool {
  /** Absent: a shared pool, which takes all. */
  readonly priorities?: readonly Priority[];
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
  refuseOthers(fields, ['priorities', 'min', 'max']);
  const priorities = readPriorities(fields);
  const min = readCount(fields, 'min', 0) ?? 1;
  const max = readCount(fields, 'max', 1) ?? Math.max(min, 1);
  if (max < min) throw wrongField('max', { kind: 'at-least-min', min }, max);
  return { ...(priorities === undefined ? {} : { priorities }), min, max };
}

function readCount(fields: Fields, name: string, least: number): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw wrongField(name, { kind: 'number', isWhole: true, min: least }, value);
}
