import type { FileState } from '../../../src/queue/file/fileState';

/** A state as a fixture holds it: maps as `{ map: pairs }`. */
export function plainState({ queue, ...file }: FileState): Readonly<Record<string, unknown>> {
  return plain({ queue, ...file }) as Readonly<Record<string, unknown>>;
}

function plain(value: unknown): unknown {
  if (value instanceof Map)
    return { map: [...value].map(([key, one]: [unknown, unknown]) => [key, plain(one)]) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
