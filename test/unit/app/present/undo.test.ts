import assert from 'node:assert/strict';
import {
  askToUndo,
  describePermissions,
  describeUndid,
  describeUndoDetails,
} from '../../../../src/app/present/undo';

const FILES = [
  { path: 'a.txt', action: 'restored' },
  { path: 'b.txt', action: 'returned', permissions: 'none' },
  { path: 'c\u202ec.txt', action: 'removed' },
] as const;

describe('The words of an undo', () => {
  it('name its attempts and count its files', () => {
    const undo = { numbers: [2], folder: '/work', files: FILES };
    assert.equal(askToUndo(7, undo), 'Undo attempt 2 of task 7 in 3 files?');
    assert.equal(describeUndid(7, undo), 'Undid attempt 2 of task 7: 3 files.');
    const one = { numbers: [1, 2], folder: '/work', files: FILES.slice(0, 1) };
    assert.equal(askToUndo(7, one), 'Undo attempts 1, 2 of task 7 in 1 file?');
    assert.equal(describeUndid(7, one), 'Undid attempts 1, 2 of task 7: 1 file.');
  });

  it('say first whose changes are taken back, then list removed files before others', () => {
    assert.deepEqual(
      describeUndoDetails(7, { numbers: [2], folder: '/work', files: FILES, dependents: [8, 9] }, 3),
      [
        'These are all changes in /work while task 7 ran, by anybody.',
        '',
        'removed: c\\u202ec.txt',
        'restored: a.txt',
        'returned: b.txt',
        '',
        'Files that return are readable only by you: their permissions were not kept.',
        'Replaced and removed files are kept for 30 days.',
        'Tasks 8, 9 depend on task 7 and will run: cancel them, or retry task 7.',
      ],
    );
  });

  it('count the files that a dialog has no room for', () => {
    const undo = { numbers: [2], folder: '/work', files: FILES, dependents: [] };
    const lines = describeUndoDetails(7, undo, 1);
    assert.deepEqual(lines.slice(2, 5), ['removed: c\\u202ec.txt', 'And 2 more.', '']);
  });

  it('name a file of whose permissions only the executable bit was kept, or count several', () => {
    const [one, other] = ['a', 'b'].map(
      (path) => ({ path, action: 'restored', permissions: 'executable' }) as const,
    );
    assert.ok(one !== undefined && other !== undefined);
    assert.deepEqual(describePermissions({ files: [...FILES, one] }), [
      'Files that return are readable only by you: their permissions were not kept.',
      'Check who may read a: only whether it is executable was kept of its permissions.',
    ]);
    assert.deepEqual(describePermissions({ files: [one, other] }), [
      'Check who may read 2 files, such as a: only whether they are executable was kept of their permissions.',
    ]);
    assert.deepEqual(describePermissions({ files: FILES.slice(0, 1) }), []);
  });
});
