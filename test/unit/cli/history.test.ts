import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/domain/attempt';
import { parseSince } from '../../../src/cli/since';
import { isProblem } from '../../../src/domain/problem';
import { Desk, EVENING } from './desk';
import { openDeskQueue, startRun } from './fileQueue';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk.remove());

/** What ran: each attempt begins at the desk's time, and its end is where the next one begins. */
async function live(...ends: readonly (Partial<Attempt> & { readonly tookMs: number })[]): Promise<void> {
  const queue = await openDeskQueue(desk);
  for (const { tookMs, ...end } of ends) {
    const claim = await startRun(desk, queue, { pid: desk.now, startedAt: 'then' });
    const startedAt = desk.now;
    desk.now += tookMs;
    const attempt: Attempt = {
      id: claim.id,
      number: claim.attempt,
      power: 'power',
      session: 'session',
      startedAt,
      endedAt: desk.now,
      outcome: 'success',
      reason: 'done',
      message: 'Done.',
      code: 0,
      ...end,
    };
    const isOver = attempt.outcome === 'success';
    await queue.finish(
      claim,
      {
        attempt,
        definition: {
          id: claim.id,
          priority: 'medium',
          workingDir: '/',
          prompt: 'p',
          dependencies: [],
          maxRetries: 3,
        },
        change: {
          status: isOver ? 'completed' : 'pending',
          retryCount: 0,
          dueAt: null,
          dueCause: null,
          resume: null,
          transientInRow: 0,
          lostInRow: 0,
          succeeded: isOver,
          givenUp: false,
          code: attempt.code,
        },
      },
      `finish-${String(startedAt)}`,
    );
  }
  await queue.close();
}

async function liveAnEvening(): Promise<void> {
  desk.write('1,high,.,First,pending,,,no,,0,3', '2,low,.,Second,pending,,,no,,0,3');
  await live(
    {
      tookMs: 4 * MINUTE_MS,
      outcome: 'error',
      reason: 'timeout',
      code: 1,
      costUsd: 0.1,
      turns: 12,
      priority: 'high',
      waitedMs: 90_000,
    },
    { tookMs: 2 * MINUTE_MS, costUsd: 0.25, turns: 9, priority: 'high', waitedMs: 6 * HOUR_MS, late: true },
    { tookMs: 1 * MINUTE_MS, missed: 3 },
  );
}

