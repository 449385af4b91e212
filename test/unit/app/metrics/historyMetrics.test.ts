import assert from 'node:assert/strict';
import { startOfCounting } from '../../../../src/app/metrics/countingPeriod';
import { DURATION_BUCKETS, measureHistory } from '../../../../src/app/metrics/historyMetrics';
import { renderMetrics } from '../../../../src/app/metrics/renderMetrics';
import type { Attempt } from '../../../../src/domain/task/attempt';
import type { TaskSkips } from '../../../../src/app/viewModel/taskSkips';
import { attempt, HOUR, NOW, WORKER_DIED } from '../../../support/queue/attempts';
import { samplesOf } from './samples';

const DAY = 24 * HOUR;

function valuesOf(
  name: string,
  attempts: readonly Partial<Attempt>[],
  skipped: readonly TaskSkips[] = [],
): Readonly<Record<string, number>> {
  const metrics = measureHistory({ since: NOW - HOUR, attempts: attempts.map(attempt), skipped });
  return Object.fromEntries(
    Object.entries(samplesOf(metrics, `claude_proxy_${name}`)).filter(([, value]) => value > 0),
  );
}

describe('The metrics of a history', () => {
  it('count ends of tasks by the state they were left in, and no attempt that is tried again', () => {
    const ends: readonly Partial<Attempt>[] = [
      { outcome: 'success', priority: 'high' },
      { outcome: 'review', priority: 'high' },
      { outcome: 'permanent', code: 3, priority: 'low' },
      { outcome: 'error', code: 3, priority: 'low' },
      { outcome: 'error', code: 1, priority: 'low' },
      { outcome: 'limit', code: 2, priority: 'low' },
      { outcome: 'cancelled', reason: 'cancelled', code: 1, priority: 'low' },
      { outcome: 'cancelled', reason: 'stopped', code: 1, priority: 'low' },
    ];
    assert.deepEqual(valuesOf('tasks_total', ends), {
      'status=completed priority=high': 1,
      'status=review priority=high': 1,
      'status=failed priority=low': 2,
      'status=cancelled priority=low': 1,
    });
  });

  it('count every attempt by its outcome', () => {
    const outcomes = ['success', 'limit', 'limit', 'lost'] as const;
    const attempts = outcomes.map((outcome) => ({ outcome, priority: 'medium' }) as const);
    assert.deepEqual(valuesOf('attempts_total', attempts), {
      'outcome=success priority=medium': 1,
      'outcome=limit priority=medium': 2,
      'outcome=lost priority=medium': 1,
    });
  });

  it('count violations by priority, also of attempts whose priority is not known', () => {
    assert.deepEqual(
      valuesOf('sla_violations_total', [
        { late: true, priority: 'low' },
        { late: true },
        { priority: 'low' },
      ]),
      { 'priority=low': 1, 'priority=unknown': 1 },
    );
  });

  it('count promotions from the priority of the row', () => {
    assert.deepEqual(
      valuesOf('starvation_promotions_total', [
        { priority: 'high', promotedFrom: 'medium' },
        { priority: 'high', promotedFrom: 'low' },
        { priority: 'high' },
      ]),
      { 'from=medium to=high': 1, 'from=low to=high': 1 },
    );
  });

  it('sum up missed occurrences by reason', () => {
    const times = [
      { why: 'merged', from: NOW, to: NOW + HOUR, count: 3 },
      { why: 'busy', from: NOW, to: NOW, count: 1 },
      { why: 'merged', from: NOW, to: NOW, count: 1 },
    ] as const;
    assert.deepEqual(valuesOf('occurrences_missed_total', [], [{ id: 1, times }]), {
      'reason=merged': 4,
      'reason=busy': 1,
    });
  });

  it('have known durations in cumulative buckets, without the time for which the user had a task', async () => {
    assert.deepEqual(DURATION_BUCKETS, [1, 5, 10, 30, 60, 120, 300, 600]);
    const took = (seconds: number): Attempt => attempt({ priority: 'high', endedAt: NOW + seconds * 1000 });
    const attempts = [took(1), took(45), took(3600), { ...took(50), reason: 'by-hand' }];
    attempts.push({ ...took(50), ...WORKER_DIED });
    const text = await renderMetrics(measureHistory({ since: NOW, attempts, skipped: [] }));
    const bucket = (bound: string): string | undefined =>
      new RegExp(`_bucket\\{le="${bound}",priority="high"\\} (\\d+)`).exec(text)?.[1];
    assert.deepEqual(['1', '30', '60', '600', '\\+Inf'].map(bucket), ['1', '1', '2', '2', '3']);
    assert.match(text, /^claude_proxy_task_duration_seconds_sum\{priority="high"\} 3646$/m);
  });

  it('start with 0, so that a first event is an increase', () => {
    const metrics = measureHistory({ since: NOW, attempts: [], skipped: [] });
    const values = samplesOf(metrics, 'claude_proxy_tasks_total');
    assert.equal(values['status=failed priority=low'], 0);
    assert.equal(Object.keys(values).length, 16);
  });
});

describe('The start of counting', () => {
  it('is the first of the month, in UTC', () => {
    assert.equal(startOfCounting(NOW, 90 * DAY), Date.parse('2026-11-01T00:00:00Z'));
    assert.equal(
      startOfCounting(Date.parse('2026-12-01T00:00:00Z'), 31 * DAY),
      Date.parse('2026-12-01T00:00:00Z'),
    );
  });

  it('is never before the kept history', () => {
    assert.equal(startOfCounting(NOW, 30 * DAY), Date.parse('2026-11-20T00:00:00Z'));
    for (const hours of [0, 1, 500, 743]) {
      const now = Date.parse('2026-10-01T00:00:00Z') + hours * HOUR;
      for (const kept of [DAY, 30 * DAY, 31 * DAY, 90 * DAY])
        assert.ok(startOfCounting(now, kept) >= now - kept);
    }
  });
});
