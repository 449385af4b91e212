import * as path from 'node:path';
import type { Command, OptionValues } from 'commander';
import { Problem } from '../../domain/problem';
import { isRepository } from '../../domain/task/repository';
import { resolveLinks } from '../../platform/files/paths';
import type { Context } from '../context';
import type { System } from '../system';
import { readTypedCheck, writeTypedInterval, writeTypedTime } from '../../queue/row/typedCells';

/** Options that set a cell: flags, column, description. */
const CELL_OPTIONS = [
  ['--dir <path>', 'working_dir', 'working directory (default for a new task: this folder)'],
  ['--priority <priority>', 'priority', 'critical, high, medium or low'],
  [
    '--at <time>',
    'scheduled_time',
    'start not before this time (22:30, tomorrow 2am, in 2 h or YYYY-MM-DD HH:MM)',
  ],
  ['--after <ids>', 'dependencies', 'start after these tasks are completed (3,4)'],
  ['--every <interval>', 'repeat_interval', 'repeat: 12h, day, week, or a cron expression'],
  ['--max-retries <n>', 'max_retries', 'stop retrying after N failed attempts'],
  ['--user <name>', 'user', 'user of the task; users take turns'],
  ['--deadline <time>', 'deadline', 'time by which it should end (7:00, monday 9:00 or YYYY-MM-DD HH:MM)'],
  ['--tags <tags>', 'tags', 'tags for rules, workers and filters (docs,weekly)'],
  ['--timeout <duration>', 'timeout', 'maximum duration of an attempt (90m)'],
  ['--model <model>', 'model', 'the model to use'],
  ['--permission-mode <mode>', 'permission_mode', 'what Claude may do without asking'],
  ['--allow <tools>', 'allowed_tools', 'tools that Claude may use without asking (Bash(git *)|WebFetch)'],
  [
    '--unless-unchanged <true>',
    'unless_unchanged',
    'skip a due time if nothing changed since the last success',
  ],
  ['--append-system-prompt <text>', 'append_system_prompt', "text to add to Claude Code's system prompt"],
  ['--max-turns <n>', 'max_turns', 'stop Claude after N turns'],
  ['--max-budget-usd <usd>', 'max_budget_usd', 'stop Claude at this estimated cost'],
  ['--verify <command>', 'verify', 'command that must succeed after an attempt; no shell runs it'],
  [
    '--prompt-file <path>',
    'prompt_file',
    'file in the workspace with the prompt; the prompt is then a title',
  ],
  ['--callback-url <url>', 'callback_url', 'https address to which the end of each attempt is sent'],
  ['--request-id <id>', 'request_id', 'name of the request, for the receiver of callbacks'],
  ['--metadata <json>', 'metadata', 'facts for the receiver of callbacks, as JSON or text'],
] as const;

/** Adds the options that set cells to a command. */
export function addCellOptions(command: Command): Command {
  for (const [flags, , does] of CELL_OPTIONS) command.option(flags, does);
  return command;
}

/** Texts of cells by column name. */
export type Cells = Readonly<Record<string, string>>;

/** Returns the cells set by options, as the file stores them, and `repeat`, which follows from one. */
export function readCells(context: Context, options: OptionValues): Promise<Cells> {
  const cells: Record<string, string> = {};
  for (const [flags, column] of CELL_OPTIONS) {
    const text: unknown = options[keyOf(flags)];
    if (typeof text === 'string') cells[column] = text;
  }
  return writeCells(context, cells);
}

/**
 * Converts cells from the user's form to the file's, and adds `repeat`, which follows from one.
 * @throws Problem `usage` for a check that cannot be run; its message starts with `place`
 */
export async function writeCells(context: Context, given: Cells, place = ''): Promise<Cells> {
  const { timeZone } = await context.configure();
  const cells = Object.fromEntries(
    Object.entries(given).map(([column, text]) => [
      column,
      column === 'verify' ? writeCheck(text, place) : writeCell(column, text, context, timeZone),
    ]),
  );
  const interval = given['repeat_interval'];
  if (interval === undefined || 'repeat' in cells) return cells;
  return { ...cells, repeat: interval === '' ? 'no' : 'yes' };
}

/** Converts the text that the user typed to the text of the cell. */
function writeCell(column: string, text: string, context: Context, timeZone: string): string {
  const { system } = context;
  if (column === 'dependencies' || column === 'tags') return text.replaceAll(',', '|');
  if (column === 'scheduled_time' || column === 'deadline')
    return writeTypedTime(text, { now: system.clock.now(), timeZone });
  if (column === 'repeat_interval') return writeTypedInterval(text);
  if (column === 'prompt_file') return nameInWorkspace(text, context);
  if (column !== 'working_dir' || isRepository(text)) return text;
  return text === '' || /^~?(?:\/|$)/.test(text) ? text : path.posix.join(context.here, text);
}

function writeCheck(text: string, place: string): string {
  const typed = readTypedCheck(text);
  if ('wrong' in typed) throw new Problem('usage', `${place}${typed.wrong}`);
  return typed.value;
}

/** Returns the path from the workspace to a file that the user named from the current folder. */
function nameInWorkspace(text: string, { paths, redis, system }: Context): string {
  if (text === '' || redis !== null) return text;
  return path.relative(paths.workspace, path.resolve(resolveLinks(system.cwd), text));
}

/** Name of an option in commander: `--max-budget-usd <usd>` becomes `maxBudgetUsd`. */
function keyOf(flags: string): string {
  const [name = ''] = flags.slice('--'.length).split(' ');
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Returns a prompt as given; `-` reads all of standard input, without its last line ends, as a shell does.
 * @throws Problem `usage` if it is empty
 */
export async function readPrompt(system: Pick<System, 'readInput'>, words: string): Promise<string> {
  const prompt = words === '-' ? (await system.readInput()).replace(/[\r\n]+$/, '') : words;
  if (prompt.trim() === '') throw new Problem('usage', 'The prompt is empty.');
  return prompt;
}
