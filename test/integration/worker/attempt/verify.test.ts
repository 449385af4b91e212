import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job, Verdict } from '../../../../src/domain/task/attempt';
import { placeOf } from '../../../../src/domain/task/place';
import type { Definition } from '../../../../src/domain/task/task';
import { systemClock, type Clock } from '../../../../src/platform/clock';
import {
  createProcesses,
  RUN_MARK_VARIABLE,
  systemProcesses,
} from '../../../../src/platform/processes/processes';
import { createPsTable } from '../../../../src/platform/processes/processTable';
import type { CheckGround, CheckDeps } from '../../../../src/worker/attempt/runCheck';
import { verify } from '../../../../src/worker/attempt/verify';

const NEVER = new AbortController().signal;
/** Random, since a check ends every process of the machine with its mark, and two runs of these tests may overlap. */
const MARK = randomUUID();
const PARTS: CheckDeps = {
  processes: systemProcesses,
  clock: systemClock,
  mark: MARK,
  prepareCheck: () => Promise.resolve({ outside: null, environment: process.env, secrets: [] }),
};
const SUCCESS: Verdict = {
  outcome: 'success',
  reason: 'done',
  message: 'Done.',
  denials: [],
  usage: [],
  exitCode: 0,
};
const REVIEW: Verdict = {
  ...SUCCESS,
  outcome: 'review',
  reason: 'denied',
  message: 'Refused: Bash.',
  denials: [{ tool: 'Bash', detail: 'ls' }],
};

