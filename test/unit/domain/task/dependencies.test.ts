import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findTangles, findUnblockedBy, findUnmet } from '../../../../src/domain/task/dependencies';
import { repeat } from '../../../conformance/harness';
import { NOW, taskOf, worldOf } from '../surroundings';

const graph = (edges: Readonly<Record<number, readonly number[]>>): Map<number, readonly number[]> =>
  new Map(Object.entries(edges).map(([id, dependencies]) => [Number(id), dependencies]));

const findCycles = (dependencies: Parameters<typeof findTangles>[0]): (readonly number[])[] =>
  findTangles(dependencies).flatMap(({ paths, others }) => {
    assert.deepEqual(others, []);
    return paths;
  });

describe('Cycles among dependencies', () => {
  it('are a path that ends at its start', () => {
    assert.deepEqual(findCycles(graph({ 7: [3], 3: [7], 1: [] })), [[3, 7, 3]]);
  });

  it('are found if a task depends on itself', () => {
    assert.deepEqual(findCycles(graph({ 5: [5] })), [[5, 5]]);
  });

  it('do not exist in a diamond', () => {
    assert.deepEqual(findCycles(graph({ 4: [2, 3], 2: [1], 3: [1], 1: [] })), []);
  });

  it('are found behind a task that is not part of them', () => {
    assert.deepEqual(findCycles(graph({ 1: [2], 2: [3], 3: [4], 4: [2] })), [[2, 3, 4, 2]]);
  });

  it('are searched in a chain of 100,000 without a stack overflow', () => {
    const chain = new Map(Array.from({ length: 100_000 }, (_, id) => [id, [id + 1]] as const));
    assert.deepEqual(findCycles(chain), []);
  });

  it('that share a task are all found', () => {
    const reported = findCycles(graph({ 1: [2, 3], 2: [1], 3: [2] })).flat();
    assert.deepEqual([...new Set(reported)].sort(), [1, 2, 3]);
  });

  it('are found if many tasks depend on one that depends on all of them, some of them as a path', () => {
    const others = Array.from({ length: 100_000 }, (_, index) => index + 2);
    const hub = new Map<number, readonly number[]>(others.map((id) => [id, [1]]));
    const [tangle, ...more] = findTangles(hub.set(1, others));
    const reported = [...(tangle?.paths.flat() ?? []), ...(tangle?.others ?? [])];
    assert.deepEqual([new Set(reported).size, more], [100_001, []]);
    for (const path of tangle?.paths ?? []) assert.deepEqual([path[0], path.length], [1, 3]);
  });

  it('are found exactly if they exist, and contain every task that depends on itself', () => {
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

describe('A task with dependencies', () => {
  /** A task that depends on the one before it, the first one on nothing. */
  const link = (id: number, state: Parameters<typeof taskOf>[1] = {}) =>
    taskOf(id, state, id === 1 ? {} : { dependencies: [id - 1] });

  it('is stuck behind a stuck one, at any distance', () => {
    const tasks = [link(1, { status: 'failed' }), link(2), link(3), link(4)];
    const world = worldOf(tasks);
    const reported = tasks.slice(1).map((task) => findUnmet(task, world));
    assert.deepEqual(reported, [
      { id: 1, why: 'failed', stuck: true },
      { id: 2, why: 'stuck', stuck: true },
      { id: 3, why: 'stuck', stuck: true },
    ]);
  });

  it('is blocked while all of them can still be completed', () => {
    const tasks = [link(1, { status: 'review' }), link(2), link(3)];
    const world = worldOf(tasks);
    assert.deepEqual(
      tasks.slice(1).map((task) => findUnmet(task, world)),
      [
        { id: 1, why: 'review', stuck: false },
        { id: 2, why: 'pending', stuck: false },
      ],
    );
  });

  it('is stuck behind an invalid row, and behind a missing one', () => {
    const behind = taskOf(3, {}, { dependencies: [2] });
    const broken = worldOf([taskOf(2, {}, { dependencies: [9] }), behind], {
      queue: { invalidIds: new Set([9]) },
    });
    assert.deepEqual(findUnmet(behind, broken), { id: 2, why: 'stuck', stuck: true });
    assert.deepEqual(findUnmet(behind, worldOf([behind])), { id: 2, why: 'missing', stuck: true });
  });

  it('names the hopeless one of several', () => {
    const tasks = [taskOf(1), taskOf(2, { status: 'cancelled' }), taskOf(3, {}, { dependencies: [2] })];
    const waiting = taskOf(4, {}, { dependencies: [1, 3] });
    assert.deepEqual(findUnmet(waiting, worldOf([...tasks, waiting])), { id: 3, why: 'stuck', stuck: true });
  });

  it('is not stuck behind a repeating task that succeeded already and waits for a hopeless one', () => {
    const daily = taskOf(2, { lastSuccessAt: NOW }, { repeat: repeat('daily'), dependencies: [1] });
    const waiting = taskOf(3, {}, { dependencies: [2] });
    const world = worldOf([taskOf(1, { status: 'failed' }), daily, waiting]);
    assert.equal(findUnmet(waiting, world), null);
  });

  it('need not wait for a completed one, and is not counted where it does not run anyway', () => {
    const [completed, after] = [{ status: 'completed' } as const, { dependencies: [1] }];
    const others = [
      taskOf(3, completed, after),
      taskOf(4, { retryCount: 3 }, { ...after, maxRetries: 3 }),
      taskOf(5, {}, { dependencies: [2] }),
    ];
    const tasks = [link(2), taskOf(6, {}, after), ...others];
    assert.deepEqual(findUnblockedBy(1, [link(1, completed), ...tasks]), [2, 6]);
    assert.deepEqual(findUnblockedBy(1, [link(1, { status: 'review' }), ...tasks]), []);
    assert.deepEqual(findUnblockedBy(1, tasks), []);
  });

  it('is explained along a chain of 100,000', () => {
    const tasks = Array.from({ length: 100_000 }, (_, index) =>
      link(index + 1, index === 0 ? { status: 'cancelled' } : {}),
    );
    const world = worldOf(tasks);
    assert.equal(tasks.filter((task) => findUnmet(task, world)?.stuck === true).length, 99_999);
  });
});
