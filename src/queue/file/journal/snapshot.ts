/** A state of a queue file: fields of its queue, and fields of its own. */
interface Whole {
  readonly queue: object;
}

/** A piece of one field of a state: a journal's generation opens with all of them. */
export interface SnapshotPart {
  readonly of: 'queue' | 'file';
  readonly field: string;
  /** A part of a list, or of a map as a list of its pairs, or the whole of anything else. */
  readonly value: unknown;
}

/** As many things are told in one part: composing and reading it takes a millisecond or two. */
const PART_LENGTH = 500;

/** Everything that a state holds, piece by piece. Only whole fields may be maps: what is in them is plain. */
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

/** Puts a piece back into a state that started empty. What a later program has added is left out. */
export function restorePart(state: Whole, { of, field, value }: SnapshotPart): void {
  // Its name is all that the journal says of a field: whether there is one must be looked up.
  const fields: object = of === 'queue' ? state.queue : state;
  if (!Object.hasOwn(fields, field)) return;
  const begun: unknown = Reflect.get(fields, field);
  if (begun instanceof Map) {
    for (const [key, one] of value as [unknown, unknown][]) begun.set(key, one);
  } else if (Array.isArray(begun)) {
    for (const one of value as unknown[]) begun.push(one);
  } else Reflect.set(fields, field, value);
}
