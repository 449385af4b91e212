import assert from 'node:assert/strict';
import { measureQueue } from '../../../../src/app/metrics/queueMetrics';
import type { QueueViewModel } from '../../../../src/app/viewModel/queueViewModel';
import { HOUR, MINUTE, NOW, paint, runByWorker } from '../../../support/queue/viewModels';
import { samplesOf } from './samples';

const valuesOf = (viewModel: QueueViewModel, name: string): Readonly<Record<string, number>> =>
  samplesOf(measureQueue(viewModel), name);

describe('The metrics of a queue', () => {
  it('have the number of waiting tasks by effective priority, without those that run or have ended', () => {
    const viewModel = paint([
      { fields: { priority: 'medium' }, state: { firstSeenAt: NOW - 5 * HOUR } },
      { fields: { priority: 'medium' } },
      { fields: { priority: 'low' }, state: { ownerScheduledAt: NOW + HOUR } },
      { fields: { priority: 'high' }, state: { status: 'completed' } },
      { fields: { priority: 'critical' }, ...runByWorker },
    ]);
    assert.deepEqual(valuesOf(viewModel, 'claude_proxy_queue_size'), {
      'priority=critical': 0,
      'priority=high': 1,
      'priority=medium': 1,
      'priority=low': 1,
    });
  });

  it('count tasks by shown state, and rows that cannot be read as invalid', () => {
    const where = { kind: 'file', line: 9, column: 1 } as const;
    const viewModel = paint([{}, { state: { status: 'review' } }, runByWorker], {
      problems: [{ where, row: 9, message: 'Not a priority.' }],
    });
    const values = valuesOf(viewModel, 'claude_proxy_queue_tasks');
    assert.equal(Object.keys(values).length, 13);
    assert.deepEqual(
      Object.entries(values).filter(([, value]) => value > 0),
      [
        ['status=invalid', 1],
        ['status=waiting', 1],
        ['status=running', 1],
        ['status=review', 1],
      ],
    );
  });

  it('tell tasks that are late from those at risk', () => {
    const viewModel = paint([
      { fields: { priority: 'critical', deadline: NOW - MINUTE } },
      { fields: { priority: 'low', deadline: NOW + MINUTE } },
      { fields: { priority: 'low', deadline: NOW + HOUR } },
    ]);
    assert.equal(valuesOf(viewModel, 'claude_proxy_sla_violated')['priority=critical'], 1);
    assert.equal(valuesOf(viewModel, 'claude_proxy_sla_at_risk')['priority=low'], 1);
  });

  it('have a closed gate with its kind, model and reset, and no block while it is open', () => {
    const closed = paint([{}], { block: { kind: 'seven_day', model: 'opus', until: NOW + HOUR } });
    assert.deepEqual(valuesOf(closed, 'claude_proxy_gate_open'), { '': 1 });
    assert.deepEqual(valuesOf(closed, 'claude_proxy_gate_blocked'), { 'kind=seven_day model=opus': 1 });
    assert.deepEqual(valuesOf(closed, 'claude_proxy_gate_reset_timestamp_seconds'), {
      'kind=seven_day model=opus': (NOW + HOUR) / 1000,
    });
    const forAll = paint([{}], { block: { kind: 'sign-in', until: null } });
    assert.deepEqual(valuesOf(forAll, 'claude_proxy_gate_open'), { '': 0 });
    assert.deepEqual(valuesOf(forAll, 'claude_proxy_gate_reset_timestamp_seconds'), {});
    assert.deepEqual(valuesOf(paint([{}]), 'claude_proxy_gate_blocked'), {});
  });

  it('have the use of running usage windows, 0 after the reset, and nothing that cannot be true', () => {
    const asOf = NOW - MINUTE;
    const usage = [
      { window: 'five_hour', utilization: 0.4, resetAt: NOW - 1, asOf },
      { window: 'seven_day', utilization: 0.25, resetAt: NOW + 24 * HOUR, asOf },
    ] as const;
    const viewModel = paint([], { usage });
    assert.deepEqual(valuesOf(viewModel, 'claude_proxy_usage_window_ratio'), {
      'window=seven_day': 0.25,
      'window=five_hour': 0,
    });
    assert.deepEqual(valuesOf(viewModel, 'claude_proxy_usage_window_reset_timestamp_seconds'), {
      'window=seven_day': (NOW + 24 * HOUR) / 1000,
    });
    const impossible = paint([], {
      usage: [{ window: 'five_hour', utilization: 0.4, resetAt: NOW + 99 * HOUR, asOf }],
    });
    assert.deepEqual(valuesOf(impossible, 'claude_proxy_usage_window_ratio'), {});
  });

  it('show whether the queue is paused, and how many workers run', () => {
    const viewModel = paint([], { held: 'lunch', workers: 2 });
    assert.deepEqual(valuesOf(viewModel, 'claude_proxy_queue_paused'), { '': 1 });
    assert.deepEqual(valuesOf(viewModel, 'claude_proxy_workers'), { '': 2 });
  });
});
