/** State of a queue file: the fields of its queue, and its own. */
interface Whole {
  readonly queue: object;
}

/** Part of one field of a state. A journal's generation opens with all parts. */
export interface SnapshotPart {
  readonly of: 'queue' | 'file';
  readonly field: string;
  /** Part of a list, part of a map as a list of pairs, or the whole of anything else. */
  readonly value: unknown;
}

/** Elements in one part. Composing and reading one takes a millisecond or two. */
const PART_LENGTH = 500;

/** Yields all parts of a state. Only whole fields may be maps; their values are plain JSON. */
export function* composeSnapshot(state: Whole): Generator<{ readonly snapshot: SnapshotPart }> {
  const { queue, ...file } = state;
  for (const [of, fields] of [['queue', queue] as const, ['file', file] as const]) {
    for (const [field, whole] of Object.entries(fields)) {
      for (const value of partsOf(whole)) yield { snapshot: { of, field, value } };
    }
  }
}

function* partsOf(whole: unknown): Generator {
  if (!(whole instanceof Map) && !Array.isArray(whole)) {
    yield whole;
    return;
  }
  let part: unknown[] = [];
  for (const one of whole) {
    part.push(one);
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Restores a part into a state that started empty. Ignores fields that a newer program added. */
export function restorePart(state: Whole, { of, field, value }: SnapshotPart): void {
  // The field name comes from the journal: check that the state has it.
  const fields: object = of === 'queue' ? state.queue : state;
  if (!Object.hasOwn(fields, field)) return;
  const existing: unknown = Reflect.get(fields, field);
  if (existing instanceof Map) {
    for (const [key, one] of value as [unknown, unknown][]) existing.set(key, one);
  } else if (Array.isArray(existing)) {
    for (const one of value as unknown[]) existing.push(one);
  } else Reflect.set(fields, field, value);
}