describe('history', () => {
  it('is a table of what ran, newest first, with the sums below it', async () => {
    await liveAnEvening();
    const { code, out } = await desk.call('history');
    assert.equal(code, 0);
    assert.equal(
      out,
      [
        'began             task  attempt  outcome          took   turns  cost     priority  waited',
        '2026-11-20 18:06  2     1        success (done)   1 min                            3 missed',
        '2026-11-20 18:04  1     2        success (done)   2 min  9      $0.2500  high      6 h, late',
        '2026-11-20 18:00  1     1        error (timeout)  4 min  12     $0.1000  high      1 min 30 s',
        '3 attempts: 2 success, 1 error; in all 7 min, $0.3500.',
      ].join('\n'),
    );
  });

  it('tells of one task, of one outcome, of the newest, and of what began since a time', async () => {
    await liveAnEvening();
    const idsOf = async (...args: readonly string[]): Promise<string[]> => {
      const { code, out } = await desk.call('history', ...args, '--json');
      assert.equal(code, 0);
      const { attempts } = JSON.parse(out) as { attempts: { id: number; attempt: number }[] };
      return attempts.map(({ id, attempt }) => `${String(id)}/${String(attempt)}`);
    };
    assert.deepEqual(await idsOf('1'), ['1/2', '1/1']);
    assert.deepEqual(await idsOf('--outcome', 'error'), ['1/1']);
    assert.deepEqual(await idsOf('--limit', '2'), ['2/1', '1/2']);
    assert.deepEqual(await idsOf('--since', '18:04'), ['2/1', '1/2']);
    assert.deepEqual(await idsOf('--since', '2m'), ['2/1']);
    assert.deepEqual(await idsOf('1', '--outcome', 'success', '--since', '1d'), ['1/2']);
  });

  it('is whole for programs, with its sums', async () => {
    await liveAnEvening();
    const { out } = await desk.call('history', '--json', '--limit', '2');
    const { attempts, total } = JSON.parse(out) as { attempts: object[]; total: object };
    assert.deepEqual(attempts[1], {
      id: 1,
      attempt: 2,
      startedAt: '2026-11-20T18:04:00.000Z',
      endedAt: '2026-11-20T18:06:00.000Z',
      outcome: 'success',
      reason: 'done',
      message: 'Done.',
      exitCode: 0,
      turns: 9,
      costUsd: 0.25,
      priority: 'high',
      waitedMs: 6 * HOUR_MS,
      late: true,
      missed: 0,
      session: 'session',
      output: null,
      denials: [],
    });
    assert.deepEqual(total, { attempts: 2, ms: 3 * MINUTE_MS, costUsd: 0.25, outcomes: { success: 2 } });
  });

  it('says so where nothing has run, or nothing fits', async () => {
    desk.write('1,high,.,First,pending,,,no,,0,3');
    assert.equal(
      (await desk.call('history')).out,
      'There are no attempts: nothing has run yet, or it was put away.',
    );
    assert.equal((await desk.call('history', '1')).out, 'No attempt fits.');
    const { out } = await desk.call('history', '--json');
    assert.deepEqual(JSON.parse(out), {
      attempts: [],
      total: { attempts: 0, ms: 0, costUsd: 0, outcomes: {} },
    });
  });

  it('leaves out what is older than keepHistory says, once that has been put away', async () => {
    await liveAnEvening();
    desk.write('3,low,.,Third,pending,,,no,,0,3');
    desk.writeFile('config.yaml', 'keepHistory: 1d\n');
    const queue = await openDeskQueue(desk);
    const why = 'x'.repeat(400_000);
    for (const op of ['1', '2', '3']) await queue.hold({ by: 'person', why }, op);
    await queue.close();
    desk.now += 2 * 24 * HOUR_MS;
    assert.equal((await desk.call('cancel', '3')).code, 0);
    assert.equal(
      (await desk.call('history')).out,
      'There are no attempts: nothing has run yet, or it was put away.',
    );
    const kept = desk.read('state/archive/attempts.jsonl').trim().split('\n');
    assert.deepEqual(
      kept.map((line) => (JSON.parse(line) as Attempt).outcome),
      ['error', 'success', 'success'],
    );
  });

  it('refuses what it cannot understand', async () => {
    desk.write('1,high,.,First,pending,,,no,,0,3');
    for (const args of [['x'], ['--outcome', 'failed'], ['--since', 'yesterday'], ['--limit', '0']]) {
      const { code, err } = await desk.call('history', ...args);
      assert.equal(code, 64, args.join(' '));
      assert.match(err, /give|ids are/);
    }
  });

  it('keeps what a file says from steering the terminal', async () => {
    desk.write('1,high,.,First,pending,,,no,,0,3');
    await live({ tookMs: MINUTE_MS, outcome: 'error', reason: 'x\u001b[2Jy', code: 1 });
    const { out } = await desk.call('history');
    assert.ok(!out.includes('\u001b'), out);
  });
});

describe('A time since which', () => {
  const since = (text: string, zone = 'Europe/Berlin'): string =>
    new Date(parseSince(text, EVENING, zone)).toISOString();

  it('is a length of time, a day, a time, or the last time of day that was', () => {
    assert.equal(since('7d'), '2026-11-13T18:00:00.000Z');
    assert.equal(since('90m'), '2026-11-20T16:30:00.000Z');
    assert.equal(since('2026-11-18'), '2026-11-17T23:00:00.000Z');
    assert.equal(since('2026-11-18 09:00'), '2026-11-18T08:00:00.000Z');
    assert.equal(since('2026-11-18T09:00Z'), '2026-11-18T09:00:00.000Z');
    assert.equal(since('9:00'), '2026-11-20T08:00:00.000Z');
    assert.equal(since('19:30'), '2026-11-19T18:30:00.000Z');
  });

  it('is refused where it is neither', () => {
    for (const text of ['', '7', '25:00', '2026-13-01', 'last week']) {
      assert.throws(
        () => since(text),
        (error) => isProblem(error, 'usage'),
        text,
      );
    }
  });
});
