// The program that each simulated process loads: the product's code, and what its two faces do around it.
import { createWorkerNotices } from '../../../src/app/notify/workerNotices';
import { describeError } from '../../../src/app/present/problems/problem';
import { nameReason } from '../../../src/domain/reasons/reason';
import { systemClock } from '../../../src/platform/clock';
import { QueuePaths } from '../../../src/queue/queuePaths';
import { work } from '../../../src/worker/work';
import { whileRegistered } from '../../../src/worker/registered';
import type { WorkerDeps } from '../../../src/worker/workerDeps';
import { openContext, type SimContext } from './context';
import { MACHINE_ID, QUEUE_FILE, type Host, type WorkerOptions } from './host';
import { setNotify } from './programs';

export { listAttempts, runCommand } from './commands';
export { openWindow } from './window';

/** Runs a worker to its end. Returns how it ended. */
export async function startWorker(host: Host, how: WorkerOptions): Promise<string> {
  setNotify((args, input) => host.notify(args, input));
  const context = await openContext(host);
  await context.configuration.read();
  const deps = createDeps(host, context, how);
  const bounds = {
    untilEmpty: how.untilEmpty,
    ...(how.maxTasks === undefined ? {} : { maxTasks: how.maxTasks }),
  };
  try {
    if (how.byTimer === true) await context.queue.recordTimerStart(host.createId());
    const ended = await whileRegistered(deps, how, () => work(deps, bounds, host.stop));
    return ended.kind;
  } finally {
    await context.queue.close();
  }
}

function createDeps(host: Host, context: SimContext, how: WorkerOptions): WorkerDeps {
  const { queue, gate, approvals, configuration, machine } = context;
  const owner = {
    ...({ kind: 'process', worker: String(host.self.pid), machine: MACHINE_ID, process: host.self } as const),
  };
  const say = (text: string): void => host.say({ kind: 'trouble', text });
  const core = {
    queue,
    gate: { ...gate, confirm: () => Promise.resolve() },
    readApprovedRows: () => approvals.read(),
    rules: configuration,
    clock: systemClock,
    createId: host.createId,
    owner,
  };
  return {
    ...core,
    runner: host.runner,
    random: host.random,
    processes: host.processes,
    ...(how.priorities === undefined ? {} : { choice: { priorities: how.priorities } }),
    slots: { min: how.slots, max: how.slots },
    lookAgainMs: how.lookAgainMs,
    ...(how.byTimer === undefined ? {} : { byTimer: how.byTimer }),
    since: systemClock.now(),
    prepareCheck: () => Promise.resolve({ outside: null, environment: {}, secrets: [] }),
    paths: new QueuePaths(QUEUE_FILE),
    describeError,
    events: {
      lost: ({ claim, change }) => host.say({ kind: 'lost', claim, change }),
      started: (claimed) => host.say({ kind: 'started', claimed }),
      line: () => undefined,
      ended: (claimed, verdict, change) => host.say({ kind: 'ended', claimed, verdict, change }),
      waiting: ({ why }) => host.say({ kind: 'waiting', text: nameReason(why) }),
      lifted: () => undefined,
      windowsGone: () => undefined,
      trouble: say,
    },
    notices: createWorkerNotices(
      {
        queueFile: QUEUE_FILE,
        machine,
        host: {
          ...{ env: {}, cwd: '/place', clock: systemClock, random: host.random, createId: host.createId },
          ...{ processes: host.processes, timeZone: 'UTC', warn: say },
        },
      },
      {
        ...core,
        readResult: () => Promise.resolve(null),
        post: (request, { timeoutMs }) => host.post(request, timeoutMs),
      },
      say,
    ),
  };
}
