import { randomUUID } from 'node:crypto';
import { QueueContext } from '../../../src/app/context/queueContext';
import { OPEN_GATE } from '../../../src/domain/gate/gate';
import { defaults } from '../../../src/domain/settings/settings';
import type { Attempt, Outcome } from '../../../src/domain/task/attempt';
import { describeService } from '../../../src/domain/order/service';
import { decide } from '../../../src/domain/task/decide';
import { createEditorHost } from '../../../src/editor/state/editorHost';
import { machineId } from '../../../src/platform/processes/machine';
import type { Claimed, TaskQueue } from '../../../src/queue/taskQueue';
import { MINUTE } from '../queue/attempts';

/** Where the queue is. */
interface Place {
  readonly file: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An attempt of a recorded night; times in minutes after its start. Without `end`, its worker died. */
export interface NightAttempt {
  readonly id: number;
  readonly at: number;
  readonly minutes: number;
  readonly end?: Partial<Attempt> & { readonly outcome: Outcome };
}

/** Something else that happened. */
export interface NightStep {
  readonly at: number;
  readonly act: (queue: TaskQueue) => Promise<void>;
}

/** A worker whose process is gone. */
const DEAD_WORKER = {
  kind: 'process',
  worker: '4194000',
  machine: machineId(),
  process: { pid: 4_194_000, startedAt: 'then' },
} as const;

/** Plays attempts on a queue, one after another, as a worker records them; `start` is the time of minute 0. */
export async function recordNight(
  { file, folder, env }: Place,
  start: number,
  steps: readonly (NightAttempt | NightStep)[],
): Promise<void> {
  let now = start;
  const host = createEditorHost({ ...env }, folder, (message) => {
    throw new Error(message);
  });
  const clock = { ...host.clock, now: () => now };
  const context = new QueueContext({ queue: file }, { ...host, clock });
  await context.withQueue(async (queue) => {
    await queue.read();
    await queue.sync();
    for (const step of steps) {
      now = start + step.at * MINUTE;
      if ('act' in step) await step.act(queue);
      else await playAttempt(queue, step, (minutes) => (now += minutes * MINUTE));
    }
  });
}

async function playAttempt(
  queue: TaskQueue,
  { id, minutes, end }: NightAttempt,
  pass: (minutes: number) => number,
): Promise<void> {
  const rules = { settings: defaults, timeZone: 'UTC', random: 0.5 };
  await queue.recover(rules, randomUUID());
  const claimed = await queue.claim(
    {
      id,
      override: { time: true },
      owner: DEAD_WORKER,
      since: pass(0),
      gate: OPEN_GATE,
      approvedRows: { trusted: true, approvals: new Set() },
      settings: defaults,
      timeZone: 'UTC',
      freshSession: randomUUID(),
    },
    randomUUID(),
  );
  if (claimed.kind === 'idle') throw new Error(`Task ${String(id)}: ${claimed.why.state}`);
  await queue.start(claimed.claim, DEAD_WORKER.process, randomUUID());
  const endedAt = pass(minutes);
  if (end === undefined) return;
  const [task] = await queue.find([id]);
  const [last] = await queue.attempts({ id, limit: 1 });
  if (task === undefined) throw new Error(`There is no task ${String(id)}.`);
  const verdict = { reason: REASONS[end.outcome] ?? end.outcome, message: '', ...end };
  const change = decide(claimed.definition, task.state, verdict, { now: endedAt, ...rules });
  await queue.finish(
    claimed.claim,
    {
      change,
      definition: claimed.definition,
      attempt: {
        ...factsOf(claimed, endedAt),
        ...describeService(
          claimed.claim,
          task,
          { endedAt, lastEndedAt: last?.endedAt ?? null },
          { byId: new Map([[id, task]]), settings: defaults },
        ),
        ...verdict,
        code: change.code,
      },
    },
    randomUUID(),
  );
}

const REASONS: Readonly<Partial<Record<Outcome, string>>> = { success: 'done', limit: 'five_hour' };

function factsOf(
  { claim }: Claimed,
  endedAt: number,
): Omit<Attempt, 'outcome' | 'reason' | 'message' | 'code'> {
  const { id, attempt: number, power, session, at: startedAt, dueAt, skipped } = claim;
  return {
    ...{ id, number, power, session, startedAt, endedAt },
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(skipped === undefined ? {} : { skipped }),
  };
}
