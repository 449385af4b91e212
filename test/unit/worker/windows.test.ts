import assert from 'node:assert/strict';
import type { WindowUsage } from '../../../src/domain/gate/gate';
import { work } from '../../../src/worker/work';
import {
  Harness,
  EVENING,
  HOUR_MS,
  MINUTE_MS,
  SUCCESS,
  taking,
  type Script,
} from '../../support/queue/workerHarness';

const NEVER = new AbortController().signal;
/** 22:10. */
const RESET = EVENING + 4 * HOUR_MS + 10 * MINUTE_MS;

/** The week is half gone by, and a third of it used. */
function windows(used: number): readonly WindowUsage[] {
  return [
    { window: 'five_hour', utilization: used, resetAt: RESET },
    { window: 'seven_day', utilization: 0.33, resetAt: EVENING + 84 * HOUR_MS },
  ];
}

/** A run that reports the fill levels of the windows at its start and at its end. */
function reporting(used: number, ms = 10 * MINUTE_MS, atEnd = used): Script {
  return async (run, stop) => {
    run.admitted(windows(used));
    const verdict = await taking(ms)({ ...run, admitted: () => undefined }, stop);
    return { ...verdict, usage: windows(atEnd) };
  };
}

describe('A night on one account', () => {
  let harness: Harness;

  const workOn = (untilEmpty: boolean) => work(harness.createWorker(), { untilEmpty }, NEVER);

  it('keeps the last fifth of the window as reserve, and continues after the reset', async () => {
    harness = new Harness({ reserve: 0.2 });
    harness.put(1, {}, reporting(0.5, HOUR_MS, 0.85));
    harness.put(2);
    harness.put(3, { priority: 'critical' }, reporting(0.9));
    harness.put(4);
    await harness.clock.run(workOn(true));
    assert.deepEqual(harness.diary, ['18:00 3', '22:10 1', '23:10 2', '23:11 4']);
    assert.deepEqual(
      harness.reported.filter((line) => line.includes('waiting')),
      [
        '18:10 waiting: 90 % of the 5-hour usage window is used: the rest is reserved for critical tasks until 22:10',
      ],
    );
  });

  it('applies usage that a running attempt reports to other starts', async () => {
    harness = new Harness({ reserve: 0.2, maxRunning: 2 });
    harness.put(1, { workingDir: '/place/1' }, reporting(0.9, HOUR_MS));
    harness.put(2, { workingDir: '/place/2' }, async (run, stop) => {
      run.admitted([]);
      await run.clock.sleep(MINUTE_MS, stop);
      return SUCCESS;
    });
    harness.put(3, { workingDir: '/place/3' });
    const working = Promise.all([workOn(true), workOn(true)]);
    await harness.clock.run(working);
    assert.deepEqual(harness.diary.slice(0, 2), ['18:00 1', '18:00 2']);
    assert.deepEqual(harness.diary.slice(2), ['22:10 3']);
  });

  it('uses leftover capacity for leftover tasks, after everything else', async () => {
    harness = new Harness();
    harness.put(1, { tags: ['spare'], priority: 'critical' });
    harness.put(2, {}, reporting(0.4));
    harness.put(3, { priority: 'low' });
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runUntil(EVENING + 4 * HOUR_MS);
    stop.abort();
    await harness.clock.run(working);
    assert.deepEqual(harness.diary, ['18:00 2', '18:10 3', '21:10 1']);
  });

  it('does not take longer because of leftover tasks', async () => {
    harness = new Harness();
    harness.put(1, { tags: ['spare'] });
    harness.put(2, {}, reporting(0.4));
    const summary = await harness.clock.run(workOn(true));
    assert.deepEqual(
      [summary.ran, summary.atLimit, harness.clock.now()],
      [1, false, EVENING + 10 * MINUTE_MS],
    );
  });

  it('keeps the age of usage: a report from the start of an attempt is not new at its end', async () => {
    harness = new Harness();
    harness.put(1, {}, reporting(0.4, HOUR_MS));
    await harness.clock.run(workOn(true));
    assert.deepEqual(
      harness.gate.now.usage.map(({ utilization, asOf }) => [utilization, asOf]),
      [
        [0.4, EVENING],
        [0.33, EVENING],
      ],
    );
    harness.put(2, {}, reporting(0.5, HOUR_MS, 0.6));
    await harness.clock.run(workOn(true));
    const reported = harness.gate.now.usage.map(({ window, utilization, asOf }) => [
      window,
      utilization,
      asOf,
    ]);
    assert.deepEqual(reported, [
      ['seven_day', 0.33, EVENING + HOUR_MS],
      ['five_hour', 0.6, EVENING + 2 * HOUR_MS],
    ]);
  });

  it('keeps with each attempt the last usage that it reported, also what the gate knew before', async () => {
    harness = new Harness();
    harness.put(1, {}, reporting(0.4, HOUR_MS));
    harness.put(2, {}, reporting(0.5, HOUR_MS, 0.6));
    harness.put(3);
    await harness.clock.run(workOn(true));
    const kept = (await harness.queue.attempts({})).map(({ usage }) => usage);
    assert.deepEqual(kept, [undefined, windows(0.6), windows(0.4)]);
  });
});
