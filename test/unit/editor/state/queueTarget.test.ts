import assert from 'node:assert/strict';
import { bindTarget, findByFile, groupTargets, unbindTarget } from '../../../../src/editor/state/queueTarget';
import { TreeNode } from '../../../../src/editor/tree/treeChildren';

const rowOf = (queue: string, id: number): TreeNode =>
  new TreeNode({ key: `task-${String(id)}`, queue, label: '', description: '', taskId: id });

describe('The target of a command', () => {
  it('keeps its queue, also when it is written as JSON', () => {
    for (const target of [12, 'group-next', { line: 3, character: 0 }, undefined]) {
      const bound: unknown = JSON.parse(JSON.stringify(bindTarget('/north', target)));
      assert.deepEqual(unbindTarget(bound), { queue: '/north', target });
    }
  });

  it('is the row itself if it is one of the tree', () => {
    const row = rowOf('/north', 12);
    assert.deepEqual(unbindTarget(row), { queue: '/north', target: row });
  });

  it('has no queue if it names none', () => {
    for (const target of [12, undefined, null, { taskId: 12 }, { queue: 7 }])
      assert.deepEqual(unbindTarget(target), { queue: null, target });
  });

  it('is grouped by its queue', () => {
    const rows = [rowOf('/north', 1), rowOf('/south', 1), rowOf('/north', 2)];
    assert.deepEqual(groupTargets(rows), [
      { queue: '/north', targets: [rows[0], rows[2]] },
      { queue: '/south', targets: [rows[1]] },
    ]);
    assert.deepEqual(groupTargets([]), []);
  });
});

describe('The queue of a file', () => {
  const queues = ['/north', '/north/inner', '/nor'].map((folder) => ({ key: folder, folder }));
  const keyOf = (file: string | null): string | undefined => findByFile(queues, file)?.key;

  it('is that of the innermost folder', () => {
    assert.equal(keyOf('/north/a.ts'), '/north');
    assert.equal(keyOf('/north/inner/a.ts'), '/north/inner');
    assert.equal(keyOf('/nor/a.ts'), '/nor');
  });

  it('is unknown outside of all folders', () => {
    assert.equal(keyOf('/northern/a.ts'), undefined);
    assert.equal(keyOf(null), undefined);
  });
});
