import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  RUN_MARK_VARIABLE,
  systemProcesses,
  type Processes,
} from '../../../../src/platform/processes/processes';
import type { ClaimRef } from '../../../../src/queue/taskQueue';
import { CliHarness, FakeKeyboard } from '../cliHarness';
import { openCliQueue, startAttempt } from '../fileQueue';

let cli: CliHarness;
let children: ChildProcess[];

function prepareEach(): void {
  beforeEach(() => {
    cli = new CliHarness();
    children = [];
    cli.env['CLAUDE_QUEUE_STOP_GRACE'] = '100ms';
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    cli.remove();
  });
}

/** A worker takes the next task, whose run is a process that waits. */
async function startNext(): Promise<{ child: ChildProcess; claim: ClaimRef; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
    detached: true,
    stdio: 'ignore',
  });
  children.push(child);
  const run = systemProcesses.identify(child.pid ?? 0);
  assert.ok(run !== null);
  const queue = await openCliQueue(cli);
  const claim = await startAttempt(cli, queue, run);
  await queue.close();
  return { child, claim, ended: once(child, 'exit') };
}

/** The worker, which is this process, counts as dead from now on. */
function killWorker(): void {
  const isAlive: Processes['isAlive'] = (one) => one.pid !== process.pid && systemProcesses.isAlive(one);
  cli.processes = { ...cli.processes, isAlive };
}

async function lastAttempt(): Promise<Readonly<Record<string, unknown>>> {
  const { out } = await cli.call('history', '--json');
  const { attempts } = JSON.parse(out) as { attempts: Readonly<Record<string, unknown>>[] };
  assert.equal(attempts.length, 1);
  return attempts[0] ?? {};
}

