/** Part of a field of a state. */
export interface FieldPart {
  readonly field: string;
  /** Part of a list, part of a map as a list of pairs, or the whole of anything else. */
  readonly value: unknown;
}

/** Elements in one part. Composing and reading one takes a millisecond or two. */
const PART_LENGTH = 500;

/** Yields all parts of a state. Only whole fields may be maps; their values are plain JSON. */
export function* composeParts(fields: object): Generator<FieldPart> {
  for (const [field, whole] of Object.entries(fields)) {
    for (const value of partsOf(whole)) yield { field, value };
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
export function restoreField(fields: object, { field, value }: FieldPart): void {
  // The field name was read: check that the state has it.
  if (!Object.hasOwn(fields, field)) return;
  const existing: unknown = Reflect.get(fields, field);
  if (existing instanceof Map) {
    for (const [key, one] of value as [unknown, unknown][]) existing.set(key, one);
  } else if (Array.isArray(existing)) {
    for (const one of value as unknown[]) existing.push(one);
  } else Reflect.set(fields, field, value);
}
