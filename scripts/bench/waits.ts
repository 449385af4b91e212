// Measures the waits of a user in a terminal, with the real `claude`, which talks to a stand-in of the Messages API
// on this machine. Prints one JSON object. An argument picks one measurement: `start`, `reset` or `status`.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { LEAST_ATTEMPTS } from '../../src/app/simulate/pastAttempts';
import { createClaudeHome, trustFolder } from '../../test/support/claude/claudeHome';
import { startMessagesApi, type Respond } from '../../test/support/claude/messagesApi';
import { limit, text } from '../../test/support/claude/replies';
import { figure, median, round, rowOf, timeOf, type BenchRow } from './files/measuring';
import { Workspace } from './files/workspace';

const CLAUDE = path.join(process.cwd(), 'node_modules', '.bin', 'claude');
const CLI = path.join(process.cwd(), 'dist', 'cli.js');
const TIMES = 5;
const ANSWER = 'The answer.';
const RESET_IN_SECONDS = 8;
const RESETS = 3;
const MARGIN_MS = 1_000;

/** Runs `work` with a queue whose `claude` is the real one; `asked` counts how often that was started. */
async function withClaude<T>(
  rows: number,
  respond: Respond,
  work: (place: Workspace, asked: () => number) => Promise<T>,
): Promise<T> {
  const api = await startMessagesApi({ respond });
  const home = createClaudeHome({ apiUrl: api.url });
  const margin = { CLAUDE_QUEUE_OPEN_AFTER_RESET: `${MARGIN_MS / 1000}s`, CLAUDE_QUEUE_CLAUDE_RETRIES: '0' };
  const place = new Workspace(rows, { ...home.env, ...margin });
  trustFolder(home, place.folder);
  writeFileSync(place.standIn, `#!/bin/sh\necho asked >> '${place.log}'\nexec '${CLAUDE}' "$@"\n`);
  try {
    return await work(place, () => readFileSync(place.log, 'utf8').split('\n').length - 1);
  } finally {
    place.remove();
    home.remove();
    await api.close();
  }
}

/** Milliseconds from the start of a program until it prints a line with these words; it is waited for. */
async function timeUntil(
  words: string,
  place: Workspace,
  program: string,
  args: readonly string[],
): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(program, args, {
    cwd: place.folder,
    env: place.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let took: number | null = null;
  for await (const line of createInterface(child.stdout))
    if (line.includes(words)) took ??= performance.now() - startedMs;
  await ended;
  if (took === null) throw new Error(`${program} ${args.join(' ')} did not print "${words}".`);
  return took;
}

async function measureStart(): Promise<BenchRow[]> {
  const [own, typed]: [number[], number[]] = [[], []];
  await withClaude(
    1_000,
    () => text(ANSWER),
    async (place) => {
      for (let turn = 0; turn < TIMES; turn++) {
        own.push(await timeUntil(ANSWER, place, process.execPath, [CLI, 'work', '--max-tasks', '1']));
        typed.push(await timeUntil(ANSWER, place, CLAUDE, ['-p', 'Do it.']));
      }
    },
  );
  const ratio = { ratio: round(median(own) / median(typed)), against: 'claude -p', goal: '≤ 1.5' };
  return [
    rowOf('`claude-queue work` until the first words of Claude', 1_000, own, ratio),
    rowOf('`claude -p` until its first words', null, typed),
  ];
}

async function measureReset(): Promise<BenchRow[]> {
  const late: number[] = [];
  let opensAt: number | null = null;
  const respond: Respond = () => {
    if (opensAt === null) {
      // The API reports resets in whole seconds.
      opensAt = (Math.floor(Date.now() / 1000) + RESET_IN_SECONDS) * 1000 + MARGIN_MS;
      return limit({ kind: 'five_hour', resetInSeconds: RESET_IN_SECONDS });
    }
    late.push(Date.now() - opensAt);
    opensAt = null;
    return text(ANSWER);
  };
  await withClaude(1_000, respond, async (place) => {
    const work = [CLI, 'work', '--max-tasks', '2'];
    for (let turn = 0; turn < RESETS; turn++) await timeUntil(ANSWER, place, process.execPath, work);
  });
  return [rowOf('reset and margin until the first request', 1_000, late, { goal: '≤ 5000 ms' })];
}

async function timeStatus(place: Workspace): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < TIMES; turn++) times.push(await timeOf(() => place.run('status')));
  return times;
}

/** Does the work beside a worker whose task has asked Claude, then lets the worker end. */
async function besideWorker<T>(place: Workspace, asking: EventEmitter, work: () => Promise<T>): Promise<T> {
  const isAsking = once(asking, 'asks');
  const options = { cwd: place.folder, env: place.env, stdio: 'ignore' } as const;
  const worker = spawn(process.execPath, [CLI, 'work'], options);
  const ended = once(worker, 'close');
  try {
    await isAsking;
    return await work();
  } finally {
    worker.kill('SIGTERM');
    asking.emit('answer');
    await ended;
  }
}

async function measureStatus(): Promise<BenchRow[]> {
  const asking = new EventEmitter();
  let isSlow = false;
  const respond: Respond = async () => {
    if (isSlow) {
      asking.emit('asks');
      await once(asking, 'answer');
    }
    return text(ANSWER);
  };
  return withClaude(1_000, respond, async (place, asked) => {
    place.run('status', '--live');
    const before = asked();
    const times = await timeStatus(place);
    const starts = (asked() - before) / TIMES;
    const work = [CLI, 'work', '--max-tasks', String(LEAST_ATTEMPTS)];
    await timeUntil(ANSWER, place, process.execPath, work);
    isSlow = true;
    const beside = await besideWorker(place, asking, () => timeStatus(place));
    const what = '`claude-queue status` with claude installed';
    return [
      rowOf(what, 1_000, times, { goal: '≤ 250 ms' }),
      figure(`${what}: starts of claude`, 'times', starts, { size: 1_000, goal: '0' }),
      rowOf('the same, with the expected starts while a worker runs', 1_000, beside),
    ];
  });
}

const MEASURES = { start: measureStart, reset: measureReset, status: measureStatus };

async function main(name: string | undefined): Promise<void> {
  const rows: BenchRow[] = [];
  for (const [key, measure] of Object.entries(MEASURES))
    if (name === undefined || name === key) rows.push(...(await measure()));
  process.stdout.write(`${JSON.stringify({ title: 'In a terminal', rows })}\n`);
}

void main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
