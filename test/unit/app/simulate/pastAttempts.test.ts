import assert from 'node:assert/strict';
import { LEAST_ATTEMPTS, PastAttempts, type DrawnTask } from '../../../../src/app/simulate/pastAttempts';
import { BY_HAND, type Attempt } from '../../../../src/domain/task/attempt';
import { attempt, HOUR, MINUTE, NOW } from '../../../support/queue/attempts';

/** N attempts of a task that took this number of minutes. */
const several = (count: number, minutes: number, more: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: count }, () => attempt({ endedAt: NOW + minutes * MINUTE, ...more }));

const task = (id = 1, timeoutMinutes = 120): DrawnTask => ({
  id,
  power: `power-${id}`,
  timeoutMs: timeoutMinutes * MINUTE,
});

const minutesOf = (past: PastAttempts, id: number, random = 0.5): number =>
  past.draw(task(id), () => random).ms / MINUTE;

const TIMED_OUT: Partial<Attempt> = { outcome: 'error', reason: 'timeout' };

describe('A simulated attempt', () => {
  it('takes ten minutes while fewer than ten attempts are known, and its times are not shown', () => {
    const past = new PastAttempts(several(LEAST_ATTEMPTS - 1, 3));
    assert.equal(past.isEnough, false);
    assert.equal(minutesOf(past, 1), 10);
  });

  it('is drawn from the attempts of its own task if these are enough', () => {
    const others = several(30, 50, { id: 2, power: 'power-2' });
    const past = new PastAttempts([...several(LEAST_ATTEMPTS, 3), ...others]);
    assert.deepEqual([minutesOf(past, 1), minutesOf(past, 2)], [3, 50]);
  });

  it('is drawn from all attempts if its own task has too few', () => {
    const past = new PastAttempts([...several(2, 3), ...several(28, 50, { id: 2, power: 'power-2' })]);
    assert.deepEqual([minutesOf(past, 1, 0), minutesOf(past, 1, 0.9), minutesOf(past, 7)], [3, 50, 50]);
  });

  it('is not drawn from attempts of the row before it was changed', () => {
    const past = new PastAttempts([...several(15, 3, { power: 'before' }), ...several(15, 50)]);
    assert.deepEqual([minutesOf(past, 1, 0)], [50]);
  });

  it('is never like one that a limit, the user or a crash ended', () => {
    const untelling = (['limit', 'cancelled', 'lost', 'blocked'] as const).flatMap((outcome) =>
      several(10, 1, { outcome }),
    );
    const past = new PastAttempts([...untelling, ...several(10, 1, { reason: BY_HAND }), ...several(10, 7)]);
    assert.deepEqual([minutesOf(past, 1, 0), minutesOf(past, 1, 0.99)], [7, 7]);
  });

  it('ends as the attempt ended that it is like, for the same cost', () => {
    const past = new PastAttempts(several(10, 5, { outcome: 'review', reason: 'question', costUsd: 0.5 }));
    const { outcome, reason, costUsd } = past.draw(task(), () => 0);
    assert.deepEqual([outcome, reason, costUsd], ['review', 'question', 0.5]);
  });

  it('that is like one which timed out reaches its own time limit', () => {
    const past = new PastAttempts(several(10, 60, { ...TIMED_OUT, costUsd: 3 }));
    for (const limit of [20, 60, 120]) {
      const { ms, reason, costUsd } = past.draw(task(1, limit), () => 0);
      assert.deepEqual([ms / MINUTE, reason, costUsd], [limit, 'timeout', limit / 20]);
    }
  });

  it('that has more time than one which timed out is like one that took longer', () => {
    const past = new PastAttempts([...several(5, 60, TIMED_OUT), ...several(9, 10), ...several(5, 90)]);
    assert.deepEqual([minutesOf(past, 1, 0), past.draw(task(), () => 0).reason], [90, 'done']);
    assert.deepEqual(past.draw(task(1, 60), () => 0).reason, 'timeout');
  });

  it('does not reach its time limit while fewer than ten attempts are known', () => {
    const { ms, outcome } = new PastAttempts([]).draw(task(1, 5), () => 0);
    assert.deepEqual([ms / MINUTE, outcome], [5, 'success']);
  });

  it('that runs already is like one that took at least as long, also of other tasks', () => {
    const others = several(10, 90, { id: 2, power: 'power-2' });
    const past = new PastAttempts([...several(9, 3), ...several(3, 20), ...others]);
    const minutes = [0, 10, 40].map(
      (ran) => past.draw({ ...task(), ranMs: ran * MINUTE }, () => 0).ms / MINUTE,
    );
    assert.deepEqual(minutes, [3, 20, 90]);
  });

  it('that runs longer than any before takes as long again as one of them', () => {
    const past = new PastAttempts(several(10, 30));
    assert.equal(past.draw({ ...task(), ranMs: 100 * MINUTE }, () => 0).ms / MINUTE, 130);
  });

  it('uses what an attempt added to a usage window since the report before it', () => {
    const attempts = Array.from({ length: 10 }, (_, index) =>
      attempt({
        endedAt: NOW + (index + 1) * MINUTE,
        usage: [{ window: 'five_hour', utilization: 0.1 + 0.02 * index, resetAt: NOW + 5 * HOUR }],
      }),
    );
    const past = new PastAttempts(attempts);
    assert.equal(past.knowsUsage, true);
    // The first report may have had others before it.
    for (const random of [0, 0.5, 0.99])
      assert.equal(past.draw(task(), () => random).used.five_hour?.toFixed(4), '0.0200');
  });

  it('uses an unknown share while no two reports are of one window', () => {
    const usage = (index: number): Attempt['usage'] => [
      { window: 'five_hour', utilization: 0.5, resetAt: NOW + (index + 1) * 6 * HOUR },
    ];
    const past = new PastAttempts(
      Array.from({ length: 10 }, (_, index) => attempt({ usage: usage(index) ?? [] })),
    );
    assert.equal(past.knowsUsage, false);
    assert.deepEqual(past.draw(task(), () => 0).used, {});
  });
});
