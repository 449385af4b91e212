import type { Command, OptionValues } from 'commander';
import type { Context } from './context';

/** Action of a command; returns its exit code. */
export type Action<O extends OptionValues = OptionValues> = (
  context: Context,
  args: readonly string[],
  options: O,
) => Promise<number>;

/** Sets the action of a command: errors become messages, and the result becomes the exit code. */
export type Act = (command: Command, action: Action) => void;
