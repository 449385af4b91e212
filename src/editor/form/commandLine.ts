/**
 * Returns the program and its arguments as words separated by spaces, where quotes keep spaces; null if a quote does not
 * end. Nothing else has a meaning: the words never reach a shell.
 */
export function splitCommand(text: string): readonly string[] | null {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  // A quote that is left over belongs to no word.
  if (/["']/.test(text.replaceAll(/"[^"]*"|'[^']*'/g, ''))) return null;
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** Formats a program and its arguments as words where that keeps their meaning, else as JSON. */
export function formatCommand(words: readonly string[]): string {
  const text = words.map((word) => (/^[^\s"']+$/.test(word) ? word : `"${word}"`)).join(' ');
  // A field of one line would lose line ends; JSON escapes them.
  const isKept = JSON.stringify(splitCommand(text)) === JSON.stringify(words) && !/^\[|[\r\n]/.test(text);
  return isKept ? text : JSON.stringify(words);
}
