import type { Context } from '../context';

/**
 * Returns what the user writes to Claude: words of the command line, or standard input for "-" and, without a terminal, for
 * no words. Null if there is nothing to read.
 */
export async function readUserText({ system }: Context, words: readonly string[]): Promise<string | null> {
  const isFromInput = words.length === 0 ? system.keyboard === null : words.length === 1 && words[0] === '-';
  if (isFromInput) return system.readInput();
  return words.length > 0 ? words.join(' ') : null;
}
