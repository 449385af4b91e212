import assert from 'node:assert/strict';
import { describeRowProblem, formatWhere } from '../../../../src/app/present/problems/rowProblem';
import { SheetReader } from '../../../../src/queue/redis/sheet';

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
