import assert from 'node:assert/strict';
import type { WindowUsage } from '../../../src/domain/gate/limits';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking, type Script } from './bench';

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

/** A run that is told at its beginning how full the windows are, and at its end again. */
function telling(used: number, ms = 10 * MINUTE_MS, atEnd = used): Script {
  return async (run, stop) => {
    run.admitted(windows(used));
    const verdict = await taking(ms)({ ...run, admitted: () => undefined }, stop);
    return { ...verdict, usage: windows(atEnd) };
  };
}

describe('A night on one account', () => {
  let bench: Bench;
  afterEach(() => bench.remove());

  const workOn = (untilEmpty: boolean) => work(bench.createWorker(), { untilEmpty }, NEVER);

  it('leaves the last fifth of the window to me, and goes on after the reset', async () => {
    bench = new Bench({ reserve: 0.2 });
    bench.put(1, {}, telling(0.5, HOUR_MS, 0.85));
    bench.put(2);
    bench.put(3, { priority: 'critical' }, telling(0.9));
    bench.put(4);
    await bench.clock.run(workOn(true));
    assert.deepEqual(bench.diary, ['18:00 3', '22:10 1', '23:10 2', '23:11 4']);
    assert.deepEqual(
      bench.told.filter((line) => line.includes('waiting')),
      ['18:10 waiting: 90 % of the 5-hour window is used: the rest is kept for critical tasks until 22:10'],
    );
  });

  it('is told of by a run while it goes on, so that no other begins with what is kept', async () => {
    bench = new Bench({ reserve: 0.2, maxRunning: 2 });
    bench.put(1, { workingDir: '/place/1' }, telling(0.9, HOUR_MS));
    bench.put(2, { workingDir: '/place/2' }, async (run, stop) => {
      run.admitted([]);
      await run.clock.sleep(MINUTE_MS, stop);
      return SUCCESS;
    });
    bench.put(3, { workingDir: '/place/3' });
    const working = Promise.all([workOn(true), workOn(true)]);
    await bench.clock.run(working);
    assert.deepEqual(bench.diary.slice(0, 2), ['18:00 1', '18:00 2']);
    assert.deepEqual(bench.diary.slice(2), ['22:10 3']);
  });

  it('uses what the window would lose for what is spare, behind everything else', async () => {
    bench = new Bench();
    bench.put(1, { tags: ['spare'], priority: 'critical' });
    bench.put(2, {}, telling(0.4));
    bench.put(3, { priority: 'low' });
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runUntil(EVENING + 4 * HOUR_MS);
    stop.abort();
    await bench.clock.run(working);
    assert.deepEqual(bench.diary, ['18:00 2', '18:10 3', '21:10 1']);
  });

  it('does not last longer for what is spare', async () => {
    bench = new Bench();
    bench.put(1, { tags: ['spare'] });
    bench.put(2, {}, telling(0.4));
    const stretch = await bench.clock.run(workOn(true));
    assert.deepEqual([stretch.ran, stretch.atLimit, bench.clock.now()], [1, false, EVENING + 10 * MINUTE_MS]);
  });

  it('knows how old a figure is: what a run was told at its beginning is not new at its end', async () => {
    bench = new Bench();
    bench.put(1, {}, telling(0.4, HOUR_MS));
    await bench.clock.run(workOn(true));
    assert.deepEqual(
      bench.gate.now.usage.map(({ utilization, asOf }) => [utilization, asOf]),
      [
        [0.4, EVENING],
        [0.33, EVENING],
      ],
    );
    bench.put(2, {}, telling(0.5, HOUR_MS, 0.6));
    await bench.clock.run(workOn(true));
    const told = bench.gate.now.usage.map(({ window, utilization, asOf }) => [window, utilization, asOf]);
    assert.deepEqual(told, [
      ['seven_day', 0.33, EVENING + HOUR_MS],
      ['five_hour', 0.6, EVENING + 2 * HOUR_MS],
    ]);
  });
});
