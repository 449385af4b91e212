import assert from 'node:assert/strict';
import { Problem } from '../../../src/domain/problem';
import type { Idle, TaskQueue } from '../../../src/queue/taskQueue';
import { whileRegistered } from '../../../src/worker/registered';
import { work } from '../../../src/worker/work';
import type { WorkerDeps } from '../../../src/worker/workerDeps';
import { EVENING, Harness, MINUTE_MS, taking } from '../../support/queue/workerHarness';

const ALL = { from: -Infinity, to: Infinity };
/** The answer of rules by which no task is ready. */
const NOTHING: Idle = {
  ...{ kind: 'idle', askAgainAt: null, passesByItself: false, atLimit: false },
  why: { state: 'completed', causes: [], waitsFor: 'nothing' },
};

let harness: Harness;

/** Runs a worker for this time, as `work` does. Calls of its queue may be replaced. */
async function workFor(
  minutes: number,
  claim: (next: TaskQueue['claim']) => TaskQueue['claim'],
  changes: Partial<WorkerDeps> = {},
): Promise<void> {
  const { queue: real } = harness;
  const queue = harness.queueWith({
    claim: claim(real.claim.bind(real)),
    // Each claim is a call of its own.
    finish: (ref, done, op) => real.finish(ref, done, op),
  });
  const parts = harness.createWorker({ queue, ...changes });
  const end = new AbortController();
  const working = whileRegistered(parts, { alone: true }, () =>
    work(parts, { drainSignal: end.signal }, new AbortController().signal),
  );
  await harness.clock.runFor(minutes * MINUTE_MS);
  end.abort();
  await harness.clock.run(working);
}

/** Answers between two minutes of the evening by other rules: no task is ready. */
function refusing(fromMinute: number, toMinute: number): (next: TaskQueue['claim']) => TaskQueue['claim'] {
  return during(fromMinute, toMinute, () => Promise.resolve(NOTHING));
}

function during(
  fromMinute: number,
  toMinute: number,
  instead: TaskQueue['claim'],
): (next: TaskQueue['claim']) => TaskQueue['claim'] {
  return (next) => (request, op) => {
    const minute = (harness.clock.now() - EVENING) / MINUTE_MS;
    return minute >= fromMinute && minute < toMinute ? instead(request, op) : next(request, op);
  };
}

describe('A replay of a worker that waited', () => {
  beforeEach(() => {
    harness = new Harness({ maxRunning: 10 });
  });

  it('names a task once that the worker was refused while it was ready', async () => {
    harness.put(1);
    harness.put(2);
    await workFor(30, refusing(1, 20));
    const { missed, differences } = await harness.queue.replay(ALL);
    assert.deepEqual(differences, []);
    assert.deepEqual(
      missed.map(({ at, task, worker }) => [at - EVENING, task, worker.worker]),
      [[MINUTE_MS, 2, 'w1']],
    );
  });

  it('names a task that a worker was refused while it ran another one', async () => {
    harness.put(1, {}, taking(25 * MINUTE_MS));
    harness.put(2, { workingDir: '/place/2' });
    let asked = 0;
    const refuse = refusing(0, 20);
    await workFor(
      30,
      (next) => (request, op) => {
        asked += 1;
        return asked === 1 ? next(request, op) : refuse(next)(request, op);
      },
      { slots: { min: 2, max: 2 } },
    );
    const { missed } = await harness.queue.replay(ALL);
    assert.deepEqual(
      missed.map(({ task }) => task),
      [2],
    );
  });

  it('names none for a time in which the queue could not be asked', async () => {
    harness.put(1);
    harness.put(2);
    const away = (): Promise<never> => Promise.reject(new Problem('queue-busy', 'Busy.'));
    await workFor(30, during(1, 20, away));
    assert.deepEqual((await harness.queue.replay(ALL)).missed, []);
  });

  it('names none for a time in which the machine slept', async () => {
    harness.put(1);
    harness.put(2);
    const sleep = async (): Promise<Idle> => {
      harness.clock.set(6 * 60 * MINUTE_MS);
      return Promise.resolve(NOTHING);
    };
    let hasSlept = false;
    await workFor(30, (next) => (request, op) => {
      if (hasSlept || harness.clock.now() < EVENING + MINUTE_MS) return next(request, op);
      hasSlept = true;
      return sleep();
    });
    assert.equal(hasSlept, true);
    assert.deepEqual((await harness.queue.replay(ALL)).missed, []);
  });

  it('names none where every task starts when it can', async () => {
    for (const id of [1, 2, 3]) harness.put(id, {}, taking(10 * MINUTE_MS));
    harness.put(4, { repeat: { kind: 'every', everyMs: 15 * MINUTE_MS, text: '15m' } });
    await workFor(90, (next) => next, { slots: { min: 2, max: 2 } });
    const { missed, differences, same } = await harness.queue.replay(ALL);
    assert.deepEqual([missed, differences], [[], []]);
    assert.ok(same > 4);
  });
});
