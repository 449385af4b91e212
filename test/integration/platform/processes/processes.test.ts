import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../../src/domain/task/processIdentity';
import { systemClock } from '../../../../src/platform/clock';
import type { Clock } from '../../../../src/platform/clock';
import {
  createProcesses,
  RUN_MARK_VARIABLE,
  systemProcesses,
} from '../../../../src/platform/processes/processes';
import { createProcTable, createPsTable } from '../../../../src/platform/processes/processTable';
import type { Processes } from '../../../../src/platform/processes/processes';
import type { ProcessRow } from '../../../../src/platform/processes/processTable';

const children: ChildProcess[] = [];

/** A Node program that prints `ready`, and whatever else it prints, line by line. */
function run(code: string, environment: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, ['-e', code], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  for await (const piece of child.stdout.setEncoding('utf8')) return String(piece).trim();
  throw new Error('It said nothing.');
}

function identityOf(processes: Processes, pid: number | undefined): ProcessIdentity {
  const identity = processes.identify(pid ?? -1);
  assert.ok(identity);
  return identity;
}

const IDLE = 'setInterval(() => {}, 1e6);';
/** Starts a child in a session of its own, prints its id, and continues. */
const WITH_CHILD = `const c = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(IDLE)}],
  { detached: true, stdio: 'ignore' }); console.log(c.pid); ${IDLE}`;

/** Starts a child in its own group, prints its id, and ends. */
const LEAVING_CHILD = `const c = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(IDLE)}],
  { stdio: 'ignore' }); c.unref(); console.log(c.pid);`;

const PORTS: readonly (readonly [string, Processes])[] = [
  ['this system', systemProcesses],
  ['a system without /proc', createProcesses(createPsTable())],
];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

for (const [name, processes] of PORTS) {
  describe(`A process on ${name}`, () => {
    it('is identified by its number and its start while it runs', async () => {
      const child = run(`console.log('ready'); ${IDLE}`);
      await firstLine(child);
      const identity = identityOf(processes, child.pid);
      assert.equal(processes.isAlive(identity), true);
      assert.equal(processes.isAlive({ ...identity, startedAt: 'long ago' }), false);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      assert.equal(processes.isAlive(identity), false);
      assert.equal(processes.identify(identity.pid), null);
    });

    it('has its parent', async () => {
      const child = run(`console.log('ready'); ${IDLE}`);
      await firstLine(child);
      const ancestors = processes.ancestors(child.pid ?? -1);
      assert.equal(ancestors[0], process.pid);
      assert.equal(ancestors[1], process.ppid);
      assert.equal(processes.self().pid, process.pid);
      assert.equal(processes.isAlive(processes.self()), true);
    });

    it('is ended together with a child in another session', async () => {
      const child = run(WITH_CHILD);
      const grandchild = identityOf(processes, Number(await firstLine(child)));
      const root = identityOf(processes, child.pid);
      const exited = once(child, 'exit');
      await processes.endTree(root, { graceMs: 5_000, clock: systemClock });
      assert.deepEqual(await exited, [null, 'SIGTERM']);
      assert.equal(processes.isAlive(grandchild), false);
    });

    it('is killed after the grace period', async () => {
      const child = run(`process.on('SIGTERM', () => {}); console.log('ready'); ${IDLE}`);
      await firstLine(child);
      const exited = once(child, 'exit');
      await processes.endTree(identityOf(processes, child.pid), { graceMs: 100, clock: systemClock });
      assert.deepEqual(await exited, [null, 'SIGKILL']);
    });

    it('that led its group and ended is still identified: the rest of its group is ended', async () => {
      const child = run(LEAVING_CHILD);
      const root = { pid: child.pid ?? -1, startedAt: 'a while ago' };
      const exited = once(child, 'exit');
      const left = identityOf(processes, Number(await firstLine(child)));
      await exited;
      await processes.endTree(root, { graceMs: 0, clock: systemClock });
      assert.equal(
        processes.isAlive(left),
        true,
        'the group of a process that ended long ago may be another one',
      );
      await processes.endTree(root, { graceMs: 0, leadsGroup: true, clock: systemClock });
      assert.equal(processes.isAlive(left), false);
    });

    it('is not ended if another group has its number', async () => {
      const child = run(WITH_CHILD.replace('detached: true', 'detached: false'));
      const inGroup = identityOf(processes, Number(await firstLine(child)));
      const root = { ...identityOf(processes, child.pid), startedAt: 'long ago' };
      await processes.endTree(root, { graceMs: 0, leadsGroup: true, clock: systemClock });
      assert.equal(processes.isAlive(inGroup), true);
      process.kill(inGroup.pid, 'SIGKILL');
    });

    it('is not ended if another process has its number', async () => {
      const child = run(`console.log('ready'); ${IDLE}`);
      await firstLine(child);
      const identity = identityOf(processes, child.pid);
      await processes.endTree({ ...identity, startedAt: 'long ago' }, { graceMs: 100, clock: systemClock });
      assert.equal(processes.isAlive(identity), true);
    });
  });
}

