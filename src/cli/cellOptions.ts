import type { Command, OptionValues } from 'commander';
import { Problem } from '../domain/problem';
import type { System } from './system';

/** Options that fill a cell: their flags, what they say, and the column. */
const CELL_OPTIONS = [
  ['--dir <path>', 'working_dir', 'where, from the folder above claude_queue/'],
  ['--priority <priority>', 'priority', 'critical, high, medium or low'],
  ['--at <time>', 'scheduled_time', 'not before this time (YYYY-MM-DD HH:MM)'],
  ['--after <ids>', 'dependencies', 'only when these tasks are completed (3|4)'],
  ['--every <interval>', 'repeat_interval', 'again and again: 12h, daily, weekly, or a cron expression'],
  ['--max-retries <n>', 'max_retries', 'failed attempts after which it is given up'],
  ['--user <name>', 'user', 'whose task it is: users are served in turn'],
  ['--deadline <time>', 'deadline', 'when it should have ended (YYYY-MM-DD HH:MM)'],
  ['--tags <tags>', 'tags', 'words that rules and reports go by (docs|weekly)'],
  ['--timeout <duration>', 'timeout', 'how long an attempt may take (90m)'],
  ['--model <model>', 'model', 'the model to use'],
  ['--permission-mode <mode>', 'permission_mode', 'what Claude may do by itself'],
  ['--allow <tools>', 'allowed_tools', 'tools that Claude may use without asking (Bash(git *)|WebFetch)'],
  ['--max-turns <n>', 'max_turns', 'turns after which Claude is stopped'],
  ['--max-budget-usd <usd>', 'max_budget_usd', 'estimated cost after which Claude is stopped'],
  ['--verify <json>', 'verify', 'check that must pass, as a JSON array of program and arguments'],
] as const;

/** Gives a command the options that fill cells. */
export function addCellOptions(command: Command): Command {
  for (const [flags, , does] of CELL_OPTIONS) command.option(flags, does);
  return command;
}

/** The cells that were named by an option, and `repeat`, which follows from one. */
export function readCells(options: OptionValues): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [flags, column] of CELL_OPTIONS) {
    const text: unknown = options[keyOf(flags)];
    if (typeof text === 'string') cells[column] = text;
  }
  const interval = cells['repeat_interval'];
  return interval === undefined ? cells : { ...cells, repeat: interval === '' ? 'no' : 'yes' };
}

/** `--max-budget-usd <usd>` as commander names it: `maxBudgetUsd`. */
function keyOf(flags: string): string {
  const [name = ''] = flags.slice('--'.length).split(' ');
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A prompt as it was given; `-` is all of standard input. @throws Problem `usage` where it is empty */
export async function readPrompt(system: Pick<System, 'readInput'>, words: string): Promise<string> {
  const prompt = words === '-' ? await system.readInput() : words;
  if (prompt.trim() === '') throw new Problem('usage', 'The prompt is empty.');
  return prompt;
}
