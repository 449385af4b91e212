import assert from 'node:assert/strict';
import { describeRowProblem, formatWhere } from '../../../../../src/app/present/problems/rowProblem';
import { countInvalidRows, type RowProblem } from '../../../../../src/domain/problem';
import { readCsv } from '../../../../../src/queue/csv/csvFile';
import { RowReader } from '../../../../../src/queue/file/reading/rowReader';
import { CONTEXT } from '../../readings';

/** Problems of a file with these rows. */
async function problemsOf(...rows: readonly string[]): Promise<readonly RowProblem[]> {
  const text = ['id,priority,working_dir,prompt,dependencies,status', ...rows, ''].join('\n');
  const { set } = await new RowReader(() => CONTEXT).read(readCsv(Buffer.from(text)));
  return set.problems;
}

const describeAll = (problems: readonly RowProblem[]): string[] =>
  problems.map((problem) => `${formatWhere('q', problem.where)} ${describeRowProblem(problem)}`);

describe('The problems of a queue file', () => {
  it('are at the cell if only all rows together show them', async () => {
    const problems = await problemsOf('1,low,.,a,2|99,', '2,low,.,"b\nb",2,', '3,low,.,c,,', '3,low,.,d,,');
    assert.deepEqual(describeAll(problems), [
      'q:2:11 Depends on 99, which does not exist.',
      'q:4:4 Depends on itself: 2 → 2. Remove one of these dependencies.',
      'q:5:1 Id 3 is on lines 5 and 6. Each row needs a unique id.',
      'q:6:1 Id 3 is on lines 5 and 6. Each row needs a unique id.',
    ]);
    assert.equal(countInvalidRows(problems), 4);
  });

  it('count as one invalid row if they are of one row, on however many lines its cells are', async () => {
    const problems = await problemsOf('1,urgent,.,"a\nb\nc",x,paused');
    assert.deepEqual(
      problems.map(({ where, row }) => ('line' in where ? [where.line, row] : [])),
      [
        [2, 2],
        [4, 2],
        [4, 2],
      ],
    );
    assert.equal(countInvalidRows(problems), 1);
  });
});
