import { rowNumberOf } from '../../../../src/domain/problem';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describeRowProblem } from '../../../../src/app/present/problems/rowProblem';
import { findTangles } from '../../../../src/domain/task/dependencies';
import type { TaskId } from '../../../../src/domain/task/task';
import { checkRows, type Row, type RowSet, type UnreadRow } from '../../../../src/queue/model/rows';
import { define } from '../../../conformance/harness';
import { WHOLE } from '../../../support/queue/wholeRows';

function row(id: TaskId, dependencies: readonly TaskId[], line: number): Row {
  return { definition: define(id, { dependencies }), power: 'p', where: { kind: 'file', line, column: 1 } };
}

/** Text of the first problem. */
function describeFirst([problem]: RowSet['problems']): string {
  assert.ok(problem);
  return describeRowProblem(problem);
}

describe('Several added rows', () => {
  it('are refused by the same rules in any order: for a repeated id, for an unknown dependency, for a cycle', () => {
    const id = fc.integer({ min: 1, max: 7 });
    const given = fc.array(fc.tuple(id, fc.uniqueArray(id, { maxLength: 2 })), { maxLength: 7 });
    fc.assert(
      fc.property(given, (pairs) => {
        const rows = pairs.map(([own, dependencies], index) => row(own, dependencies, index + 1));
        const checked = checkRows(rows, [], WHOLE);
        const ids = rows.map(({ definition }) => definition.id);
        const onCycles = new Set(
          findTangles(
            new Map(rows.map(({ definition }) => [definition.id, definition.dependencies])),
          ).flatMap(({ paths, others }) => [...paths.flat(), ...others]),
        );
        const wrong = rows.filter(({ definition: { id: own, dependencies } }) => {
          const isTwice = ids.filter((other) => other === own).length > 1;
          return isTwice || onCycles.has(own) || dependencies.some((other) => !ids.includes(other));
        });
        assert.deepEqual(
          [...checked.invalidIds].sort(),
          [...new Set(wrong.map(({ definition }) => definition.id))].sort(),
        );
        assert.deepEqual(
          checked.rows,
          rows.filter((one) => !wrong.includes(one)),
        );
        assert.ok(
          wrong.every(({ definition }) => checked.problems.some((problem) => problem.id === definition.id)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are refused if rows that cannot be read have their ids, and each such row is named once', () => {
    const unreadAt = (id: TaskId | null, line: number): UnreadRow => {
      const problems = [line + 1, line + 2].map((below) => ({
        where: { kind: 'file', line: below, column: 3 } as const,
        row: line,
        message: 'Wrong cell.',
        ...(id === null ? {} : { id }),
      }));
      return { id, where: { kind: 'file', line, column: 1 }, problems };
    };
    const unread = [unreadAt(1, 2), unreadAt(9, 6), unreadAt(null, 12)];
    const { rows, problems, invalidIds } = checkRows([row(1, [], 10), row(2, [], 11)], unread, WHOLE);
    assert.deepEqual(
      problems.map((one) => `${String(rowNumberOf(one.where))} ${describeRowProblem(one)}`),
      [
        ...['3 Wrong cell.', '4 Wrong cell.', '7 Wrong cell.', '8 Wrong cell.'],
        '10 Id 1 is on lines 2 and 10. Each row needs a unique id.',
        ...['13 Wrong cell.', '14 Wrong cell.'],
      ],
    );
    assert.deepEqual([...invalidIds], [1, 9]);
    assert.deepEqual(
      rows.map(({ definition }) => definition.id),
      [2],
    );
  });

  it('can depend on rows below them', () => {
    const checked = checkRows([row(3, [1], 1), row(1, [2], 2), row(2, [], 3)], [], WHOLE);
    assert.deepEqual(checked.problems, []);
  });

  it('are refused with the cycle if they depend on themselves', () => {
    const { problems } = checkRows([row(7, [3], 1), row(3, [7], 2), row(4, [3], 3)], [], WHOLE);
    assert.deepEqual(
      problems.map((one) => `${String(rowNumberOf(one.where))} ${describeRowProblem(one)}`),
      [
        '1 Depends on itself: 3 → 7 → 3. Remove one of these dependencies.',
        '2 Depends on itself: 3 → 7 → 3. Remove one of these dependencies.',
      ],
    );
  });

  it('are each refused if 100,000 depend on one that depends on all of them', () => {
    const others = Array.from({ length: 100_000 }, (_, index) => index + 2);
    const rows = [row(1, others, 1), ...others.map((id) => row(id, [1], id))];
    const { problems, invalidIds } = checkRows(rows, [], WHOLE);
    assert.equal(invalidIds.size, rows.length);
    assert.match(describeFirst(problems), /^Depends on itself: 1 → \d+ → 1\. Remove one/);
    const byWay = problems.filter((one) =>
      describeRowProblem(one).startsWith('Depends on itself by way of 1, and'),
    );
    assert.ok(byWay.length > 99_900);
  });

  it('on one cycle of 100,000 are refused with a shortened cycle each', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) =>
      row(index + 1, [((index + 1) % 100_000) + 1], 1),
    );
    const { problems } = checkRows(rows, [], WHOLE);
    assert.equal(problems.length, rows.length);
    assert.match(describeFirst(problems), /1 → 2 → .* → … → .* → 100000 → 1 \(100000 tasks\)\. Remove one/);
  });
});
