/** A text that others wrote, for a list, a lens or the status bar: its `$(name)` would be drawn there as an icon. */
export function hideIcons(text: string): string {
  return text.replaceAll('$(', `$${WORD_JOINER}(`);
}

/** Has no width. */
const WORD_JOINER = '\u2060';
