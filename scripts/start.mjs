// npm start: runs the queue of sample/ in a temporary folder, with the real claude, and shows how it goes.
//   npm start             a demonstration: claude talks to a stand-in on this machine, and no account is touched
//   npm start -- --real   the same queue with your own claude and your own account, after you have said yes
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { demoAnswers } from './demoAnswers.mjs';
import { CLI, ROOT, SetupFailure, runScript, setUp } from './setup.mjs';

/** A closed gate opens so long after the reported reset; a minute is the default, too long to look on. */
const OPEN_AFTER_RESET = '1s';

const say = (text) => console.log(text);

function copySample(folder) {
  cpSync(join(ROOT, 'sample'), folder, { recursive: true });
  return folder;
}

/** Runs `claude-queue` in the terminal; answers its exit code. */
function claudeQueue(args, { cwd, env }) {
  say(`\n> claude-queue ${args.join(' ')}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? code : signal));
  });
}

/** What became of the tasks, in the queue's own words. */
function readStatus({ cwd, env }) {
  const { stdout } = spawnSync(process.execPath, [CLI, 'status', '--json'], { cwd, env, encoding: 'utf8' });
  return JSON.parse(stdout).tasks;
}

/** Trusts the copy, works until nothing is left, and shows the end; answers whether every task succeeded. */
async function workThrough(place) {
  const trusted = await claudeQueue(['trust'], place);
  if (trusted !== 0) return false;
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

async function demonstrate() {
  const { require: requireTs } = await import('tsx/cjs/api');
  const [{ startMessagesApi }, replies, { createClaudeHome }] = ['messagesApi', 'replies', 'claudeHome'].map(
    (name) => requireTs(`../test/support/${name}.ts`, import.meta.url),
  );
  let respond = () => replies.hang();
  const api = await startMessagesApi({
    respond: (turn) => respond(turn),
    usage: { fiveHour: 0.94, sevenDay: 0.31 },
  });
  try {
    const { workspace, env } = createClaudeHome({ apiUrl: api.url });
    respond = demoAnswers(replies, copySample(workspace));
    say(
      [
        '',
        'This is a demonstration. The real Claude Code runs, but it talks to a stand-in on this machine',
        `(${api.url}) with a made-up sign-in, in a home folder of its own.`,
        'No account is touched and nothing is billed. In the middle the stand-in says that the 5-hour limit is',
        'reached; the queue waits for the reset, a few seconds, and goes on in the same session.',
      ].join('\n'),
    );
    return await workThrough({ cwd: workspace, env: { ...env, ...terminalOf(process.env) } });
  } finally {
    await api.close();
  }
}

/** What a program needs to draw on this terminal and to tell this person's time. */
function terminalOf({ TERM, COLORTERM, NO_COLOR, FORCE_COLOR }) {
  const TZ = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = {
    TERM,
    COLORTERM,
    NO_COLOR,
    FORCE_COLOR,
    TZ,
    CLAUDE_QUEUE_OPEN_AFTER_RESET: OPEN_AFTER_RESET,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

async function runForReal() {
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

await runScript(async () => {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg !== '--real'))
    throw new SetupFailure('npm start knows one option: npm start -- --real');
  // The programs in the foreground decide what Ctrl-C means; this one stays to clear up after them.
  process.on('SIGINT', () => undefined);
  await setUp();
  const isGood = args.includes('--real') ? await runForReal() : await demonstrate();
  return isGood ? 0 : 1;
});
