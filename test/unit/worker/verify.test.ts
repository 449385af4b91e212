import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Verdict } from '../../../src/domain/attempt';
import type { Definition } from '../../../src/domain/task';
import { systemClock, type Clock } from '../../../src/platform/clock';
import { RUN_MARK_VARIABLE, systemProcesses } from '../../../src/platform/processes';
import { verify } from '../../../src/worker/verify';

const NEVER = new AbortController().signal;
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
    folder = mkdtempSync(join(tmpdir(), 'verify-'));
  });
  afterEach(() => {
    server?.close();
    server = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  function definitionWith(check?: readonly [string, ...string[]]): Definition {
    return {
      id: 1,
      priority: 'medium',
      workingDir: folder,
      prompt: 'Do it.',
      dependencies: [],
      maxRetries: 3,
      ...(check === undefined ? {} : { verify: check }),
    };
  }

  function check(
    words: readonly [string, ...string[]],
    verdict = SUCCESS,
    stop = NEVER,
    clock: Clock = systemClock,
  ): Promise<Verdict> {
    return verify(
      definitionWith(words),
      verdict,
      { processes: systemProcesses, clock, mark: 'the-mark' },
      stop,
    );
  }

  const program = (code: string): readonly [string, ...string[]] => [process.execPath, '-e', code];

  it('that passes makes a success, also of actions that were refused', async () => {
    const { outcome, reason } = await check(program('process.exit(0)'));
    assert.deepEqual([outcome, reason], ['success', 'verified']);
    assert.equal((await check(program('process.exit(0)'), REVIEW)).outcome, 'success');
  });

  it('that passes proves nothing of a run in which Claude did nothing', async () => {
    const idle: Verdict = { ...REVIEW, reason: 'no-turns', denials: [] };
    assert.equal((await check(program('process.exit(0)'), idle)).outcome, 'review');
  });

  it('that fails makes an error of a success', async () => {
    const verdict = await check(program('process.exit(3)'));
    assert.deepEqual([verdict.outcome, verdict.reason], ['error', 'verify-failed']);
    assert.match(verdict.message, /^The check failed: /);
  });

  it('that is killed has not passed', async () => {
    assert.equal((await check(program("process.kill(process.pid, 'SIGKILL')"))).outcome, 'error');
  });

  it('that cannot run proves nothing', async () => {
    for (const words of [['no-such-program'], [process.execPath, 'a\0b']] as const) {
      const verdict = await check(words);
      assert.deepEqual([verdict.outcome, verdict.reason], ['review', 'verify-not-run']);
      assert.match(verdict.message, /^The check could not run: /);
    }
    rmSync(folder, { recursive: true });
    assert.equal((await check(program(''))).reason, 'verify-not-run');
  });

  it('runs in the working directory, marked as part of the run, and its words are no shell’s', async () => {
    const code = `require('node:fs').writeFileSync('seen', JSON.stringify(
      [process.cwd(), process.env.${RUN_MARK_VARIABLE}, process.argv[1]]))`;
    await check([process.execPath, '-e', code, '$(reboot) "x"']);
    const seen: unknown = JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'));
    assert.deepEqual(seen, [folder, 'the-mark', '$(reboot) "x"']);
  });

  it('does not take itself for part of the editor that the worker was started from', async () => {
    const names = ['VSCODE_PID', 'ELECTRON_RUN_AS_NODE', 'CLAUDECODE'];
    const before = { ...process.env };
    for (const name of names) process.env[name] = '1';
    try {
      const code = `process.exit(${JSON.stringify(names)}.some((name) => name in process.env) ? 1 : 0)`;
      assert.equal((await check(program(code))).outcome, 'success');
    } finally {
      for (const name of names) {
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before[name];
      }
    }
  });

  it('is not asked where there is none, or where the run did not succeed', async () => {
    const parts = { processes: systemProcesses, clock: systemClock, mark: 'the-mark' };
    assert.equal(await verify(definitionWith(), SUCCESS, parts, NEVER), SUCCESS);
    const failed: Verdict = { ...SUCCESS, outcome: 'error', reason: 'failed' };
    assert.equal(await check(program("require('node:fs').writeFileSync('seen', '')"), failed), failed);
    assert.throws(() => readFileSync(join(folder, 'seen')));
  });

  /** A check that tells when it runs, and goes on for ever; the socket closes when it has ended. */
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

  it('that does not end in ten minutes is ended and counts as failed', async () => {
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
    const verdict = await check(words, SUCCESS, NEVER, clock);
    assert.equal(waitedMs, 10 * 60_000);
    assert.deepEqual([verdict.outcome, verdict.reason], ['error', 'verify-failed']);
    assert.match(verdict.message, /^The check did not end: /);
    const socket = await connected;
    if (!socket.closed) await once(socket, 'close');
  });

  it('is ended with its worker, and its task goes on later', async () => {
    const { words, connected } = await startEndless();
    const stop = new AbortController();
    const checking = check(words, SUCCESS, stop.signal);
    const socket = await connected;
    const closed = once(socket, 'close');
    stop.abort('stopped');
    const verdict = await checking;
    assert.deepEqual([verdict.outcome, verdict.reason], ['cancelled', 'stopped']);
    await closed;
  });
});
