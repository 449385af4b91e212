/** Character without width. */
const WORD_JOINER = '\u2060';

/** Breaks `$(name)` in a text that others wrote: lists, lenses and the status bar would draw it as an icon. */
export function hideIcons(text: string): string {
  return text.replaceAll('$(', `$${WORD_JOINER}(`);
}

/**
 * Breaks icons and links in a text that others wrote. Messages, the prompt of an input box and the message of a view would
 * make `[words](command:name)` a link that runs a command of VS Code.
 */
export function hideLinks(text: string): string {
  return hideIcons(text).replaceAll('](', `]${WORD_JOINER}(`);
}
