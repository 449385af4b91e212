import assert from 'node:assert/strict';
import { nameTask } from '../../../../../src/app/present/report/needTexts';
import { describeTaskCounts } from '../../../../../src/app/present/report/reportTexts';
import type { NightReport } from '../../../../../src/app/viewModel/report/nightReport';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { ran, reportOf } from '../../../../support/night/reports';
import { HOUR, NOW } from '../../../../support/queue/attempts';
import type { Row } from '../../../../support/queue/viewModels';

describe('The report of a task whose row is another now', () => {
  const earlier = ran(300, 290, { power: 'q', reason: 'verified', costUsd: 2 });
  const endsOf = ({ tasks }: NightReport): readonly unknown[] =>
    tasks.map(({ id, end, view, attempts }) => [id, end, view !== null, attempts.length]);

  it('lists its earlier attempts apart, with a changed row, and is counted once', () => {
    const report = reportOf([{}], [earlier]);
    assert.deepEqual(endsOf(report), [
      [1, 'changed', false, 1],
      [1, 'waiting', true, 0],
    ]);
    assert.equal(
      describeTaskCounts(report),
      '1 task = 1 not started. (1 with attempts before the row changed.)',
    );
    assert.deepEqual(report.tasks.map(nameTask), ['(row changed)', 'Do 1']);
    assert.deepEqual(report.needs, []);
  });

  it('counts only its own attempts as its own', () => {
    const report = reportOf([{ state: { status: 'completed' } }], [earlier, ran(60, 50, { number: 2 })]);
    assert.deepEqual(endsOf(report), [
      [1, 'changed', false, 1],
      [1, 'unchecked', true, 1],
    ]);
  });

  it('is over without an attempt where only the earlier row ran in the period', () => {
    const report = reportOf([{ state: { status: 'completed' } }], [earlier]);
    assert.deepEqual(endsOf(report), [[1, 'changed', false, 1]]);
    assert.equal(report.before, 1);
    assert.equal(
      describeTaskCounts(report),
      'No tasks. (1 with attempts before the row changed.) (1 ended, with no known attempt in this time.)',
    );
  });
});

describe('The report of a task without an attempt in the period', () => {
  const endsOf = (row: Row, last: Partial<Attempt>): readonly (string | number)[] => {
    const { tasks, needs, before } = reportOf([row], [ran(2_000, 1_990, last)]);
    return [...tasks.map(({ end }) => end), needs.length, before];
  };
  const completed: Row = { state: { status: 'completed', lastOutcome: 'success' } };
  const repeating: Row = { state: { status: 'pending', dueCause: 'repeat', dueAt: NOW + HOUR } };

  it('counts it as accepted if the user accepted its last attempt in the period', () => {
    for (const outcome of ['review', 'success'] as const) {
      const accepted = { outcome, acceptedAt: NOW - HOUR };
      assert.deepEqual(endsOf(completed, accepted), ['accepted', 0, 0]);
      assert.deepEqual(endsOf(repeating, accepted), ['accepted', 0, 0]);
    }
  });

  it('counts it as over if it was accepted before, or if another row was', () => {
    assert.deepEqual(endsOf(completed, { acceptedAt: NOW - 30 * HOUR }), [0, 1]);
    assert.deepEqual(endsOf(completed, { acceptedAt: NOW - HOUR, power: 'q' }), [0, 1]);
  });

  it('does not say that a task cancelled in the period was over before', () => {
    const report = reportOf([{ state: { status: 'cancelled' } }], []);
    assert.equal(describeTaskCounts(report), 'No tasks. (1 ended, with no known attempt in this time.)');
  });
});
