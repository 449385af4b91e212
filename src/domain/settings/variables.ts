/** Values by their variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Prefix of environment variables. */
export const PREFIX = 'CLAUDE_QUEUE_';

/** Variable with the names of the settings that the editor passes as variables, joined by commas. */
export const FROM_EDITOR = 'CLAUDE_QUEUE_FROM_EDITOR';

/** Returns the names of the settings that the editor passes. */
export function namesOfEditor(environment: Environment): readonly string[] {
  return (environment[FROM_EDITOR] ?? '').split(',');
}

/** Returns the environment variable that overrides a setting: `CLAUDE_QUEUE_MAX_PER_HOUR` for `maxPerHour`. */
export function environmentName(name: string): string {
  return `${PREFIX}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
