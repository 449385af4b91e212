/** A change of a text. Its places count UTF-16 code units, as editors do. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The same, its places in bytes of UTF-8. */
export type ByteEdit = TextEdit;

/**
 * The edits in the order of their places, in the text that `bytes` hold. Those that touch become one: editors differ in
 * what comes first at one place. They must not overlap; of those at the same place the earlier in the list comes first.
 */
export function toTextEdits(bytes: Buffer, edits: readonly ByteEdit[]): readonly TextEdit[] {
  const joined: ByteEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last?.end !== edit.start) joined.push(edit);
    else joined[joined.length - 1] = { start: last.start, end: edit.end, text: last.text + edit.text };
  }
  let at = 0;
  let place = 0;
  const placeOf = (byte: number): number => {
    place += bytes.toString('utf8', at, byte).length;
    at = byte;
    return place;
  };
  return joined.map(({ start, end, text }) => ({ start: placeOf(start), end: placeOf(end), text }));
}
