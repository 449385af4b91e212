import assert from 'node:assert/strict';
import { work } from '../../../../src/worker/work';
import { Harness, EVENING, HOUR_MS, MINUTE_MS } from '../../../support/queue/workerHarness';
import { at, checkEnds, scriptEvening, UNTIL_THE_LIMIT } from '../../../support/queue/evening';

describe('An evening with twelve tasks', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
    scriptEvening(harness);
    harness.put(1, { priority: 'critical' });
    harness.put(2, { priority: 'high' });
    harness.put(3, { repeat: { kind: 'every', text: 'daily', everyMs: 24 * HOUR_MS } });
    harness.put(4, { dependencies: [2] });
    for (const id of [5, 6, 7]) harness.put(id);
    harness.put(8, { dependencies: [7] });
    harness.put(9, { priority: 'low' });
    for (const id of [10, 11, 12]) harness.put(id);
  });

  it('completes nine tasks through a limit, edits and a suspended machine', async () => {
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runUntil(at('20:00'));
    assert.deepEqual(harness.diary, UNTIL_THE_LIMIT);
    const counts = (await harness.queue.read()).tasks.map(({ state }) => state.retryCount);
    assert.deepEqual(counts, [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    harness.put(11, { prompt: 'Another prompt' });
    await harness.clock.runUntil(at('22:15'));
    assert.deepEqual(harness.diary.slice(8), ['22:11 7']);
    harness.put(10, { priority: 'critical' });
    await harness.clock.runUntil(at('22:20'));
    harness.clock.suspend(HOUR_MS);
    await harness.clock.runUntil(at('07:00'));
    assert.deepEqual(harness.diary.slice(9), [
      '23:20 10',
      '23:30 5',
      '23:35 12',
      '23:45 8',
      '23:55 11',
      '00:05 9',
    ]);
    stop.abort();
    assert.deepEqual(await harness.clock.run(working), { ran: 15, failed: [5], atLimit: false });

    checkEnds(await harness.queue.read());
    assert.equal((await harness.task(3)).state.dueAt, EVENING + 24 * HOUR_MS + 40 * MINUTE_MS);
  });

  it('resumes interrupted tasks in their sessions, and records each end once', async () => {
    const stop = new AbortController();
    const working = work(harness.createWorker(), {}, stop.signal);
    await harness.clock.runUntil(at('07:00'));
    stop.abort();
    await harness.clock.run(working);
    const [stopped, resumed] = harness.runs.filter(({ id }) => id === 7).map(({ job }) => job);
    assert.ok(resumed);
    assert.equal(resumed.session, stopped?.session);
    assert.equal(resumed.resume, 'limit');
    assert.equal(resumed.definition.prompt, 'Prompt 7');
    const edited = harness.runs.find(({ id }) => id === 11);
    assert.equal(edited?.job.definition.prompt, 'Prompt 11');
    const ends = (await harness.queue.attempts({})).map(({ id, number }) => `${id}/${number}`);
    assert.equal(ends.length, harness.runs.length);
    assert.equal(new Set(ends).size, ends.length);
    assert.deepEqual(
      harness.reported.filter((line) => line.includes('waiting')),
      [
        '19:40 waiting: 5-hour usage window used up, resets 22:10',
        '23:26 waiting: next time 2026-11-21 18:40',
      ],
    );
  });
});
