import assert from 'node:assert/strict';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS } from './bench';
import { at, checkEnds, scriptEvening, UNTIL_THE_LIMIT } from './evening';

describe('An evening with twelve tasks', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
    scriptEvening(bench);
    bench.put(1, { priority: 'critical' });
    bench.put(2, { priority: 'high' });
    bench.put(3, { repeat: { kind: 'every', text: 'daily', everyMs: 24 * HOUR_MS } });
    bench.put(4, { dependencies: [2] });
    for (const id of [5, 6, 7]) bench.put(id);
    bench.put(8, { dependencies: [7] });
    bench.put(9, { priority: 'low' });
    for (const id of [10, 11, 12]) bench.put(id);
  });
  afterEach(() => bench.remove());

  it('goes as it was told: through a limit, edits and a closed laptop, to nine that are done', async () => {
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runUntil(at('20:00'));
    assert.deepEqual(bench.diary, UNTIL_THE_LIMIT);
    const counts = (await bench.queue.read()).tasks.map(({ state }) => state.retryCount);
    assert.deepEqual(counts, [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    bench.put(11, { prompt: 'Another prompt' });
    await bench.clock.runUntil(at('22:15'));
    assert.deepEqual(bench.diary.slice(8), ['22:11 7']);
    bench.put(10, { priority: 'critical' });
    await bench.clock.runUntil(at('22:20'));
    bench.clock.suspend(HOUR_MS);
    await bench.clock.runUntil(at('07:00'));
    assert.deepEqual(bench.diary.slice(9), [
      '23:20 10',
      '23:30 5',
      '23:35 12',
      '23:45 8',
      '23:55 11',
      '00:05 9',
    ]);
    stop.abort();
    assert.deepEqual(await bench.clock.run(working), { ran: 15, failed: [5], atLimit: false });

    checkEnds(await bench.queue.read());
    assert.equal((await bench.task(3)).state.dueAt, EVENING + 24 * HOUR_MS + 40 * MINUTE_MS);
  });

  it('resumes what stopped in its session, and tells each task’s end once', async () => {
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runUntil(at('07:00'));
    stop.abort();
    await bench.clock.run(working);
    const [stopped, resumed] = bench.runs.filter(({ id }) => id === 7).map(({ job }) => job);
    assert.ok(resumed);
    assert.equal(resumed.session, stopped?.session);
    assert.equal(resumed.resume, 'limit');
    assert.equal(resumed.definition.prompt, 'Prompt 7');
    const edited = bench.runs.find(({ id }) => id === 11);
    assert.equal(edited?.job.definition.prompt, 'Prompt 11');
    const ends = (await bench.queue.attempts({})).map(({ id, number }) => `${id}/${number}`);
    assert.equal(ends.length, bench.runs.length);
    assert.equal(new Set(ends).size, ends.length);
    assert.deepEqual(
      bench.told.filter((line) => line.includes('waiting')),
      ['19:40 waiting: 5-hour window used up, resets 22:10', '23:26 waiting: next time 2026-11-21 18:40'],
    );
  });
});
