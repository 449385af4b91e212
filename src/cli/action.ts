import type { Command, OptionValues } from 'commander';
import type { Context } from './context';

/** What a command does; gives its exit code. */
export type Action<O extends OptionValues = OptionValues> = (
  context: Context,
  args: readonly string[],
  options: O,
) => Promise<number>;

/** Gives a command its action: errors become messages, the answer the exit code. */
export type Act = (command: Command, action: Action) => void;