describe('A leftover process', () => {
  it('is found by its mark when its parent is gone', async function () {
    if (process.platform !== 'linux') this.skip();
    const mark = 'left-behind';
    const child = run(WITH_CHILD, { [RUN_MARK_VARIABLE]: mark });
    const grandchild = identityOf(systemProcesses, Number(await firstLine(child)));
    const root = identityOf(systemProcesses, child.pid);
    const other = run(`console.log('ready'); ${IDLE}`, { [RUN_MARK_VARIABLE]: `${mark}-not` });
    await firstLine(other);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    assert.equal(systemProcesses.isAlive(grandchild), true);
    await systemProcesses.endTree(root, { graceMs: 0, mark, clock: systemClock });
    assert.equal(systemProcesses.isAlive(grandchild), false);
    assert.equal(systemProcesses.isAlive(identityOf(systemProcesses, other.pid)), true);
  });

  it('is sought by its mark among what is no older than a root that was just started', async () => {
    const rows = [7, 8, 9].map((ticks): ProcessRow => ({
      pid: 2 ** 22 + ticks,
      startedAt: `boot/${String(ticks)}`,
      parent: 1,
      group: 1,
      zombie: false,
    }));
    const asked: string[][] = [];
    const processes = createProcesses({
      find: () => null,
      list: () => rows,
      withEnvironment: (among) => {
        asked.push(among.map(({ startedAt }) => startedAt));
        return [];
      },
      hasVariable: () => false,
      commandLine: () => null,
    });
    const options = { graceMs: 0, mark: 'mine', clock: systemClock };
    // No process can have this id.
    const pid = 2 ** 22 + 1;
    await processes.endTree({ pid, startedAt: 'boot/8' }, { ...options, leadsGroup: true });
    await processes.endTree({ pid, startedAt: 'other boot/8' }, { ...options, leadsGroup: true });
    await processes.endTree({ pid, startedAt: 'boot/8' }, options);
    const all = ['boot/7', 'boot/8', 'boot/9'];
    assert.deepEqual(asked, [all.slice(1), all, all]);
  });

  it('never includes the program itself, even if it carries the mark', async () => {
    const self = systemProcesses.self();
    const row: ProcessRow = { ...self, parent: 1, group: 1, zombie: false };
    const processes = createProcesses({
      find: () => row,
      list: () => [row],
      withEnvironment: () => [row],
      hasVariable: () => false,
      commandLine: () => null,
    });
    await processes.endTree({ pid: 1, startedAt: '' }, { graceMs: 0, mark: 'mine', clock: systemClock });
    assert.equal(systemProcesses.isAlive(self), true);
  });

  it('is ended although the system could not be asked for a while', async () => {
    const child = run(`console.log('ready'); ${IDLE}`);
    await firstLine(child);
    let looks = 0;
    const table = process.platform === 'linux' ? createProcTable() : createPsTable();
    const often = <T>(look: () => T): T => {
      looks += 1;
      if (looks % 3 !== 0) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      return look();
    };
    const processes = createProcesses({
      ...table,
      find: (pid) => (pid === child.pid ? often(() => table.find(pid)) : table.find(pid)),
      list: () => often(() => table.list()),
    });
    const exited = once(child, 'exit');
    await processes.endTree(identityOf(systemProcesses, child.pid), { graceMs: 5_000, clock: systemClock });
    assert.deepEqual(await exited, [null, 'SIGTERM']);
  });

  it('rejects the promise if the system can never be asked', async () => {
    const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
    const fail = (): never => {
      throw new Error('EMFILE: too many open files');
    };
    const table = { find: fail, list: fail, withEnvironment: fail, hasVariable: fail, commandLine: fail };
    const ending = createProcesses(table).endTree({ pid: 1, startedAt: '' }, { graceMs: 0, clock });
    await assert.rejects(ending, /EMFILE/);
  });

  it('is not left when its start could not be observed: it is ended at once', async () => {
    const child = run(IDLE);
    const exited = once(child, 'exit');
    const fail = (): never => {
      throw new Error('EMFILE: too many open files');
    };
    const table = { find: fail, list: fail, withEnvironment: fail, hasVariable: fail, commandLine: fail };
    assert.throws(() => createProcesses(table).identifyChild(child, { graceMs: 0 }), /EMFILE/);
    assert.deepEqual(await exited, [null, 'SIGKILL']);
  });

  it('is abandoned after a while if it cannot be ended', async () => {
    const row: ProcessRow = { pid: 2 ** 22 + 1, startedAt: 'x', parent: 1, group: 1, zombie: false };
    let sleeps = 0;
    const clock: Clock = {
      now: () => 0,
      sleep: () => {
        sleeps += 1;
        return Promise.resolve();
      },
    };
    const processes = createProcesses({
      find: () => row,
      list: () => [row],
      withEnvironment: () => [],
      hasVariable: () => false,
      commandLine: () => null,
    });
    await processes.endTree(row, { graceMs: 100, clock });
    assert.ok(sleeps > 50 && sleeps < 500, String(sleeps));
  });
});