describe('A row’s own check', () => {
  let folder: string;
  let server: Server | undefined;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'verify-')));
  });
  afterEach(() => {
    server?.close();
    server = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  function jobWith(check?: readonly [string, ...string[]]): Pick<Job, 'definition' | 'place'> {
    const definition: Definition = {
      id: 1,
      priority: 'medium',
      workingDir: folder,
      prompt: 'Do it.',
      dependencies: [],
      maxRetries: 3,
      ...(check === undefined ? {} : { verify: check }),
    };
    return { definition, place: placeOf(definition) };
  }

  function check(
    words: readonly [string, ...string[]],
    verdict = SUCCESS,
    changes: Partial<CheckDeps> = {},
    stop = NEVER,
  ): Promise<Verdict> {
    return verify(jobWith(words), verdict, { ...PARTS, ...changes }, stop);
  }

  const program = (code: string): readonly [string, ...string[]] => [process.execPath, '-e', code];

  it('that passes makes a success, also if actions were refused', async () => {
    const { outcome, reason } = await check(program('process.exit(0)'));
    assert.deepEqual([outcome, reason], ['success', 'verified']);
    assert.equal((await check(program('process.exit(0)'), REVIEW)).outcome, 'success');
  });

  const SETTLED = [
    'denied',
    'changes-failed',
    'calls-failed',
    'helper-failed',
    'limit-reached',
    'wrapped-up',
  ];
  const OPEN = ['empty-answer', 'no-turns', 'turn-failed', 'unstructured', 'hook_stopped'];
  const DECIDED = ['needs-answer', 'could-not', 'plan-mode'];

  for (const reason of SETTLED)
    it(`that passes settles a review with the reason ${reason}`, async () => {
      assert.equal((await check(program('process.exit(0)'), { ...REVIEW, reason })).outcome, 'success');
    });

  for (const reason of [...OPEN, ...DECIDED])
    it(`that passes does not settle a review with the reason ${reason}`, async () => {
      const verdict = await check(program('process.exit(0)'), { ...REVIEW, reason });
      assert.deepEqual([verdict.outcome, verdict.reason], ['review', reason]);
    });

  for (const reason of DECIDED)
    it(`that fails does not hide a review with the reason ${reason}`, async () => {
      const verdict = await check(program('process.exit(1)'), { ...REVIEW, reason });
      assert.deepEqual(
        [verdict.outcome, verdict.reason, verdict.check?.result],
        ['review', reason, 'failed'],
      );
    });

  it('that fails turns a review without a question into an error', async () => {
    const { outcome, reason } = await check(program('process.exit(1)'), REVIEW);
    assert.deepEqual([outcome, reason], ['error', 'verify-failed']);
  });

  it('that passes does not confirm an attempt in which Claude did nothing', async () => {
    const idle: Verdict = { ...REVIEW, reason: 'no-turns', denials: [] };
    assert.equal((await check(program('process.exit(0)'), idle)).outcome, 'review');
  });

  it('that passes does not settle that Claude was stopped before its end, whatever else was refused', async () => {
    for (const reason of ['hook_stopped', 'turn-failed']) {
      const verdict = await check(program('process.exit(0)'), { ...REVIEW, reason });
      assert.deepEqual([verdict.outcome, verdict.reason], ['review', reason]);
      assert.equal(verdict.check?.result, 'passed');
    }
    const wrappedUp: Verdict = { ...REVIEW, reason: 'wrapped-up', denials: [] };
    assert.equal((await check(program('process.exit(0)'), wrappedUp)).outcome, 'success');
  });

  it('that fails turns a success into an error', async () => {
    const verdict = await check(program('process.exit(3)'));
    assert.deepEqual([verdict.outcome, verdict.reason], ['error', 'verify-failed']);
    assert.match(verdict.message, /^The check failed: .*\(exit code 3\)$/);
  });

  it('is recorded with its exit code and its output', async () => {
    const code = "console.log('12 passed'); console.error('1 failed: adds up'); process.exitCode = 3";
    const { check: kept, message } = await check(program(code));
    assert.deepEqual([kept?.result, kept?.exitCode], ['failed', 3]);
    assert.deepEqual(kept?.output.split('\n').sort(), ['1 failed: adds up', '12 passed']);
    assert.ok(kept.ms > 0);
    assert.match(message, /\(exit code 3\): (12 passed|1 failed: adds up)$/);
    const passed = (await check(program("console.log('All well.')"))).check;
    assert.deepEqual([passed?.result, passed?.exitCode, passed?.output], ['passed', 0, 'All well.']);
  });

  it('with a large output is recorded with its last whole lines', async () => {
    const code = 'for (let i = 0; i < 40_000; i += 1) console.log(`line ${i}`); process.exit(1)';
    const output =
      (await check(program(code.replace('process.exit(1)', 'process.exitCode = 1')))).check?.output ?? '';
    assert.ok(output.length <= 8 * 1024 && output.length > 8 * 1024 - 20, String(output.length));
    assert.match(output, /^line \d+\n/);
    assert.match(output, /\nline 39999$/);
  });

  it('with a long line is recorded with the end of it, which starts with a whole character', async () => {
    const code = "process.stdout.write('\\u{1f600}'.repeat(9_000) + 'x')";
    const output = (await check(program(code))).check?.output ?? '';
    assert.equal(output, `${'\u{1f600}'.repeat(4095)}x`);
  });

  it('is recorded without secrets and control sequences', async () => {
    const key = ['sk-', 'ant-api03-AbCdEf-123456_7890'].join('');
    const code = `console.log('\\u001b[31mred\\u001b[0m\\u0007 ${key}'); process.exitCode = 1`;
    const { check: kept, message } = await check(program(code));
    assert.equal(kept?.output, 'red [redacted Anthropic key]');
    assert.doesNotMatch(message, /AbCdEf/);
  });

  it('leaves no process running, even one in another session', async function () {
    if (process.platform !== 'linux') this.skip();
    const code = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached: true, stdio: 'inherit' });
      child.unref(); console.log(child.pid)`;
    const { outcome, check: kept } = await check(program(code));
    assert.equal(outcome, 'success');
    const child = systemProcesses.identify(Number(kept?.output));
    assert.ok(child === null || !systemProcesses.isAlive(child));
  });

  it('leaves no process of its group running if environments of others cannot be read', async () => {
    const processes = createProcesses(createPsTable());
    const code = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
      child.unref(); console.log(child.pid)`;
    const { outcome, check: kept } = await check(program(code), SUCCESS, { processes });
    assert.equal(outcome, 'success');
    const child = systemProcesses.identify(Number(kept?.output));
    assert.ok(child === null || !systemProcesses.isAlive(child));
  });

  it('that a signal ends has not passed, and the signal is recorded and named', async () => {
    const killed = await check(program("process.kill(process.pid, 'SIGKILL')"));
    assert.equal(killed.outcome, 'error');
    assert.deepEqual([killed.check?.exitCode, killed.check?.signal], [null, 'SIGKILL']);
    assert.match(killed.message, /^The check failed: .* \(ended by SIGKILL\)$/);
  });

  it('that cannot run confirms nothing', async () => {
    for (const words of [['no-such-program'], [process.execPath, 'a\0b']] as const) {
      const verdict = await check(words);
      assert.deepEqual([verdict.outcome, verdict.reason], ['review', 'verify-not-run']);
      assert.match(verdict.message, /^The check could not run: /);
      assert.deepEqual([verdict.check?.result, verdict.check?.exitCode], ['could-not-run', null]);
    }
    const locked = join(folder, 'locked');
    writeFileSync(locked, '#!/bin/sh\n', { mode: 0o600 });
    assert.match((await check([locked])).message, /could not run: .*locked: It is not executable/);
    rmSync(folder, { recursive: true });
    assert.equal((await check(program(''))).reason, 'verify-not-run');
  });

  it("runs in the working directory with the attempt's mark, and without a shell", async () => {
    const code = `require('node:fs').writeFileSync('seen', JSON.stringify(
      [process.cwd(), process.env.${RUN_MARK_VARIABLE}, process.argv[1]]))`;
    await check([process.execPath, '-e', code, '$(reboot) "x"']);
    const seen: unknown = JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'));
    assert.deepEqual(seen, [folder, MARK, '$(reboot) "x"']);
  });

  it('has the given environment; its keys are not stored', async () => {
    const environment = { PATH: process.env['PATH'], PAID_WITH: 'a-key-of-no-known-shape' };
    const prepareCheck = (): Promise<CheckGround> =>
      Promise.resolve({ outside: null, environment, secrets: ['a-key-of-no-known-shape'] });
    const code = `console.log(Object.keys(process.env).sort().join(), process.env.PAID_WITH); process.exit(1)`;
    const { check: kept, message } = await check(program(code), SUCCESS, { prepareCheck });
    assert.equal(kept?.output, `${['PATH', 'PAID_WITH', RUN_MARK_VARIABLE].sort().join()} [redacted]`);
    assert.doesNotMatch(message, /no-known-shape/);
  });

  it('does not run where the attempt put a link in the place of its folder', async () => {
    const [own, theirs] = [join(folder, 'own'), join(folder, 'theirs')];
    for (const one of [own, theirs]) mkdirSync(one);
    const words = program("require('node:fs').writeFileSync('ran', '')");
    const job = jobWith(words);
    const place = { folder: own };
    renameSync(own, join(folder, 'moved'));
    symlinkSync(theirs, own);
    const verdict = await verify({ ...job, place }, SUCCESS, PARTS, NEVER);
    assert.deepEqual([verdict.outcome, verdict.reason], ['review', 'verify-not-run']);
    assert.match(verdict.message, /own was moved: it leads to \S+theirs now/);
    assert.deepEqual(readdirSync(theirs), []);
  });

  it('does not run in a folder outside the allowed directories', async () => {
    const outside = 'The working directory lies outside.';
    const prepareCheck = (): Promise<CheckGround> =>
      Promise.resolve({ outside, environment: process.env, secrets: [] });
    const words = program("require('node:fs').writeFileSync('seen', '')");
    const verdict = await check(words, SUCCESS, { prepareCheck });
    assert.deepEqual([verdict.outcome, verdict.reason], ['review', 'verify-not-run']);
    assert.match(verdict.message, /lies outside/);
    assert.throws(() => readFileSync(join(folder, 'seen')));
  });

  it('does not run without a verify cell, or after a failed attempt', async () => {
    assert.equal(await verify(jobWith(), SUCCESS, PARTS, NEVER), SUCCESS);
    const failed: Verdict = { ...SUCCESS, outcome: 'error', reason: 'failed' };
    assert.equal(await check(program("require('node:fs').writeFileSync('seen', '')"), failed), failed);
    assert.throws(() => readFileSync(join(folder, 'seen')));
  });

  /** A check that connects to a socket when it runs, and never ends by itself; the socket closes when it is ended. */
  async function startEndless(): Promise<{
    words: readonly [string, ...string[]];
    connected: Promise<Socket>;
  }> {
    const path = join(folder, 'socket');
    server = createServer();
    await new Promise<void>((resolve) => server?.listen(path, resolve));
    const connected = once(server, 'connection').then(([socket]) => {
      const connection = socket as Socket;
      connection.on('error', () => undefined).resume();
      return connection;
    });
    return { words: program(`require('node:net').connect(${JSON.stringify(path)})`), connected };
  }

  it('is ended after ten minutes and counts as failed', async () => {
    const { words, connected } = await startEndless();
    let waitedMs = 0;
    const clock: Clock = {
      now: () => Date.now(),
      sleep: async (ms, signal) => {
        if (ms < 5_000) return systemClock.sleep(ms, signal);
        waitedMs += ms;
        await connected;
      },
    };
    const verdict = await check(words, SUCCESS, { clock });
    assert.equal(waitedMs, 10 * 60_000);
    assert.deepEqual([verdict.outcome, verdict.reason], ['error', 'verify-failed']);
    assert.match(verdict.message, /^The check did not end: /);
    const socket = await connected;
    if (!socket.closed) await once(socket, 'close');
  });

  it('is ended with its worker, and the task resumes later', async () => {
    const { words, connected } = await startEndless();
    const stop = new AbortController();
    const checking = check(words, SUCCESS, {}, stop.signal);
    const socket = await connected;
    const closed = once(socket, 'close');
    stop.abort('stopped');
    const verdict = await checking;
    assert.deepEqual([verdict.outcome, verdict.reason], ['cancelled', 'stopped']);
    await closed;
  });
});
