import assert from 'node:assert/strict';
import { computeStatistics, spreadOf } from '../../../../src/app/viewModel/attemptStatistics';
import { formatRunTime } from '../../../../src/app/present/counts';
import type { Attempt } from '../../../../src/domain/task/attempt';
import { composeDays } from '../../../../src/app/viewModel/ledger';
import { attempt, HOUR, MINUTE, NOW, WORKER_DIED } from '../../../support/queue/attempts';

describe('The spread of values', () => {
  it('is unknown without values, and the value itself for a single one', () => {
    assert.equal(spreadOf([]), null);
    assert.deepEqual(spreadOf([7]), { p50: 7, p95: 7 });
  });

  it('names values that occur, whatever their order', () => {
    assert.deepEqual(spreadOf([30, 10, 20, 40]), { p50: 20, p95: 40 });
  });

  it('leaves out the highest 5 of 100 values', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    assert.deepEqual(spreadOf(values), { p50: 50, p95: 95 });
  });
});

describe('The statistics of attempts', () => {
  it('count only recorded waiting times', () => {
    const { waitedMs } = computeStatistics([attempt({ waitedMs: MINUTE }), attempt({}), attempt({})]);
    assert.deepEqual(waitedMs, { p50: MINUTE, p95: MINUTE });
  });

  it('have the running time of every attempt, and the sums of a report', () => {
    const all = [5, 10, 60].map((minutes) =>
      attempt({ endedAt: NOW + minutes * MINUTE, costUsd: 0.5, outcome: 'success' }),
    );
    const { ranMs, costUsd, attempts, outcomes } = computeStatistics(all);
    assert.deepEqual(ranMs, { p50: 10 * MINUTE, p95: HOUR });
    assert.deepEqual([costUsd, attempts, outcomes], [1.5, 3, { success: 3 }]);
  });

  it('have no running time of attempts that were lost or done by hand, and count the lost ones', () => {
    const [known, lost] = [attempt({}), attempt({ endedAt: NOW + 13 * HOUR, ...WORKER_DIED })];
    const byHand = attempt({ endedAt: NOW + HOUR, reason: 'by-hand' });
    const timesOf = (...all: readonly Attempt[]): readonly unknown[] => {
      const statistics = computeStatistics(all);
      const { ranMs, ms, attemptsWithoutTime } = statistics;
      return [ranMs?.p95 ?? null, ms, attemptsWithoutTime, formatRunTime(statistics)];
    };
    assert.deepEqual(timesOf(known, byHand), [10 * MINUTE, 10 * MINUTE, 0, '10 min']);
    assert.deepEqual(timesOf(known, lost), [10 * MINUTE, 10 * MINUTE, 1, 'at least 10 min']);
    assert.deepEqual(timesOf(lost, byHand), [null, null, 1, 'unknown']);
    assert.deepEqual(timesOf(byHand), [null, null, 0, '']);
    assert.deepEqual(timesOf(), [null, 0, 0, '0 s']);
  });

  it('are empty without attempts', () => {
    const { waitedMs, ranMs, attempts } = computeStatistics([]);
    assert.deepEqual([waitedMs, ranMs, attempts], [null, null, 0]);
  });
});

describe('The days of attempts', () => {
  it('include days on which nothing ran, also over the end of a month', () => {
    const far = attempt({ startedAt: Date.parse('2026-12-01T10:00:00Z') });
    const near = attempt({ startedAt: Date.parse('2026-11-29T10:00:00Z') });
    assert.deepEqual(
      composeDays([far, near, near], 'UTC').map(({ key, sums }) => [key, sums.attempts]),
      [
        ['2026-11-29', 2],
        ['2026-11-30', 0],
        ['2026-12-01', 1],
      ],
    );
  });

  it("are days of the queue's time zone", () => {
    const late = attempt({ startedAt: Date.parse('2026-11-29T23:30:00Z') });
    assert.deepEqual(
      composeDays([late], 'Asia/Tokyo').map(({ key }) => key),
      ['2026-11-30'],
    );
    assert.deepEqual(composeDays([], 'UTC'), []);
  });
});
