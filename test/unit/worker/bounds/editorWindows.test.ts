import assert from 'node:assert/strict';
import type { StopHow } from '../../../../src/domain/queue/workerStop';
import type { RunSummary } from '../../../../src/worker/bounds/runCounters';
import { workWithWindows } from '../../../../src/worker/bounds/editorWindows';
import { Harness, EVENING, HOUR_MS, MINUTE_MS, taking } from '../../../support/queue/workerHarness';

const NEVER = new AbortController().signal;

/** The grace, and a look or two. */
const GRACE_MS = 35_000;

let harness: Harness;
let isOpen: () => Promise<boolean>;

function start(how: StopHow, parts = harness.createWorker()): Promise<RunSummary> {
  return workWithWindows(parts, {}, { how, isOpen: () => isOpen() }, NEVER);
}

/** Whether the windows made it stop. */
function hasStopped(): boolean {
  return harness.reported.some((line) => line.includes('windows gone'));
}

function closeWindows(): void {
  isOpen = () => Promise.resolve(false);
}

function openWindow(): void {
  isOpen = () => Promise.resolve(true);
}

describe('A worker that ends with the last window', () => {
  beforeEach(() => {
    harness = new Harness({ windowGrace: 30_000 });
    isOpen = () => Promise.resolve(true);
    harness.put(1, {}, taking(HOUR_MS));
    harness.put(2, {}, taking(HOUR_MS));
  });

  it('keeps running while one is open', async () => {
    const working = start('now');
    await harness.clock.runFor(90 * MINUTE_MS);
    assert.deepEqual(harness.diary, ['18:00 1', '19:00 2']);
    await harness.queue.stop('now', 'stop');
    await harness.clock.run(working);
  });

  it('lets its attempt end with after-task, and ends with the reason', async () => {
    const working = start('after-task');
    await harness.clock.runFor(10 * MINUTE_MS);
    closeWindows();
    assert.equal((await harness.clock.run(working)).ran, 1);
    assert.equal((await harness.task(1)).state.status, 'completed');
    assert.deepEqual(harness.diary, ['18:00 1']);
    assert.deepEqual(harness.reported, [
      '18:00 started 1',
      '18:10 windows gone: after-task',
      '19:00 ended 1 success completed',
    ]);
  });

  it('ends its attempt with now; the task resumes its session later', async () => {
    const working = start('now');
    await harness.clock.runUntil(EVENING + 10 * MINUTE_MS);
    closeWindows();
    await harness.clock.run(working);
    const goneForMs = harness.clock.now() - EVENING - 10 * MINUTE_MS;
    assert.ok(goneForMs >= 30_000 && goneForMs < GRACE_MS, String(goneForMs));
    const { state } = await harness.task(1);
    assert.deepEqual([state.status, state.resume, state.retryCount], ['pending', 'stopped', 0]);
    assert.deepEqual(await harness.claims(), []);
  });

  it('ends at once while it waits', async () => {
    await harness.queue.hold({ by: 'person', why: 'lunch' }, 'hold');
    const working = start('after-task');
    await harness.clock.runFor(10 * MINUTE_MS);
    closeWindows();
    await harness.clock.run(working);
    assert.ok(harness.clock.now() < EVENING + 10 * MINUTE_MS + GRACE_MS);
  });

  it('keeps running if a window returns within the grace period', async () => {
    const working = start('now');
    for (let reloads = 0; reloads < 3; reloads += 1) {
      closeWindows();
      await harness.clock.runFor(25_000);
      openWindow();
      await harness.clock.runFor(5_000);
    }
    assert.equal(hasStopped(), false);
    closeWindows();
    await harness.clock.run(working);
  });

  it('waits for a first window as long as for one that returns', async () => {
    closeWindows();
    const working = start('now');
    await harness.clock.runFor(20_000);
    openWindow();
    await harness.clock.runFor(HOUR_MS);
    assert.deepEqual(harness.diary, ['18:00 1', '19:00 2']);
    closeWindows();
    await harness.clock.run(working);
  });

  it('does not count the time in which the machine slept', async () => {
    const working = start('now');
    await harness.clock.runFor(MINUTE_MS);
    closeWindows();
    await harness.clock.runFor(5_000);
    harness.clock.suspend(8 * HOUR_MS);
    await harness.clock.runFor(5_000);
    openWindow();
    await harness.clock.runFor(MINUTE_MS);
    assert.equal(hasStopped(), false);
    closeWindows();
    await harness.clock.run(working);
  });

  it('without a grace period ends as soon as none is open', async () => {
    harness = new Harness({ windowGrace: 0 });
    harness.put(1, {}, taking(HOUR_MS));
    const working = start('now');
    await harness.clock.runFor(10 * MINUTE_MS);
    assert.deepEqual(harness.reported, ['18:00 started 1']);
    closeWindows();
    await harness.clock.run(working);
    assert.ok(hasStopped());
    assert.ok(harness.clock.now() <= EVENING + 10 * MINUTE_MS + 2_000);
  });

  it('stops no other worker', async () => {
    const working = start('now');
    await harness.clock.runFor(MINUTE_MS);
    closeWindows();
    await harness.clock.run(working);
    assert.equal((await harness.queue.read()).stop, null);
  });

  it('continues if it cannot see the windows, and reports it once', async () => {
    isOpen = () => Promise.reject(new Error('EACCES'));
    const working = start('now');
    await harness.clock.runFor(10 * MINUTE_MS);
    assert.deepEqual(harness.reported, [
      '18:00 started 1',
      '18:00 trouble: The open windows could not be determined: EACCES',
    ]);
    closeWindows();
    await harness.clock.run(working);
  });

  it('ends as bounded while windows are open', async () => {
    const over = workWithWindows(harness.createWorker(), { maxTasks: 1 }, { how: 'now', isOpen }, NEVER);
    assert.equal((await harness.clock.run(over)).ran, 1);
    assert.equal(harness.clock.now(), EVENING + HOUR_MS);
  });
});
