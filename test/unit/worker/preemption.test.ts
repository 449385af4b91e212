import assert from 'node:assert/strict';
import type { TaskId } from '../../../src/domain/task/task';
import type { Bounds } from '../../../src/worker/bounds/bounds';
import type { RunSummary } from '../../../src/worker/bounds/runCounters';
import { Problem } from '../../../src/domain/problem';
import type { WorkerDeps } from '../../../src/worker/workerDeps';
import { work } from '../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, taking, type Script } from '../../support/queue/workerHarness';
import { checkReplay } from '../../support/queue/replayed';

const NEVER = new AbortController().signal;
const TWO = { min: 2, max: 2 };

let harness: Harness;

function prepareEach(maxRunning = 1): void {
  beforeEach(() => {
    harness = new Harness({ preempt: 'critical', maxRunning });
  });
}

/** Takes N minutes of work in all, over several attempts. */
function inAll(minutes: number): Script {
  let leftMs = minutes * MINUTE_MS;
  return async (run, stop) => {
    const startedAt = run.clock.now();
    const verdict = await taking(leftMs)(run, stop);
    leftMs -= run.clock.now() - startedAt;
    return verdict;
  };
}

function low(id: TaskId, minutes = 60): void {
  harness.put(id, { priority: 'low', workingDir: `/place/${id}` }, inAll(minutes));
}

function urgent(id: TaskId, minutes = 10, script: Script = taking(minutes * MINUTE_MS)): void {
  harness.put(id, { priority: 'critical', workingDir: `/place/${id}` }, script);
}

function start(
  bounds: Bounds = { untilEmpty: true },
  changes: Partial<WorkerDeps> = {},
): Promise<RunSummary> {
  return work(harness.createWorker(changes), bounds, NEVER);
}

/** Starts a worker on low task 1, and adds critical task 9 after 20 minutes. Returns the end of the worker. */
async function interrupt(
  bounds?: Bounds,
  changes?: Partial<WorkerDeps>,
): Promise<{ ended: Promise<RunSummary> }> {
  low(1);
  const ended = start(bounds, changes);
  await harness.clock.runFor(20 * MINUTE_MS);
  urgent(9);
  await harness.clock.settle();
  return { ended };
}

const reasonsOf = async (id: TaskId): Promise<string[]> =>
  (await harness.queue.attempts({ id })).map(({ reason }) => reason);

