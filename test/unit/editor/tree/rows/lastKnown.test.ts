import assert from 'node:assert/strict';
import type { Outage } from '../../../../../src/editor/state/queueState';
import { groupLastKnown } from '../../../../../src/editor/tree/rows/lastKnown';
import { DEFAULT_OPTIONS } from '../../../../../src/editor/tree/rows/treeOptions';
import { groupsOf } from '../../../../support/editor/treeGroups';
import { lost, paint, runByWorker, type Row } from '../../../../support/queue/viewModels';

const ROWS: readonly Row[] = [{}, runByWorker, { state: { status: 'review' } }];

function outageOf(rows: readonly Row[] | null): Outage {
  const { outage } = lost(rows === null ? null : paint(rows));
  assert.ok(outage);
  return outage;
}

describe('The tasks that were known before Redis was lost', () => {
  it('are in the same groups, with the same words', () => {
    const read = (groups: ReturnType<typeof groupsOf>): unknown =>
      groups.map(({ label, children = [] }) => [label, children.map((row) => [row.label, row.description])]);
    assert.deepEqual(read(groupLastKnown(outageOf(ROWS), DEFAULT_OPTIONS)), read(groupsOf(paint(ROWS))));
  });

  it('are marked, grey and still, and offer nothing', () => {
    for (const { description, children = [] } of groupLastKnown(outageOf(ROWS), DEFAULT_OPTIONS)) {
      assert.match(description, /^\d · last known$/);
      for (const { icon, traits, details, spoken } of children) {
        assert.deepEqual([icon?.[1], traits], ['disabledForeground', []]);
        assert.doesNotMatch(icon?.[0] ?? '', /spin/);
        assert.equal(details?.[0], 'Last known at 18:00. It may have changed since then.');
        assert.match(spoken ?? '', /^Last known: /);
      }
    }
  });

  it('are absent if nothing was read', () => {
    assert.deepEqual(groupLastKnown(outageOf(null), DEFAULT_OPTIONS), []);
  });
});
