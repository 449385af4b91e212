/** Quotes one word for `sh` and the shells like it. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes one word as `quote` does, unless it means the same without. For commands that the user copies. */
export function quoteIfNeeded(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : quote(word);
}