describe('The leftover attempt of a dead worker', () => {
  prepareEach();

  it('is shown with how to end it, and kept by "hold" and a plain "stop"', async () => {
    const { child } = await startNext();
    killWorker();
    const pid = String(child.pid);
    const line = `Task 1 is left over from worker 42, which died: process ${pid} is still running. The next worker recovers the task. To clean up now, run "claude-queue stop --now".`;
    assert.ok((await cli.call('status')).out.split('\n').includes(line));
    await cli.call('hold');
    await cli.call('stop');
    assert.ok((await cli.call('status')).out.split('\n').includes(line));
  });

  it('is not said to resume while the queue is paused, in status and report', async () => {
    await startNext();
    killWorker();
    await cli.call('hold');
    for (const command of ['status', 'report']) {
      const { out } = await cli.call(command);
      assert.match(out, /the next worker (?:ends its leftover processes and )?recovers the task/);
      assert.doesNotMatch(out, /resumes/);
    }
  });

  it('is ended by "stop --now", and its task resumes later', async () => {
    const { ended } = await startNext();
    killWorker();
    const { code, out } = await cli.call('stop', '--now');
    assert.equal(code, 0);
    assert.equal(out, 'No worker is running.\nEnded the leftover processes of task 1 (worker 42 is gone).');
    await ended;
    const { outcome, reason } = await lastAttempt();
    assert.deepEqual([outcome, reason], ['lost', 'owner-died']);
    assert.doesNotMatch((await cli.call('status')).out, /left over/);
  });

  it('is ended by the key x of attach', async () => {
    const { ended } = await startNext();
    killWorker();
    const keyboard = new FakeKeyboard();
    cli.keyboard = keyboard;
    cli.onLine = (text) => {
      if (text === 'No worker is running.') keyboard.press('x');
      if (text === 'Ended the leftover processes of task 1 (worker 42 is gone).') keyboard.press('q');
    };
    assert.equal((await cli.call('attach')).code, 0);
    await ended;
    assert.equal((await lastAttempt())['outcome'], 'lost');
  });

  it('is ended by "reset", and archived with the others', async () => {
    const { ended } = await startNext();
    killWorker();
    const { code, out } = await cli.call('reset');
    assert.equal(code, 0);
    assert.match(out, /^Ended the leftover processes of task 1 \(worker 42 is gone\)\.\n/);
    await ended;
    assert.match((await cli.call('history', '--json')).out, /"attempts": \[\]/);
  });

  it('is ended by "cancel", and its task is cancelled', async () => {
    const { ended } = await startNext();
    killWorker();
    const { code, out } = await cli.call('cancel', '1');
    assert.equal(code, 0);
    assert.equal(out, 'Ended the leftover processes of task 1 (worker 42 is gone).\nTask 1 is cancelled.');
    await ended;
    assert.deepEqual(await cli.shown(1), ['cancelled', '']);
    assert.equal((await lastAttempt())['outcome'], 'cancelled');
  });

  it('is reported with its check, which still runs after Claude Code has ended', async () => {
    const { claim, child, ended } = await startNext();
    child.kill('SIGKILL');
    await ended;
    const env = { ...process.env, [RUN_MARK_VARIABLE]: claim.mark };
    const check = spawn('sleep', ['600'], { env, detached: true, stdio: 'ignore' });
    children.push(check);
    await once(check, 'spawn');
    killWorker();
    const pid = String(check.pid);
    assert.match(
      (await cli.call('status')).out,
      new RegExp(`which died: process ${pid} is still running\\.`),
    );
    assert.match(
      (await cli.call('stop', '--now')).out,
      /^Ended the leftover processes of task 1 \(worker 42 is gone\)\.$/m,
    );
  });

  it('is not reported after its processes have ended', async () => {
    const { child, ended } = await startNext();
    child.kill('SIGKILL');
    await ended;
    killWorker();
    assert.match((await cli.call('status')).out, /which died: none of its processes is running\./);
    assert.match(
      (await cli.call('stop', '--now')).out,
      /^Reclaimed task 1 \(worker 42 is gone\): it had no leftover processes\.$/m,
    );
  });

  it('is reported if it cannot be ended, and its task is not cancelled', async () => {
    const { child } = await startNext();
    killWorker();
    cli.processes = { ...cli.processes, endTree: () => Promise.resolve() };
    const { code, out } = await cli.call('cancel', '1');
    const pid = String(child.pid);
    assert.equal(code, 1);
    assert.equal(
      out,
      `The leftover processes of task 1 could not be ended: process ${pid} is still running. End it with "kill -9 ${pid}".`,
    );
    assert.equal((await cli.call('stop', '--now')).code, 1);
  });

  it('is recorded with the tokens in its output', async () => {
    const { claim, ended } = await startNext();
    killWorker();
    const usage = { input_tokens: 7, output_tokens: 5, cache_read_input_tokens: 3 };
    const message = { id: 'msg_1', model: 'claude-opus-4-1', content: [], usage };
    const lines = [
      { type: 'system', subtype: 'init', model: 'claude-opus-4-1', claude_code_version: '2.1.329' },
      { type: 'assistant', message },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    // The last line was cut off when the worker died.
    mkdirSync(join(cli.queueFolder, 'state', 'outputs'), { recursive: true });
    cli.writeFile(`state/outputs/task-${String(claim.id)}-attempt-1.jsonl`, `${text}\n{"type":"resu`);
    await cli.call('stop', '--now');
    await ended;
    const { tokens, model, version } = await lastAttempt();
    assert.deepEqual(
      { tokens, model, version },
      {
        tokens: { input: 7, output: 5, cacheRead: 3, cacheWrite: 0 },
        model: 'claude-opus-4-1',
        version: '2.1.329',
      },
    );
  });
});

describe('"stop --now"', () => {
  prepareEach();

  it('waits until running tasks have ended', async () => {
    const { claim } = await startNext();
    let waits = 0;
    cli.onSleep = async () => {
      waits += 1;
      if (waits !== 3) return;
      const queue = await openCliQueue(cli);
      await queue.release(claim, 'stopped', 'release');
      await queue.close();
    };
    const { code, out } = await cli.call('stop', '--now');
    assert.equal(code, 0);
    assert.match(out, /now\. Running: 1\. .*\nAll running tasks have ended\.$/);
    assert.ok(waits >= 3);
  });

  it('names the worker that does not answer, and leaves it its task while it lives', async () => {
    const { child } = await startNext();
    const { code, out } = await cli.call('stop', '--now');
    assert.equal(code, 1);
    assert.match(
      out,
      /^Worker 42 does not respond; task 1 is still running\. End it with "kill -9 \d+", then its leftover processes with "claude-queue stop --now"\.$/m,
    );
    assert.equal(child.exitCode ?? child.signalCode, null);
  });
});
