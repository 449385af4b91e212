import { Command, CommanderError, Help, Option } from 'commander';
import { describeError } from '../app/present/problems/problem';
import { Fenced, Problem, type ProblemReason } from '../domain/problem';
import { version } from '../../package.json';
import { clean } from '../platform/text/plainText';
import type { Act } from './action';
import { defineCommands } from './commandGroups';
import { Context, type ColourOptions, type GlobalOptions } from './context';
import { AT_LIMIT, FAILED, OK, WRONG_CALL } from './exitCodes';
import type { System } from './system';
import { setCommandName } from '../platform/text/commandName';

/** Runs one command line and returns its exit code; never rejects. */
export async function runProgram(args: readonly string[], system: System): Promise<number> {
  let code = OK;
  const program = new Command('claude-queue')
    .description('A queue of tasks for Claude Code. Not made by Anthropic.')
    .version(version)
    .option(
      '--queue <file>',
      'the queue file (default: claude_queue/prompts.csv here or in the nearest folder above)',
    )
    .option(
      '--redis <url>',
      'a queue in Redis instead of a file, such as rediss://user@host:6379/0?queue=team (default: the variable CLAUDE_QUEUE_REDIS)',
    )
    .option('--claude <path>', 'the claude program (default: the one on the PATH)')
    .addOption(
      new Option('--color <when>', 'use colours (auto: in a terminal, unless NO_COLOR is set)')
        .choices(['auto', 'always', 'never'])
        .default('auto'),
    )
    .showHelpAfterError('(see --help)')
    .exitOverride()
    .configureHelp({ subcommandTerm: nameCommand })
    .configureOutput({
      writeOut: (text) => {
        system.out(text.trimEnd());
      },
      writeErr: (text) => {
        system.err(text.trimEnd());
      },
    });
  const act: Act = (command, action) => {
    command.action(async () => {
      const { color, ...options } = program.opts<GlobalOptions & ColourOptions>();
      if (color !== 'auto') system.setColours(color === 'always');
      const context = new Context(options, system);
      setCommandName(context.command);
      code = await action(context, command.args, command.opts());
    });
  };
  defineCommands(program, act);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return explainFailure(error, system);
  }
}

/** Returns a command as the list of commands shows it: nearly all have options. */
function nameCommand(command: Command): string {
  return new Help().subcommandTerm(command).replace(' [options]', '');
}

/** Reasons for which nothing was tried: the user has to change the call or the settings. */
const WRONG_CALLS: readonly ProblemReason[] = ['usage', 'settings-invalid'];

function explainFailure(error: unknown, system: System): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? OK : WRONG_CALL;
  // The task was returned or ended by others between two steps of this command.
  if (error instanceof Fenced) {
    system.err(clean(describeError(error)));
    return FAILED;
  }
  if (error instanceof Problem) {
    system.err(clean(describeError(error)));
    if (error.reason === 'not-paid') return AT_LIMIT;
    return WRONG_CALLS.includes(error.reason) ? WRONG_CALL : FAILED;
  }
  system.err(clean(describeUnexpected(error)));
  return FAILED;
}

/** Describes an unexpected error. A system error is clear by itself; anything else is a bug, so its stack is shown. */
function describeUnexpected(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'syscall' in error ? error.message : (error.stack ?? error.message);
}
