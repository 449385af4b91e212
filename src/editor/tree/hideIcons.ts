/** Breaks `$(name)` in a text that others wrote: lists, lenses and the status bar would draw it as an icon. */
export function hideIcons(text: string): string {
  return text.replaceAll('$(', `$${WORD_JOINER}(`);
}

/** Character without width. */
const WORD_JOINER = '\u2060';