describe('A worker without room for a critical task', () => {
  prepareEach();

  it('stops its attempt at once, runs the critical task, then resumes the stopped one in its session', async () => {
    low(1);
    const working = start();
    await harness.clock.runUntil(EVENING + 20 * MINUTE_MS + 1234);
    urgent(9);
    await harness.clock.settle();
    assert.equal(harness.runs[1]?.at, EVENING + 20 * MINUTE_MS + 1234, 'without waiting for the next look');
    const waiting = await harness.task(1);
    assert.deepEqual(
      [waiting.state.status, waiting.state.retryCount, waiting.state.resume],
      ['pending', 0, 'stopped'],
    );
    assert.equal((await harness.clock.run(working)).ran, 3);
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 9', '18:30 1']);
    assert.equal(harness.runs[2]?.job.session, harness.runs[0]?.job.session);
    assert.equal(harness.timeOf(harness.clock.now()), '19:10', 'no work is lost');
    const { state } = await harness.task(1);
    assert.deepEqual([state.status, state.retryCount], ['completed', 0]);
    const attempts = await harness.queue.attempts({ id: 1 });
    assert.deepEqual(
      attempts.map(({ outcome, reason, note }) => [outcome, reason, note]),
      [
        ['success', 'done', undefined],
        ['cancelled', 'made-way', { kind: 'made-way', for: 9 }],
      ],
    );
    assert.equal(await checkReplay(harness.queue), 3);
  });

  it('stops nothing by default', async () => {
    harness = new Harness();
    low(1);
    const working = start();
    await harness.clock.runFor(20 * MINUTE_MS);
    urgent(9);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '19:00 9']);
  });

  it('serves several critical tasks in a row before the stopped one resumes', async () => {
    low(1);
    const working = start();
    await harness.clock.runFor(20 * MINUTE_MS);
    urgent(8);
    urgent(9);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 8', '18:30 9', '18:40 1']);
  });

  it('starts the critical task even if it is the turn of another tenant', async () => {
    harness.put(1, { priority: 'low', user: 'ann' }, taking(HOUR_MS));
    const working = start();
    await harness.clock.runFor(20 * MINUTE_MS);
    harness.put(2, { priority: 'high', user: 'bob' }, taking(MINUTE_MS));
    await harness.clock.settle();
    harness.put(9, { priority: 'critical', user: 'ann' }, taking(MINUTE_MS));
    await harness.clock.run(working);
    assert.deepEqual(harness.diary.slice(0, 2), ['18:00 1', '18:20 9']);
    assert.equal(await checkReplay(harness.queue), 4);
  });

  it('frees the directory of the critical task', async () => {
    harness = new Harness({ preempt: 'critical', maxRunning: 5 });
    harness.put(1, { priority: 'high' }, taking(HOUR_MS));
    low(2);
    const working = start(undefined, { slots: { min: 3, max: 3 } });
    await harness.clock.runFor(20 * MINUTE_MS);
    harness.put(9, { priority: 'critical' }, taking(10 * MINUTE_MS));
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '18:00 2', '18:20 9', '18:30 1']);
  });

  it('opens a slot for it if it may, and stops nothing', async () => {
    harness = new Harness({ preempt: 'critical', maxRunning: 5 });
    low(1);
    const working = start(undefined, { slots: { min: 1, max: 4 } });
    await harness.clock.runFor(20 * MINUTE_MS);
    urgent(9);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 9']);
    assert.equal(harness.mostAtOnce, 2);
  });

  it('stops nothing during the check of a row', async () => {
    harness.put(1, { priority: 'low', verify: ['true'] }, taking(MINUTE_MS));
    let isOver: () => void = () => undefined;
    const check = new Promise<void>((resolve) => (isOver = resolve));
    const working = start(undefined, {
      prepareCheck: async () => {
        await check;
        return { outside: 'No check runs here.', environment: {}, secrets: [] };
      },
    });
    await harness.clock.runFor(MINUTE_MS);
    urgent(9);
    await harness.clock.runFor(5 * MINUTE_MS);
    isOver();
    await harness.clock.run(working);
    assert.deepEqual(await reasonsOf(1), ['verify-not-run']);
    assert.deepEqual(harness.diary, ['18:00 1', '18:06 9']);
  });

  it('stops nothing when a limit of its run lets no other attempt start', async () => {
    const { ended } = await interrupt({ maxTasks: 1 });
    await harness.clock.run(ended);
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.deepEqual(await reasonsOf(1), ['done']);
  });

  it('counts the stopped attempt and the critical task against the limit of its run', async () => {
    const { ended } = await interrupt({ maxTasks: 2 });
    assert.equal((await harness.clock.run(ended)).ran, 2);
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 9']);
    assert.equal((await harness.task(1)).state.status, 'pending');
  });

  it('stops nothing after it was asked to stop', async () => {
    low(1);
    const working = start();
    await harness.clock.runFor(20 * MINUTE_MS);
    await harness.queue.stop('after-task', 'stop');
    urgent(9);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.deepEqual(await reasonsOf(1), ['done']);
  });

  it('stops nothing while the gate is closed', async () => {
    const until = EVENING + 3 * HOUR_MS;
    low(1);
    const working = start();
    await harness.clock.runFor(20 * MINUTE_MS);
    harness.gate.now = {
      ...harness.gate.now,
      closures: [{ kind: 'five_hour', since: EVENING, until, message: '' }],
    };
    urgent(9);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 1', '21:01 9']);
  });

  it('stops one attempt at a time', async () => {
    harness = new Harness({ preempt: 'critical', maxRunning: 2 });
    const slowly: Script = async (run, stop) => {
      const verdict = await taking(HOUR_MS)(run, stop);
      await run.clock.sleep(stop.aborted ? 8_000 : 0);
      return verdict;
    };
    for (const id of [1, 2]) harness.put(id, { priority: 'low', workingDir: `/place/${id}` }, slowly);
    const working = start(undefined, { slots: TWO });
    await harness.clock.runFor(20 * MINUTE_MS);
    urgent(9);
    await harness.clock.run(working);
    assert.deepEqual(await reasonsOf(1), ['done']);
    assert.deepEqual(await reasonsOf(2), ['done', 'made-way']);
  });

  it('lets a task be cancelled that is being stopped', async () => {
    harness.put(1, { priority: 'low' }, async (run, stop) => {
      const verdict = await taking(HOUR_MS)(run, stop);
      await run.clock.sleep(8_000);
      return verdict;
    });
    const working = start();
    await harness.clock.runFor(20 * MINUTE_MS);
    urgent(9);
    await harness.clock.settle();
    await harness.queue.command(1, 'cancel', 'cancel');
    await harness.clock.run(working);
    assert.equal((await harness.task(1)).state.status, 'cancelled');
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 9']);
  });

  it('stops nothing again soon for a task that did not start', async () => {
    const { ended } = await interrupt(undefined, {
      awaitUndo: (folder) =>
        folder === '/place/9' && harness.clock.now() < EVENING + 25 * MINUTE_MS
          ? Promise.reject(new Problem('undo-running', 'An undo runs.'))
          : Promise.resolve(),
    });
    await harness.clock.run(ended);
    assert.deepEqual(await reasonsOf(1), ['done', 'made-way', 'made-way']);
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 1', '18:30 9', '18:40 1']);
  });

  it('that dies before the attempt has ended leaves both tasks to the next worker', async () => {
    low(1);
    const owner = harness.processes.create();
    const hanging = new Promise<never>(() => undefined);
    harness.scripts.set(1, (run, stop) =>
      stop.aborted ? hanging : taking(HOUR_MS)(run, stop).then(() => hanging),
    );
    const first = harness.createWorker();
    void work({ ...first, owner: { ...first.owner, process: owner } }, {}, NEVER);
    await harness.clock.runFor(20 * MINUTE_MS);
    urgent(9);
    await harness.clock.settle();
    assert.ok(harness.reported.includes('18:20 1: Stopping: makes way for 9.'), harness.reported.join('\n'));
    harness.processes.alive.delete(owner.pid);
    low(1, 10);
    await harness.clock.run(start());
    assert.deepEqual(harness.diary, ['18:00 1', '18:20 9', '18:30 1']);
    const { state } = await harness.task(1);
    assert.deepEqual([state.status, state.retryCount], ['completed', 0]);
    assert.deepEqual(await reasonsOf(1), ['done', 'owner-died']);
    assert.equal(harness.runs[2]?.job.session, harness.runs[0]?.job.session);
  });
});

