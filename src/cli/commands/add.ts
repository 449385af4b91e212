import type { Command } from 'commander';
import { Problem } from '../../domain/problem';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { addTask } from '../../app/addTask';

/** Options and the columns that they fill. */
const CELLS = {
  priority: 'priority',
  dir: 'working_dir',
  at: 'scheduled_time',
  after: 'dependencies',
  every: 'repeat_interval',
  maxRetries: 'max_retries',
  timeout: 'timeout',
  model: 'model',
  permissionMode: 'permission_mode',
  allow: 'allowed_tools',
  maxTurns: 'max_turns',
  maxBudgetUsd: 'max_budget_usd',
  verify: 'verify',
} as const;

export function defineAdd(program: Command, act: Act): void {
  const command = program
    .command('add')
    .description('append a task and approve it; "-" reads the prompt from standard input')
    .argument('<prompt>', 'what Claude is to do')
    .option('--dir <path>', 'where, from the folder above claude_queue/', '.')
    .option('--priority <priority>', 'critical, high, medium or low', 'medium')
    .option('--at <time>', 'not before this time (YYYY-MM-DD HH:MM)')
    .option('--after <ids>', 'only when these tasks are completed (3|4)')
    .option('--every <interval>', 'again and again: 12h, daily, weekly, or a cron expression')
    .option('--max-retries <n>', 'failed attempts after which it is given up', '3')
    .option('--timeout <duration>', 'how long an attempt may take (90m)')
    .option('--model <model>', 'the model to use')
    .option('--permission-mode <mode>', 'what Claude may do by itself')
    .option('--allow <tools>', 'tools that Claude may use without asking (Bash(git *)|WebFetch)')
    .option('--max-turns <n>', 'turns after which Claude is stopped')
    .option('--max-budget-usd <usd>', 'estimated cost after which Claude is stopped')
    .option('--verify <json>', 'check that must pass, as a JSON array of program and arguments');
  act(command, add);
}

async function add(context: Context, [words = '']: readonly string[], options: object): Promise<number> {
  const { system } = context;
  const prompt = words === '-' ? await system.readInput() : words;
  if (prompt.trim() === '') throw new Problem('usage', 'The prompt is empty.');
  return context.withQueue(async (queue) => {
    const id = await addTask(context, queue, { cells: cellsOf(prompt, options) });
    system.out(`Added task ${String(id)} to ${context.queueFile}.`);
    return OK;
  });
}

function cellsOf(prompt: string, options: object): Record<string, string> {
  const given = new Map<string, unknown>(Object.entries(options));
  const cells: Record<string, string> = {
    prompt,
    status: 'pending',
    repeat: given.has('every') ? 'yes' : 'no',
    retry_count: '0',
  };
  for (const [option, column] of Object.entries(CELLS)) {
    const text = given.get(option);
    if (typeof text === 'string') cells[column] = text;
  }
  return cells;
}
