import assert from 'node:assert/strict';
import type { Status, TaskId } from '../../../src/domain/task';
import { work } from '../../../src/worker/worker';
import { Bench, EVENING, HOUR_MS, MINUTE_MS, SUCCESS, taking, type Script, type ShortVerdict } from './bench';

const at = (time: string): number => Date.parse(`2026-11-${time.startsWith('0') ? '21' : '20'}T${time}:00Z`);

const LIMIT: ShortVerdict = {
  outcome: 'limit',
  reason: 'five_hour',
  signal: { kind: 'five_hour', resetAt: at('22:10'), message: "You've hit your session limit" },
};
const REFUSED: ShortVerdict = {
  outcome: 'review',
  reason: 'denied',
  denials: [{ tool: 'Bash', detail: 'npm publish' }],
};

/** One step after another, as the attempts go on; the last one stays. */
function inTurn(...steps: readonly Script[]): Script {
  return (run, stop) => {
    const step = steps[Math.min(run.earlier, steps.length - 1)];
    assert.ok(step);
    return step(run, stop);
  };
}

/** Minutes, then this. */
function after(minutes: number, verdict: ShortVerdict = SUCCESS): Script {
  return taking(minutes * MINUTE_MS, verdict);
}

describe('An evening with twelve tasks', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
    bench.put(1, { priority: 'critical' }, after(15));
    bench.put(2, { priority: 'high' }, after(15));
    bench.put(3, { repeat: { kind: 'every', text: 'daily', everyMs: 24 * HOUR_MS } }, after(10));
    bench.put(4, { dependencies: [2] }, after(20));
    bench.put(5, {}, after(5, { outcome: 'error', reason: 'failed' }));
    bench.put(6, {}, after(5, REFUSED));
    bench.put(7, {}, inTurn(after(25, LIMIT), after(20)));
    bench.put(8, { dependencies: [7] }, after(10));
    bench.put(9, { priority: 'low' }, after(10));
    for (const id of [10, 11, 12]) bench.put(id, {}, after(10));
  });
  afterEach(() => bench.remove());

  it('goes as it was told: through a limit, edits and a closed laptop, to nine that are done', async () => {
    const stop = new AbortController();
    const working = work(bench.createWorker(), {}, stop.signal);
    await bench.clock.runUntil(at('20:00'));
    assert.deepEqual(bench.diary, [
      '18:00 1',
      '18:15 2',
      '18:30 3',
      '18:40 4',
      '19:00 5',
      '19:05 6',
      '19:10 5',
      '19:15 7',
    ]);
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

    const { tasks, claims } = await bench.queue.read();
    const idsOf = (status: Status): TaskId[] =>
      tasks.filter(({ state }) => state.status === status).map(({ definition }) => definition.id);
    assert.deepEqual(idsOf('completed'), [1, 2, 4, 7, 8, 9, 10, 11, 12]);
    assert.deepEqual(idsOf('failed'), [5]);
    assert.deepEqual(idsOf('review'), [6]);
    assert.deepEqual(idsOf('pending'), [3]);
    assert.equal((await bench.task(3)).state.dueAt, EVENING + 24 * HOUR_MS + 40 * MINUTE_MS);
    assert.deepEqual(claims, []);
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
