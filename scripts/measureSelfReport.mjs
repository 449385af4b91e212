// npm run measure:self-report [-- --yes --each N]: how often Claude reports its end, and how often the report is right. Runs 30
// small tasks (N of each end: finished, could not, needs an answer) with your own `claude` and account, each in a folder of its
// own that is removed afterwards. It uses up your limits, or money with an API key, so it asks first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { TASKS } from './measure/selfReportTasks.mjs';
import { CLI, runScript } from './setup.mjs';

/** Folder that the attempts share: approvals, the gate and the token, apart from the user's own. */
const place = mkdtempSync(join(tmpdir(), 'self-report-'));

async function call(folder, ...words) {
  const env = {
    ...process.env,
    CLAUDE_QUEUE_SELF_REPORT: 'asked',
    CLAUDE_QUEUE_PERMISSION_MODE: 'acceptEdits',
  };
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (piece) => (out += String(piece)));
  await once(child, 'close');
  return out;
}

/** Runs one task in a folder of its own and returns its last attempt. */
async function run({ prompt, files }) {
  const folder = mkdtempSync(join(place, 'task-'));
  try {
    mkdirSync(join(folder, 'claude_queue'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const header =
      'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';
    writeFileSync(join(folder, 'claude_queue', 'prompts.csv'), `${header}\n`);
    await call(folder, 'add', prompt);
    await call(folder, 'run');
    const { attempts } = JSON.parse(await call(folder, 'history', '--json'));
    return attempts[0] ?? null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isAgreed(count, yes) {
  console.log(
    `This runs ${count} small tasks with your own claude and account: about ${count * 3} requests. With a subscription they ` +
      `count against its usage limits; with an API key expect up to ${(count * 0.2).toFixed(0)} US dollars.`,
  );
  if (yes) return true;
  if (!process.stdin.isTTY) return false;
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  const said = await ask.question('Run them now? [y/N] ');
  ask.close();
  return /^y(es)?$/i.test(said.trim());
}

const percent = (part, whole) => (whole === 0 ? '-' : `${Math.round((100 * part) / whole)} %`);

function print(results) {
  console.log('\n| expected | tasks | with a report | right, of all | right, of those with a report |');
  console.log('| --- | --- | --- | --- | --- |');
  const ends = [...new Set(TASKS.map(({ expected }) => expected)), null];
  for (const end of ends) {
    const among = results.filter(({ expected }) => end === null || expected === end);
    const reported = among.filter(({ report }) => report !== null && report !== 'none');
    const right = among.filter(({ report, expected }) => report === expected);
    const cells = [
      end ?? 'all',
      among.length,
      `${reported.length} (${percent(reported.length, among.length)})`,
      `${right.length} (${percent(right.length, among.length)})`,
      percent(right.length, reported.length),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const cost = results.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  console.log(`\nClaude Code named a cost of ${cost.toFixed(2)} US dollars.`);
}

/** Outcomes that say nothing about the report. Later attempts would have the same, so the measurement stops. */
const STOPS = ['limit', 'blocked', 'transient'];

async function measure(tasks) {
  if (!existsSync(CLI)) await build();
  const results = [];
  for (const task of tasks) {
    const attempt = await run(task);
    if (attempt === null || STOPS.includes(attempt.outcome)) {
      console.log(
        `Stopped after ${results.length} tasks: ${attempt?.message ?? 'the next task did not start.'}`,
      );
      break;
    }
    const { outcome, report, costUsd } = attempt;
    results.push({ expected: task.expected, report, costUsd });
    console.log(
      `${results.length}/${tasks.length}  expected ${task.expected}, reported ${report ?? 'none'} (${outcome})`,
    );
  }
  print(results);
}

async function main() {
  const options = { yes: { type: 'boolean', default: false }, each: { type: 'string', default: '10' } };
  const { yes, each } = parseArgs({ options }).values;
  const counts = new Map();
  const tasks = TASKS.filter(({ expected }) => {
    counts.set(expected, (counts.get(expected) ?? 0) + 1);
    return counts.get(expected) <= Number(each);
  });
  try {
    if (await isAgreed(tasks.length, yes)) await measure(tasks);
    else console.log('Nothing was run. Answer y, or give --yes.');
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return 0;
}

await runScript(main);
