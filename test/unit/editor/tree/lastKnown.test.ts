import assert from 'node:assert/strict';
import type { Outage } from '../../../../src/editor/state/queueState';
import { groupLastKnown } from '../../../../src/editor/tree/lastKnown';
import { groupTasks } from '../../../../src/editor/tree/taskGroups';
import { lost, paint, runByWorker, type Row } from '../../../support/queue/viewModels';

const ROWS: readonly Row[] = [{}, runByWorker, { state: { status: 'review' } }];

function outageOf(rows: readonly Row[] | null): Outage {
  const { outage } = lost(rows === null ? null : paint(rows));
  assert.ok(outage);
  return outage;
}

describe('The tasks that were known before Redis was lost', () => {
  it('are in the same groups, with the same words', () => {
    const known = groupLastKnown(outageOf(ROWS));
    const before = groupTasks(paint(ROWS), new Map());
    assert.deepEqual(
      known.map(({ name, size, rows }) => [
        name,
        size,
        rows.map(({ label, description }) => [label, description]),
      ]),
      before.map(({ name, size, rows }) => [
        name,
        size,
        rows.map(({ label, description }) => [label, description]),
      ]),
    );
  });

  it('are marked, and offer nothing', () => {
    for (const { isLastKnown, rows } of groupLastKnown(outageOf(ROWS))) {
      assert.equal(isLastKnown, true);
      for (const row of rows) {
        assert.deepEqual([row.isLastKnown, row.traits], [true, []]);
        assert.equal(row.details[0], 'Last known at 18:00. It may have changed since then.');
      }
    }
  });

  it('are absent if nothing was read', () => {
    assert.deepEqual(groupLastKnown(outageOf(null)), []);
  });
});
