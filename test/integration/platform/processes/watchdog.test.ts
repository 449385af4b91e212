import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../../../../src/domain/task/processIdentity';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { createProcTable } from '../../../../src/platform/processes/processTable';
import { bundleProgram } from '../../../support/machine/bundledProgram';
import { watchdogArgs } from '../../../support/machine/watchdog';
import { until } from '../../../support/until';

/** Time after which the parent counts as frozen, in ms: it can write within it on a busy machine. */
const SILENT_MS = 4_000;

const PARENT = join(__dirname, 'watchdogParent.ts');

class Parent {
  readonly started: ProcessIdentity[] = [];
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor() {
    const words = [bundleProgram(PARENT), ...watchdogArgs(), String(SILENT_MS)];
    this.child = spawn(process.execPath, words, {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    assert.ok(this.child.stdout);
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async start(): Promise<ProcessIdentity> {
    const identity = systemProcesses.identify(Number(await this.ask('start')));
    assert.ok(identity);
    this.started.push(identity);
    return identity;
  }

  async ask(order: 'start' | 'forget'): Promise<string> {
    this.child.stdin?.write(`${order}\n`);
    return this.readLine();
  }

  async readLine(): Promise<string> {
    const next = await this.lines.next();
    assert.ok(next.done !== true, 'it has ended');
    return next.value;
  }

  watchdog(): ProcessIdentity | undefined {
    return createProcTable()
      .list()
      .find(
        ({ pid, parent }) =>
          parent === this.child.pid && systemProcesses.commandLine(pid)?.includes('watchdog.cjs') === true,
      );
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}

/** Whether a process catches SIGHUP (proc(5): SigCgt), the last signal that a watchdog catches; Node alone does not. */
function catchesHangUp(pid: number): boolean {
  const caught = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return (BigInt(`0x${caught ?? '0'}`) & 1n) === 1n;
}

const isEnded = (process: ProcessIdentity) => (): boolean => !systemProcesses.isAlive(process);

describe('A watchdog', () => {
  let parent: Parent;

  beforeEach(() => {
    parent = new Parent();
  });

  afterEach(async () => {
    await parent.end();
    for (const { pid } of parent.started.filter((each) => systemProcesses.isAlive(each)))
      process.kill(pid, 'SIGKILL');
  });

  it('ends the programs of a killed process, and then itself', async () => {
    const first = await parent.start();
    const second = await parent.start();
    const watchdog = parent.watchdog();
    assert.ok(watchdog);
    await parent.end();
    await until('the first program has ended', isEnded(first));
    await until('the second program has ended', isEnded(second));
    await until('the watchdog has ended', isEnded(watchdog));
  });

  it('ends the programs of a frozen process', async () => {
    const program = await parent.start();
    parent.signal('SIGSTOP');
    await until('the program has ended', isEnded(program));
  });

  it('leaves the programs of a process alone that slept with it, as the whole machine does', async () => {
    const program = await parent.start();
    const watchdog = parent.watchdog();
    assert.ok(watchdog);
    await until('it has loaded', () => catchesHangUp(watchdog.pid));
    // It also has read what was sent to it.
    await sleep(500);
    parent.signal('SIGSTOP');
    process.kill(watchdog.pid, 'SIGSTOP');
    await sleep(SILENT_MS + 500);
    // The watchdog wakes first.
    process.kill(watchdog.pid, 'SIGCONT');
    await sleep(1_000);
    parent.signal('SIGCONT');
    assert.equal(isEnded(program)(), false);
  });

  it('that gets the signals of a service manager ends after the process that it watches', async () => {
    const program = await parent.start();
    const watchdog = parent.watchdog();
    assert.ok(watchdog);
    await until('it has loaded', () => catchesHangUp(watchdog.pid));
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(watchdog.pid, name);
    await parent.end();
    await until('the program has ended', isEnded(program));
    await until('the watchdog has ended', isEnded(watchdog));
  });

  it('leaves a program alone that has been forgotten', async () => {
    const forgotten = await parent.start();
    assert.equal(await parent.ask('forget'), 'forgotten');
    const program = await parent.start();
    const watchdog = parent.watchdog();
    assert.ok(watchdog);
    await parent.end();
    await until('the watchdog has ended', isEnded(watchdog));
    assert.deepEqual(
      [forgotten, program].map(isEnded).map((ended) => ended()),
      [false, true],
    );
  });

  it('that was killed is reported, and the next one watches all programs', async () => {
    const first = await parent.start();
    const watchdog = parent.watchdog();
    assert.ok(watchdog);
    process.kill(watchdog.pid, 'SIGKILL');
    assert.equal(await parent.readLine(), 'lost null');
    const second = await parent.start();
    await parent.end();
    await until('the first program has ended', isEnded(first));
    await until('the second program has ended', isEnded(second));
  });
});
