/** Change of a text. Its offsets count UTF-16 code units, as editors do. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Change of a text. Its offsets count bytes of UTF-8. */
export type ByteEdit = TextEdit;

/**
 * Returns the edits of the text in `bytes`, sorted by offset. Edits that touch become one, because editors order
 * edits at one offset differently. They must not overlap; at the same offset the earlier in the list comes first.
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
