import type { Command, Option } from 'commander';

/** Command for completion. */
export interface CompletedCommand {
  /** Its name, then its aliases. */
  readonly names: readonly string[];
  readonly does: string;
  readonly options: readonly CompletedOption[];
}

/** Option for completion. */
export interface CompletedOption {
  /** Flags as typed: `--all`, `-a`. */
  readonly flags: readonly string[];
  readonly does: string;
  readonly takesValue: boolean;
  /** Values to choose from; empty if it takes any value. */
  readonly choices: readonly string[];
}

/** Everything that can be typed, from the program's own table of commands. */
export interface CompletedProgram {
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
}

/** Reads the table of a program's commands. */
export function readProgram(program: Command): CompletedProgram {
  return {
    options: readOptions(program),
    commands: program.commands.map((command) => ({
      names: [command.name(), ...command.aliases()],
      does: command.description(),
      options: readOptions(command),
    })),
  };
}

function readOptions({ options }: Command): CompletedOption[] {
  const own = options.filter(({ hidden }) => !hidden).map(readOption);
  return [...own, { flags: ['--help', '-h'], does: 'display help', takesValue: false, choices: [] }];
}

function readOption({ long, short, description, required, optional, argChoices }: Option): CompletedOption {
  return {
    flags: [long, short].filter((flag) => typeof flag === 'string'),
    does: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}
