import type { Command } from 'commander';
import type { Act } from './action';
import { defineAttach } from './commands/look/attach';
import { defineCheck } from './commands/look/check';
import { defineDiff } from './commands/look/diff';
import { defineHistory } from './commands/look/history';
import { defineList } from './commands/look/list';
import { defineLog } from './commands/look/log';
import { defineMetrics } from './commands/look/metrics';
import { defineRehearse } from './commands/look/rehearse';
import { defineReplay } from './commands/look/replay';
import { defineReport } from './commands/look/report';
import { defineReview } from './commands/look/review';
import { defineShow } from './commands/look/show';
import { defineSimulate } from './commands/look/simulate';
import { defineStatus } from './commands/look/status';
import { defineUsage } from './commands/look/usage';
import { defineWhy } from './commands/look/why';
import { defineAdopt } from './commands/queue/adopt';
import { defineCompletion } from './commands/queue/completion';
import { defineExport } from './commands/queue/exportRows';
import { defineImport } from './commands/queue/importRows';
import { defineInit } from './commands/queue/init';
import { defineReset } from './commands/queue/reset';
import { defineSettings } from './commands/queue/settings';
import { defineAccept } from './commands/rows/accept';
import { defineAdd } from './commands/rows/add';
import { defineAllow } from './commands/rows/allow';
import { defineAnswer } from './commands/rows/answer';
import { defineApprove, defineTrust } from './commands/rows/approve';
import { defineComment } from './commands/rows/comment';
import { defineCancel, defineRetry } from './commands/rows/decide';
import { defineEdit } from './commands/rows/edit';
import { defineMove } from './commands/rows/move';
import { defineEnds, defineNext } from './commands/rows/next';
import { defineRm } from './commands/rows/rm';
import { defineUndo } from './commands/rows/undo';
import { defineHold, defineResume, defineStop } from './commands/run/control';
import { defineRun } from './commands/run/run';
import { defineSchedule } from './commands/run/schedule';
import { defineWork } from './commands/run/work';

/** The commands under the headings of the help, in its order. */
const COMMAND_GROUPS: readonly (readonly [
  heading: string,
  ...define: ((program: Command, act: Act) => void)[],
])[] = [
  ['Write tasks:', defineInit, defineAdd, defineEdit, defineMove, defineRm, defineImport, defineExport],
  ['Check and approve:', defineCheck, defineApprove, defineTrust, defineAllow, defineRehearse],
  ['Run tasks:', defineWork, defineAttach, defineStop, defineHold, defineResume, defineRun, defineSchedule],
  [
    'Look at tasks and attempts:',
    defineStatus,
    defineList,
    defineShow,
    defineWhy,
    defineLog,
    defineDiff,
    defineHistory,
    defineUsage,
  ],
  [
    'Decide about results:',
    defineReview,
    defineAccept,
    defineAnswer,
    defineComment,
    defineRetry,
    defineCancel,
    defineUndo,
  ],
  ['Before and after a night:', defineSimulate, defineReport, defineReplay, defineMetrics],
  ['Do a task by hand:', defineNext, defineEnds],
  ['Set up:', defineSettings, defineAdopt, defineReset, defineCompletion],
];

/** Adds every command to the program, under the headings of its help. */
export function defineCommands(program: Command, act: Act): void {
  for (const [heading, ...definitions] of COMMAND_GROUPS) {
    program.commandsGroup(heading);
    for (const define of definitions) define(program, act);
  }
  // Under the last heading, too.
  program.helpCommand(true);
}
