import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import {
  createProcesses,
  RUN_MARK_VARIABLE,
  systemProcesses,
} from '../../../src/platform/processes/processes';
import { createProcTable, createPsTable } from '../../../src/platform/processes/processTable';
import { CliHarness, FakeKeyboard } from './cliHarness';
import { openCliQueue, startAttempt } from './fileQueue';

const POWERFUL: readonly (readonly string[])[] = [
  ['add', 'Do more'],
  ['add', '--from', '-'],
  ['rm', '1'],
  ['move', '1', '--last'],
  ['pause'],
  ['edit', '1', '--prompt', 'Do more'],
  ['edit', '1', '--priority', 'low'],
  ['retry', '--all'],
  ['hold', '--priority', 'low'],
  ['resume', '--priority', 'low'],
  ['schedule', '--every', '30m'],
  ['schedule', '--remove'],
  ['approve', '1'],
  ['approve', '--all'],
  ['trust'],
  ['trust', '--off'],
  ['allow', '1', '--all'],
  ['allow', '1', '--rule', '1'],
  ['retry', '1'],
  ['accept', '1'],
  ['answer', '1', 'Keep it.'],
  ['comment', '1', 'Shorter.'],
  ['cancel', '1'],
  ['resume'],
  ['usage', '--probe'],
];

describe('A running task', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
  });
  afterEach(() => cli.remove());

  async function assertRefused(args: readonly string[]): Promise<void> {
    const before = cli.read();
    cli.input = 'Do more';
    const { code, err } = await cli.call(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(err, /^A running task may not .*\. Only you can, outside of an attempt\.$/);
    assert.equal(cli.read(), before);
  }

  for (const args of POWERFUL) {
    it(`cannot ${args.join(' ')}`, async () => {
      cli.env[RUN_MARK_VARIABLE] = 'a-run';
      await assertRefused(args);
      assert.equal((await cli.shown(1))?.[0], 'unapproved');
    });
  }

  for (const key of ['s', 'x']) {
    it(`cannot stop workers with ${key} in a terminal that it made for "attach"`, async () => {
      cli.env[RUN_MARK_VARIABLE] = 'a-run';
      const keyboard = new FakeKeyboard();
      cli.keyboard = keyboard;
      cli.onLine = (text) => {
        if (text === 'No worker is running.') keyboard.press(key);
        if (text.startsWith('A running task')) keyboard.press('q');
      };
      const { code, err } = await cli.call('attach');
      const refused = 'A running task may not stop workers. Only you can, outside of an attempt.';
      assert.deepEqual([code, err], [0, refused]);
      const queue = await openCliQueue(cli);
      assert.equal((await queue.read()).stop, null);
      await queue.close();
    });
  }

  it('that hides its mark is recognized by the start of its parent processes', async () => {
    cli.processes = { ...cli.processes, isInsideAttempt: (pid) => pid === process.pid };
    await assertRefused(['approve', '1']);
  });

  it('of this queue is recognized by its process if environments cannot be read', async () => {
    const run: ProcessIdentity = { pid: 4242, startedAt: 'then' };
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, run);
    await queue.close();
    cli.processes = { ...cli.processes, ancestors: () => [17, 4242, 1] };
    await assertRefused(['trust']);
    cli.processes = { ...cli.processes, ancestors: () => [17, 1] };
    assert.equal((await cli.call('trust')).code, 0);
  });

  it('on another machine has other processes, whatever their numbers are', async () => {
    const queue = await openCliQueue(cli);
    await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' }, 'elsewhere');
    await queue.close();
    cli.processes = { ...cli.processes, ancestors: () => [17, 4242, 1] };
    assert.equal((await cli.call('trust')).code, 0);
  });

  it('can read the queue', async () => {
    cli.env[RUN_MARK_VARIABLE] = 'a-run';
    assert.equal((await cli.call('status')).code, 0);
    assert.equal((await cli.call('approve')).code, 0);
  });
});

describe('A process of an attempt', () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  });

  /** A process of that environment, which starts one of an empty one; gives the id of the second. */
  async function startInside(environment: Readonly<Record<string, string>>): Promise<number> {
    const code = `const child = require('node:child_process').spawn(process.execPath,
      ['-e', 'setInterval(() => {}, 1e6)'], { env: {}, stdio: 'ignore' });
      console.log(child.pid); setInterval(() => {}, 1e6);
      process.on('SIGTERM', () => { child.kill('SIGKILL'); process.exit(); });`;
    const child = spawn(process.execPath, ['-e', code], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    for await (const piece of child.stdout) return Number(String(piece));
    throw new Error('It said nothing.');
  }

  it("is recognized by its parent's mark if it was started without", async function () {
    if (process.platform !== 'linux') this.skip();
    const inside = await startInside({ [RUN_MARK_VARIABLE]: 'a-run' });
    const outside = await startInside({ OTHER: '1' });
    const reported = [inside, outside].map((pid) => systemProcesses.isInsideAttempt(pid));
    const isThisInside = systemProcesses.isInsideAttempt(process.pid);
    assert.deepEqual(reported, [true, isThisInside]);
  });

  describe('where ps is asked', () => {
    let cli: CliHarness;
    beforeEach(() => {
      cli = new CliHarness();
    });
    afterEach(() => cli.remove());

    function createTable(environment: string) {
      const ps = join(cli.folder, 'ps');
      writeFileSync(
        ps,
        `#!/bin/sh\ncase "$1" in -Eww) echo "claude -p ${environment}";; *) echo "7 1 7 S Fri Nov 20 20:38:00 2026";; esac\n`,
      );
      chmodSync(ps, 0o700);
      return createProcesses(createPsTable(ps));
    }

    it('is recognized by the mark in its environment, after its arguments', () => {
      assert.equal(createTable(`HOME=/x ${RUN_MARK_VARIABLE}=a-run`).isInsideAttempt(7), true);
      assert.equal(createTable(`HOME=/x NO_${RUN_MARK_VARIABLE}=a-run`).isInsideAttempt(7), false);
    });

    it('is not recognized if ps cannot show it', () => {
      const ps = join(cli.folder, 'ps');
      writeFileSync(ps, '#!/bin/sh\nexit 1\n');
      chmodSync(ps, 0o700);
      assert.equal(createProcesses(createPsTable(ps)).isInsideAttempt(7), false);
    });
  });

  it('is not recognized if it cannot be read', () => {
    assert.equal(createProcesses(createProcTable('/no/such/proc')).isInsideAttempt(7), false);
  });
});
