let name = 'claude-queue';

/**
 * Sets how the user calls this program, for all hints from now on: with the options that name the queue, such as
 * `claude-queue --queue team.csv`.
 */
export function setCommandName(text: string): void {
  name = text;
}

/** Returns a command of this program as the user can type it; `words` follow its name. */
export function commandOf(words: string): string {
  return `${name} ${words}`;
}

/** Returns a command of this program in quotes, for the middle of a sentence. */
export function quoteCommand(words: string): string {
  return `"${commandOf(words)}"`;
}
