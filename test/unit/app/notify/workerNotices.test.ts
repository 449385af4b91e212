import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createWorkerNotices } from '../../../../src/app/notify/workerNotices';
import type { CallbackFailure } from '../../../../src/domain/queue/callbacks';
import type { WorkerDeps } from '../../../../src/worker/workerDeps';
import { runOne } from '../../../../src/worker/runOne';
import { work } from '../../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MACHINE, MINUTE_MS, taking } from '../../../support/queue/workerHarness';

const EVERY_HOUR = { by: 'crontab', crons: ['0 * * * *'] };

/** States in which a worker stays for hours. */
const STATES: Readonly<Record<string, (deps: WorkerDeps, stop: AbortSignal) => Promise<unknown>>> = {
  'waits for a time': (deps, stop) => work(deps, {}, stop),
  'runs a task': (deps, stop) => work(deps, {}, stop),
  'has reached its bound while a task still runs': (deps, stop) =>
    work(deps, { until: EVENING + MINUTE_MS }, stop),
  'runs a single task': (deps, stop) => runOne(deps, { id: 1 }, stop),
};

/** A worker with notices, another one beside it, and a timer. */
class Scene {
  readonly harness = new Harness();
  readonly lines: string[] = [];
  private readonly stop = new AbortController();
  private working: Promise<unknown> = Promise.resolve();
  /** Time that it takes to send a callback. */
  slowMs = 0;
  /** Times at which callbacks were posted, where the first of this number failed. */
  readonly postedAt: number[] = [];
  failing = 0;

  async open(state: string): Promise<void> {
    const { harness } = this;
    await harness.queue.recordTimer(EVERY_HOUR, harness.createId());
    if (state === 'waits for a time')
      harness.store.put(harness.put(1), { scheduledAt: EVENING + 9 * HOUR_MS });
    else harness.put(1, {}, taking(9 * HOUR_MS));
    this.working = (STATES[state] ?? assert.fail())(this.createWorker(), this.stop.signal);
    await harness.clock.runFor(2 * MINUTE_MS);
  }

  async workUntilEmpty(): Promise<void> {
    await this.harness.clock.run(work(this.createWorker(), { untilEmpty: true }, this.stop.signal));
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.harness.clock.run(this.working);
  }

  async killAnother(): Promise<void> {
    const { harness } = this;
    const { owner, since } = harness.createWorker();
    await harness.queue.register({ owner, since }, { alone: false }, harness.createId());
    harness.processes.alive.delete(owner.process.pid);
  }

  private post(): Promise<CallbackFailure | null> {
    this.postedAt.push(this.harness.clock.now());
    const isGood = this.postedAt.length > this.failing;
    return Promise.resolve(isGood ? null : { kind: 'status', status: 502 });
  }

  private createWorker(): WorkerDeps {
    const { harness } = this;
    const deps = harness.createWorker();
    const machine = {
      id: MACHINE,
      isAlive: (one: WorkerDeps['owner']['process']) => harness.processes.isAlive(one),
    };
    const host = { env: process.env, clock: harness.clock };
    const queueContext = {
      queueFile: join(harness.folder, 'prompts.csv'),
      machine,
      host,
    } as unknown as Parameters<typeof createWorkerNotices>[0];
    return {
      ...deps,
      notices: createWorkerNotices(
        queueContext,
        {
          ...deps,
          readResult: () => harness.clock.sleep(this.slowMs).then(() => null),
          ...(this.failing === 0 ? {} : { post: () => this.post() }),
        },
        (line) => this.lines.push(line),
      ),
    };
  }
}

for (const state of Object.keys(STATES)) {
  describe(`A worker that ${state}`, () => {
    const stopped = state.includes('bound') ? ['Queue paused: a limit of its run was reached'] : [];
    let scene: Scene;
    beforeEach(async () => {
      scene = new Scene();
      await scene.open(state);
    });
    afterEach(() => scene.close());

    it('reports within a minute that another worker died', async () => {
      await scene.killAnother();
      await scene.harness.clock.runFor(MINUTE_MS);
      assert.deepEqual(
        scene.lines.map((line) => line.replace(/\..*/, '')),
        [...stopped, 'Worker w2 died'],
      );
    });

    it('reports within a minute that a timer did not start a worker within five minutes of its time', async () => {
      const lateAt = EVENING + HOUR_MS + 5 * MINUTE_MS;
      await scene.harness.clock.runUntil(lateAt);
      assert.equal(scene.lines.length, stopped.length);
      await scene.harness.clock.runUntil(lateAt + MINUTE_MS);
      assert.match(
        scene.lines.join('\n'),
        /(?:^|\n)The timer \(crontab\) should have started a worker at 19:00.*$/,
      );
    });
  });
}

describe('A worker that sends callbacks', () => {
  // The address is refused without a request.
  const callbackUrl = 'https://127.0.0.1/hook';
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });

  it('reports meanwhile that another worker died', async () => {
    scene.slowMs = 9 * HOUR_MS;
    scene.harness.put(2, { callbackUrl });
    await scene.open('waits for a time');
    assert.equal((await scene.harness.queue.read()).callbacks.length, 1);
    await scene.killAnother();
    await scene.harness.clock.runFor(MINUTE_MS);
    assert.match(scene.lines.join('\n'), /^Worker w2 died/m);
    await scene.close();
  });

  it('drops one whose address is none, and sends the others', async () => {
    for (const [id, url] of [
      [2, 'no address'],
      [3, callbackUrl],
    ] as const)
      scene.harness.put(id, { callbackUrl: url });
    await scene.open('waits for a time');
    await scene.close();
    assert.deepEqual((await scene.harness.queue.read()).callbacks, []);
    assert.match(
      scene.lines.join('\n'),
      /^The callback of task 2 was not delivered\. Its address is not valid\. Check callback_url\.$/m,
    );
  });

  it('sends the last one before it ends', async () => {
    scene.slowMs = 5_000;
    for (const id of [2, 3]) scene.harness.put(id, { callbackUrl });
    await scene.open('waits for a time');
    await scene.close();
    assert.deepEqual((await scene.harness.queue.read()).callbacks, []);
  });

  it('tries one that failed again before it ends, and says that it waits for that', async () => {
    scene.failing = 1;
    scene.harness.put(2, { callbackUrl });
    await scene.workUntilEmpty();
    const [first = 0, second = 0, ...others] = scene.postedAt;
    assert.deepEqual([second - first, others.length], [10_000, 0]);
    assert.deepEqual((await scene.harness.queue.read()).callbacks, []);
    assert.deepEqual(
      scene.lines.filter((line) => line.startsWith('Not delivered')),
      ['Not delivered yet: 1 callback. Trying again before the worker ends, for at most 30 s.'],
    );
  });

  it('does not wait for a receiver that is away for longer, and says what the next worker sends', async () => {
    scene.failing = 9;
    scene.harness.put(2, { callbackUrl });
    await scene.workUntilEmpty();
    assert.equal(scene.postedAt.length, 2);
    assert.equal((await scene.harness.queue.read()).callbacks.length, 1);
    assert.equal(scene.lines.at(-1), 'Not delivered: 1 callback. The next worker tries again.');
  });

  it('says of one that fails for the last time while it ends that it was not delivered', async () => {
    scene.failing = 9;
    scene.harness.put(2, { callbackUrl });
    await scene.workUntilEmpty();
    await scene.harness.clock.runFor(MINUTE_MS);
    await scene.workUntilEmpty();
    assert.equal(scene.postedAt.length, 3);
    assert.match(scene.lines.join('\n'), /^The callback of task 2 to \S+ was not delivered\./m);
  });
});
