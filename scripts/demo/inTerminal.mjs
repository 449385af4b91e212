// The demonstration, and the same with the user's own account, in the terminal.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CLI, SetupFailure } from '../setup.mjs';
import { copySample, describeStage, openStage } from './stage.mjs';

/** Long enough to see the queue wait, short enough to look on. */
const RESET_IN_SECONDS = 8;

const say = (text) => console.log(text);

/** Runs `claude-queue` in the terminal; answers its exit code. */
function claudeQueue(args, { cwd, env }) {
  say(`\n> claude-queue ${args.join(' ')}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? code : signal));
  });
}

/** Returns the tasks of `status --json`. */
function readStatus({ cwd, env }) {
  const { stdout } = spawnSync(process.execPath, [CLI, 'status', '--json'], { cwd, env, encoding: 'utf8' });
  return JSON.parse(stdout).tasks;
}

/** Lists the rows, approves them, works until nothing is left, and shows the end; answers whether every task succeeded. */
async function workThrough(place) {
  for (const approve of [['approve'], ['approve', '--all']])
    if ((await claudeQueue(approve, place)) !== 0) return false;
  const worked = await claudeQueue(['work', '--until-empty'], place);
  await claudeQueue(['status'], place);
  // A repeating task that succeeded waits for its next time.
  const open = readStatus(place).filter(({ shown }) => shown !== 'completed' && shown !== 'scheduled');
  say(
    [
      '',
      `Everything is in ${place.cwd}`,
      '  claude_queue/prompts.csv          the queue, as it is now',
      '  claude_queue/state/executed.log   what was done',
      '  claude_queue/state/outputs/       what Claude said, one file an attempt',
      '  notes/, report.md                 what Claude wrote',
      '',
      worked === 0 && open.length === 0
        ? 'Every task was completed.'
        : `Not everything was completed: work ended with ${worked}; open: ${open.map(({ id }) => id).join(', ') || 'none'}.`,
    ].join('\n'),
  );
  return worked === 0 && open.length === 0;
}

/** Variables that a program needs to draw on this terminal. */
function terminalOf({ TERM, COLORTERM, NO_COLOR, FORCE_COLOR }) {
  const known = { TERM, COLORTERM, NO_COLOR, FORCE_COLOR };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** Answers whether every task succeeded. */
export async function demonstrateInTerminal() {
  const stage = await openStage({ resetInSeconds: RESET_IN_SECONDS });
  try {
    say(describeStage(stage));
    return await workThrough({ cwd: stage.workspace, env: { ...stage.env, ...terminalOf(process.env) } });
  } finally {
    await stage.close();
  }
}

/** The queue of sample/ with the user's own claude and account, after they have said yes. */
export async function runForReal() {
  if (!process.stdin.isTTY) {
    throw new SetupFailure(
      'npm start -- --real asks before it runs anything, and there is no terminal to ask in.',
    );
  }
  const version = spawnSync('claude', ['--version'], { encoding: 'utf8' });
  if (version.status !== 0) {
    throw new SetupFailure(
      'There is no claude on your PATH. Install Claude Code, sign in with it once, and try again.',
    );
  }
  const place = { cwd: copySample(mkdtempSync(join(tmpdir(), 'claude-queue-sample-'))), env: process.env };
  say(
    [
      '',
      `This runs your own Claude Code (${version.stdout.trim()}) with your own sign-in. It counts against your usage`,
      `limit, or is billed to you where you use an API key. It may edit files in ${place.cwd},`,
      'a copy of sample/. These are the tasks:',
    ].join('\n'),
  );
  await claudeQueue(['status'], place);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('\nRun them now with your own account? Type yes to start: ');
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') {
    say('Nothing was run.');
    return true;
  }
  return workThrough(place);
}