describe('The table of processes', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'processes-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('of Linux is read correctly if a name has spaces and brackets', () => {
    mkdirSync(join(folder, '42'));
    mkdirSync(join(folder, 'sys/kernel/random'), { recursive: true });
    writeFileSync(join(folder, 'sys/kernel/random/boot_id'), 'boot\n');
    const fields = ['Z', '7', '42', ...Array.from({ length: 16 }, () => '0'), '98765', '0'];
    writeFileSync(join(folder, '42/stat'), `42 (a) (b c) ${fields.join(' ')}\n`);
    writeFileSync(join(folder, '42/environ'), 'A=1\0B=2\0');
    const table = createProcTable(folder);
    const row = { pid: 42, parent: 7, group: 42, zombie: true, startedAt: 'boot/98765' };
    assert.deepEqual(table.find(42), row);
    assert.deepEqual(table.list(), [row]);
    assert.deepEqual(table.withEnvironment([row], 'B=2'), [row]);
    assert.deepEqual(table.withEnvironment([row], 'B='), []);
    assert.equal(table.find(43), null);
  });

  it('of Linux skips hidden processes, and fails for unreadable ones', () => {
    const table = createProcTable(folder);
    // A folder in the place of a file fails as too many open files do: that says nothing of the process.
    mkdirSync(join(folder, '43/stat'), { recursive: true });
    assert.throws(() => table.find(43), /EISDIR/);
    mkdirSync(join(folder, '42'));
    writeFileSync(join(folder, '42/stat'), `42 (a) S ${Array.from({ length: 20 }, () => '5').join(' ')}\n`);
    const bootId = join(folder, 'sys/kernel/random/boot_id');
    mkdirSync(bootId, { recursive: true });
    assert.throws(() => table.find(42), /EISDIR/);
    rmdirSync(bootId);
    writeFileSync(bootId, 'boot\n');
    assert.equal(table.find(42)?.startedAt, 'boot/5');
  });

  it('of ps is read with numbers of any length', () => {
    const ps = join(folder, 'ps');
    writeFileSync(
      ps,
      '#!/bin/sh\necho "    1     0     1 Ss   Fri Nov 20 20:38:00 2026"\necho "  PID garbage"\n',
    );
    chmodSync(ps, 0o700);
    assert.deepEqual(createPsTable(ps).list(), [
      { pid: 1, parent: 0, group: 1, zombie: false, startedAt: 'Fri Nov 20 20:38:00 2026' },
    ]);
  });

  it('fails without a program to ask', () => {
    assert.throws(() => createPsTable(join(folder, 'nothing')).find(1), /ENOENT/);
  });
});
