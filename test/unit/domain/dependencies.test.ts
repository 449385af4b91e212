import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findCycles } from '../../../src/domain/dependencies';

const graph = (edges: Readonly<Record<number, readonly number[]>>): Map<number, readonly number[]> =>
  new Map(Object.entries(edges).map(([id, dependencies]) => [Number(id), dependencies]));

describe('Cycles among dependencies', () => {
  it('are told as a path that ends where it begins', () => {
    assert.deepEqual(findCycles(graph({ 7: [3], 3: [7], 1: [] })), [[3, 7, 3]]);
  });

  it('are found where a task depends on itself', () => {
    assert.deepEqual(findCycles(graph({ 5: [5] })), [[5, 5]]);
  });

  it('are none in a diamond', () => {
    assert.deepEqual(findCycles(graph({ 4: [2, 3], 2: [1], 3: [1], 1: [] })), []);
  });

  it('are found behind a task that is not part of them', () => {
    assert.deepEqual(findCycles(graph({ 1: [2], 2: [3], 3: [4], 4: [2] })), [[2, 3, 4, 2]]);
  });

  it('are looked for in a chain of 100,000 without running out of stack', () => {
    const chain = new Map(Array.from({ length: 100_000 }, (_, id) => [id, [id + 1]] as const));
    assert.deepEqual(findCycles(chain), []);
  });

  it('that meet in one task are all told', () => {
    const told = findCycles(graph({ 1: [2, 3], 2: [1], 3: [2] })).flat();
    assert.deepEqual([...new Set(told)].sort(), [1, 2, 3]);
  });

  it('are found exactly where there are any, and hold every task that depends on itself', () => {
    const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const dependencies = new Map<number, number[]>();
        for (const [from, to] of pairs) dependencies.set(from, [...(dependencies.get(from) ?? []), to]);
        const cycles = findCycles(dependencies);
        for (const path of cycles) {
          assert.equal(path[0], path.at(-1));
          path.slice(1).forEach((to, index) => {
            assert.ok(dependencies.get(path[index] ?? -1)?.includes(to), `no edge to ${String(to)}`);
          });
        }
        const onCycle = [...dependencies.keys()].filter((id) => reaches(id, id, dependencies));
        assert.deepEqual([...new Set(cycles.flat())].sort(), onCycle.sort());
      }),
    );
  });
});

/** Whether a task depends on `goal`, directly or through others. */
function reaches(from: number, goal: number, dependencies: ReadonlyMap<number, readonly number[]>): boolean {
  const waiting = [...(dependencies.get(from) ?? [])];
  for (const id of waiting) {
    if (id === goal) return true;
    waiting.push(...(dependencies.get(id) ?? []).filter((next) => !waiting.includes(next)));
  }
  return false;
}
