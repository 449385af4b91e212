import assert from 'node:assert/strict';
import { KeptTasks } from '../../../../src/queue/model/queueView';
import { checkRows } from '../../../../src/queue/model/rows';
import { apply } from '../../../../src/queue/model/state/apply';
import { emptyState } from '../../../../src/queue/model/state/queueState';
import { define } from '../../../conformance/harness';
import { NOW } from '../../../support/queue/viewModels';
import { WHOLE } from '../../../support/queue/wholeRows';

const rowsOf = (...ids: readonly number[]) =>
  checkRows(
    ids.map((id, index) => ({
      definition: DEFINITIONS[id] ?? define(id),
      power: 'p',
      where: { kind: 'file', line: index + 2, column: 1 } as const,
    })),
    [],
    WHOLE,
  );

const DEFINITIONS = [1, 2, 3, 4].map((_, index) => define(index));

describe('The tasks of a queue that is read again', () => {
  const state = emptyState();
  apply(state, {
    kind: 'seen',
    at: NOW,
    rows: [1, 2, 3].map((id) => ({ id, power: 'p' })),
  });

  it('are the same objects where nothing changed, and all of them if nothing did', () => {
    const kept = new KeptTasks();
    const rows = rowsOf(1, 2, 3);
    const first = kept.read(state, rows);
    assert.equal(kept.read(state, rows), first);
    apply(state, { kind: 'commanded', at: NOW, id: 2, verb: 'cancel' });
    const second = kept.read(state, rows);
    assert.deepEqual(
      second.map((task, index) => task === first[index]),
      [true, false, true],
    );
    assert.equal(second[1]?.state.status, 'cancelled');
  });

  it('are those of the rows when some came, went or moved', () => {
    const kept = new KeptTasks();
    for (const ids of [[1, 2, 3], [1, 3], [3, 2, 1], [2], [], [1, 2, 3]]) {
      const tasks = kept.read(state, rowsOf(...ids));
      assert.deepEqual(
        tasks.map(({ definition, order }) => [definition.id, order]),
        ids.map((id, order) => [id, order]),
      );
    }
  });
});
