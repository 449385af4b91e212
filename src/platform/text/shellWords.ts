/** Quotes one word for `sh` and the shells like it. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes one word as `quoteWord` does, unless it means the same without. For commands that the user copies. */
export function quoteIfNeeded(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : quoteWord(word);
}
