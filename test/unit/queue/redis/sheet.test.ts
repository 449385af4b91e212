import assert from 'node:assert/strict';
import { describeRowProblem, formatWhere } from '../../../../src/app/present/problems/rowProblem';
import { findKeys, type Sheet, SheetReader } from '../../../../src/queue/redis/sheet';

describe('The rows of a queue in Redis', () => {
  it('are refused with their numbers if a row that cannot be read has their id', () => {
    const context = { timeZone: 'UTC', folder: '/work', home: '/h', allowBypass: false };
    const { rows, set } = new SheetReader(() => context).read({
      columns: ['id', 'priority', 'working_dir', 'prompt', 'ticket'],
      rows: [
        [10, ['1', 'high', '.', 'Good', '']],
        [11, ['2', 'high', '.', 'Other', '']],
        [12, ['1', 'zz', '.', '', '']],
      ],
    });
    assert.deepEqual(
      rows.map(({ key }) => key),
      [11],
    );
    assert.equal(set.columns.at(-1), 'ticket');
    const [duplicate, ...others] = set.problems.map(
      (one) => `${formatWhere('q', one.where)}: ${describeRowProblem(one)}`,
    );
    assert.equal(duplicate, 'q, row 1, id: Id 1 is on rows 1 and 3. Each row needs a unique id.');
    assert.deepEqual(
      others.map((one) => one.split(':')[0]),
      ['q, row 3, priority', 'q, row 3, prompt'],
    );
  });
});

describe('The keys of tasks in a sheet', () => {
  const sheet = (ids: readonly number[]): Sheet => ({
    columns: ['id'],
    rows: ids.map((id, index) => [index + 100, [String(id)]]),
  });

  it('are found in one pass, also if there are thousands', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);
    const start = performance.now();
    assert.deepEqual(
      findKeys(sheet(ids), ids),
      ids.map((id) => id + 99),
    );
    assert.ok(performance.now() - start < 1000);
  });

  it('are refused for a task that has no row, or several', () => {
    assert.throws(() => findKeys(sheet([1, 2]), [1, 3]), /There is no task 3/);
    assert.throws(() => findKeys(sheet([1, 2, 2]), [2]), /Id 2 is on more than one row/);
  });
});
