import { Command, CommanderError, Option } from 'commander';
import { describeError } from '../app/present/problems/problem';
import { Fenced, Problem, type ProblemReason } from '../domain/problem';
import { version } from '../../package.json';
import { clean } from '../platform/text/plainText';
import type { Act } from './action';
import { defineAccept } from './commands/rows/accept';
import { defineAdd } from './commands/rows/add';
import { defineAdopt } from './commands/queue/adopt';
import { defineAllow } from './commands/rows/allow';
import { defineAnswer } from './commands/rows/answer';
import { defineComment } from './commands/rows/comment';
import { defineApprove, defineTrust } from './commands/rows/approve';
import { defineAttach } from './commands/look/attach';
import { defineCheck } from './commands/look/check';
import { defineCompletion } from './commands/queue/completion';
import { defineHold, defineResume, defineStop } from './commands/run/control';
import { defineCancel, defineRetry } from './commands/rows/decide';
import { defineDiff } from './commands/look/diff';
import { defineEdit } from './commands/rows/edit';
import { defineHistory } from './commands/look/history';
import { defineExport } from './commands/queue/exportRows';
import { defineImport } from './commands/queue/importRows';
import { defineInit } from './commands/queue/init';
import { defineList } from './commands/look/list';
import { defineLog } from './commands/look/log';
import { defineEnds, defineNext } from './commands/rows/next';
import { defineReport } from './commands/look/report';
import { defineMetrics } from './commands/look/metrics';
import { defineRehearse } from './commands/look/rehearse';
import { defineReplay } from './commands/look/replay';
import { defineReview } from './commands/look/review';
import { defineReset } from './commands/queue/reset';
import { defineSchedule } from './commands/run/schedule';
import { defineSimulate } from './commands/look/simulate';
import { defineSettings } from './commands/queue/settings';
import { defineShow } from './commands/look/show';
import { defineStatus } from './commands/look/status';
import { defineUsage } from './commands/look/usage';
import { defineWhy } from './commands/look/why';
import { defineUndo } from './commands/rows/undo';
import { defineMove } from './commands/rows/move';
import { defineRm } from './commands/rows/rm';
import { defineRun } from './commands/run/run';
import { defineWork } from './commands/run/work';
import { Context, type ColourOptions, type GlobalOptions } from './context';
import { AT_LIMIT, FAILED, OK, WRONG_CALL } from './exitCodes';
import type { System } from './system';
import { setCommandName } from '../platform/text/commandName';

/** Functions that define the commands, in the order of the help. */
export const DEFINITIONS = [
  defineInit,
  defineCheck,
  defineStatus,
  defineList,
  defineShow,
  defineWhy,
  defineLog,
  defineDiff,
  defineHistory,
  defineReport,
  defineReview,
  defineReplay,
  defineMetrics,
  defineAdd,
  defineEdit,
  defineMove,
  defineRm,
  defineApprove,
  defineTrust,
  defineAllow,
  defineRehearse,
  defineSimulate,
  defineNext,
  defineEnds,
  defineRun,
  defineWork,
  defineAttach,
  defineStop,
  defineHold,
  defineResume,
  defineRetry,
  defineAccept,
  defineCancel,
  defineAnswer,
  defineComment,
  defineUndo,
  defineUsage,
  defineSchedule,
  defineSettings,
  defineReset,
  defineAdopt,
  defineImport,
  defineExport,
  defineCompletion,
];

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
  for (const define of DEFINITIONS) define(program, act);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return explainFailure(error, system);
  }
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
