import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createWorkerNotices } from '../../../src/app/notify/workerNotices';
import type { WorkerParts } from '../../../src/worker/workerDeps';
import { runOne, work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MACHINE, MINUTE_MS, taking } from '../worker/bench';

const EVERY_HOUR = { by: 'crontab', crons: ['0 * * * *'] };

/** What a worker does meanwhile, for hours. */
const STATES: Readonly<Record<string, (parts: WorkerParts, stop: AbortSignal) => Promise<unknown>>> = {
  'waits for a time': (parts, stop) => work(parts, {}, stop),
  'runs a task': (parts, stop) => work(parts, {}, stop),
  'has reached its bound while a task still runs': (parts, stop) =>
    work(parts, { until: EVENING + MINUTE_MS }, stop),
  'runs a single task': (parts, stop) => runOne(parts, { id: 1 }, stop),
};

/** A worker with notices, another one beside it, and a timer. */
class Scene {
  readonly bench = new Bench();
  readonly lines: string[] = [];
  private readonly stop = new AbortController();
  private working: Promise<unknown> = Promise.resolve();

  async open(state: string): Promise<void> {
    const { bench } = this;
    await bench.queue.noteTimer(EVERY_HOUR, bench.createId());
    if (state === 'waits for a time') bench.store.put(bench.put(1), { scheduledAt: EVENING + 9 * HOUR_MS });
    else bench.put(1, {}, taking(9 * HOUR_MS));
    this.working = (STATES[state] ?? assert.fail())(this.createWorker(), this.stop.signal);
    await bench.clock.runFor(2 * MINUTE_MS);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.bench.clock.run(this.working);
    this.bench.remove();
  }

  async killAnother(): Promise<void> {
    const { bench } = this;
    const { owner, since } = bench.createWorker();
    await bench.queue.enlist({ owner, since }, { alone: false }, bench.createId());
    bench.processes.alive.delete(owner.process.pid);
  }

  private createWorker(): WorkerParts {
    const { bench } = this;
    const parts = bench.createWorker();
    const machine = {
      id: MACHINE,
      isAlive: (one: WorkerParts['owner']['process']) => bench.processes.isAlive(one),
    };
    const host = { env: process.env, clock: bench.clock };
    const site = { queueFile: join(bench.folder, 'prompts.csv'), machine, host } as unknown as Parameters<
      typeof createWorkerNotices
    >[0];
    return { ...parts, notices: createWorkerNotices(site, parts, (line) => this.lines.push(line)) };
  }
}

for (const state of Object.keys(STATES)) {
  describe(`A worker that ${state}`, () => {
    let scene: Scene;
    beforeEach(async () => {
      scene = new Scene();
      await scene.open(state);
    });
    afterEach(() => scene.close());

    it('reports within a minute that another worker died', async () => {
      await scene.killAnother();
      await scene.bench.clock.runFor(MINUTE_MS);
      assert.deepEqual(
        scene.lines.map((line) => line.replace(/\..*/, '')),
        ['Worker w2 died'],
      );
    });

    it('reports within a minute that a timer did not start a worker within five minutes of its time', async () => {
      const lateAt = EVENING + HOUR_MS + 5 * MINUTE_MS;
      await scene.bench.clock.runUntil(lateAt);
      assert.deepEqual(scene.lines, []);
      await scene.bench.clock.runUntil(lateAt + MINUTE_MS);
      assert.match(scene.lines.join('\n'), /^The timer \(crontab\) should have started a worker at 19:00.*$/);
    });
  });
}