describe('Two workers without room for a critical task', () => {
  prepareEach(2);

  it('stop one attempt together: the one that started last', async () => {
    low(1);
    low(2);
    const first = start();
    await harness.clock.runFor(MINUTE_MS);
    const second = start();
    await harness.clock.runFor(19 * MINUTE_MS);
    urgent(9);
    await harness.clock.run(Promise.all([first, second]));
    assert.deepEqual(await reasonsOf(1), ['done']);
    assert.deepEqual(await reasonsOf(2), ['done', 'made-way']);
    assert.deepEqual(harness.diary, ['18:00 1', '18:01 2', '18:20 9', '18:30 2']);
  });

  it('stop the other one after a while if the worker of that one takes no critical task', async () => {
    low(1);
    low(2);
    const first = start();
    await harness.clock.runFor(MINUTE_MS);
    const second = start(undefined, { choice: { priorities: ['low'] } });
    await harness.clock.runFor(19 * MINUTE_MS);
    urgent(9);
    await harness.clock.run(Promise.all([first, second]));
    assert.deepEqual(await reasonsOf(1), ['done', 'made-way']);
    assert.deepEqual(await reasonsOf(2), ['done']);
    assert.equal(harness.runs[2]?.at, EVENING + 20 * MINUTE_MS + 20_000);
  });
});
