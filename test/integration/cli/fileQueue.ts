import { homedir } from 'node:os';
import { join } from 'node:path';
import { Approvals } from '../../../src/account/approvals';
import { Histories } from '../../../src/account/histories';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import type { Claim, RegisteredWorker, TaskView } from '../../../src/domain/queue/view';
import { defaults } from '../../../src/domain/settings/settings';
import type { Verdict } from '../../../src/domain/task/attempt';
import { decide } from '../../../src/domain/task/decide';
import { machineId } from '../../../src/platform/processes/machine';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { openFileQueue } from '../../../src/queue/openQueue';
import type { ClaimRef, TaskQueue } from '../../../src/queue/taskQueue';
import { attemptOf } from '../../conformance/harness';
import type { CliHarness } from './cliHarness';

/** A worker's view of the queue on a desk, without a worker. */
export async function openCliQueue(cli: CliHarness): Promise<TaskQueue> {
  const rows = { timeZone: 'UTC', folder: cli.workspace, home: homedir(), allowBypass: false };
  const user = join(cli.env['XDG_STATE_HOME'] ?? '', 'claude-queue');
  return openFileQueue({
    file: cli.queueFile,
    rows: () => rows,
    machine: { id: machineId(), isAlive: () => true },
    known: new Histories(user, join(cli.queueFolder, 'state'), new Approvals(user, cli.queueFile)),
    clock: { now: () => cli.now, sleep: () => Promise.resolve() },
    warn: (message) => {
      throw new Error(message);
    },
  });
}

/** Puts a worker on record that lives as long as this test does, and is another process. */
export async function registerWorker(
  cli: CliHarness,
  queue: TaskQueue,
  pool?: string,
  how: Pick<RegisteredWorker, 'slots' | 'takes'> = {},
): Promise<string> {
  const owner = systemProcesses.identify(process.ppid);
  if (owner === null) throw new Error('This process has no parent.');
  const worker = String(owner.pid);
  const enlisted = { kind: 'process', worker, machine: machineId(), process: owner } as const;
  const inPool = pool === undefined ? enlisted : { ...enlisted, pool };
  await queue.register({ owner: inPool, since: cli.now, ...how }, { alone: false }, 'enlist');
  return worker;
}

/** Claims the next task for a worker of this process, and puts a run on record. */
export async function startAttempt(
  cli: CliHarness,
  queue: TaskQueue,
  run: ProcessIdentity,
  machine = machineId(),
): Promise<ClaimRef & Pick<Claim, 'attempt' | 'session'>> {
  const op = `${String(run.pid)}-${String(cli.now)}`;
  const claimed = await queue.claim(
    {
      owner: { kind: 'process', worker: '42', machine, process: cli.self() },
      since: cli.now,
      gate: OPEN_GATE,
      approvedRows: { trusted: true, approvals: new Set() },
      settings: defaults,
      timeZone: 'UTC',
      freshSession: '00000000-0000-4000-8000-000000000000',
    },
    `claim-${op}`,
  );
  if (claimed.kind === 'idle') throw new Error(`Nothing to claim: ${claimed.why.state}`);
  await queue.start(claimed.claim, run, `start-${op}`);
  return claimed.claim;
}

/** Returns the first task of a queue. */
export async function firstTask(queue: TaskQueue): Promise<TaskView> {
  const [first] = (await queue.read()).tasks;
  if (first === undefined) throw new Error('The queue has no task.');
  return first;
}

/** Runs the first task: it ends with this verdict. */
export async function endFirstTask(
  cli: CliHarness,
  queue: TaskQueue,
  verdict: Pick<Verdict, 'outcome' | 'reason' | 'message'>,
): Promise<void> {
  await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' });
  const { definition, state, claim } = await firstTask(queue);
  if (claim === undefined) throw new Error('The first task is not claimed.');
  const circumstances = { now: cli.now, random: 0.5, settings: defaults, timeZone: 'UTC' };
  const change = decide(definition, state, verdict, circumstances);
  const attempt = attemptOf({ kind: 'claimed', claim, definition, state }, change, cli.now, verdict);
  await queue.finish(claim, { change, attempt, definition }, 'end');
}
