import assert from 'node:assert/strict';
import { composeNote, nameFile } from '../../../../../src/app/actions/tasks/commentNote';

describe('The note that comments on changes become', () => {
  it('has file, line, quoted line and text of each comment, in the order of files and lines', () => {
    const note = composeNote([
      { file: 'src/b.ts', lines: [12, 12], quoted: ['const b = 2;'], text: '  Why not 3?\nIt is larger.\n' },
      { file: 'src/b.ts', lines: [2, 2], quoted: [''], text: 'Name the unit.' },
      { file: 'src/a.ts', lines: [4, 5], quoted: ['one', 'two'], text: 'Join these.' },
    ]);
    assert.equal(
      note,
      [
        'src/a.ts:4-5\n> one\n> two\nJoin these.',
        'src/b.ts:2\n> \nName the unit.',
        'src/b.ts:12\n> const b = 2;\nWhy not 3?\nIt is larger.',
      ].join('\n\n'),
    );
  });

  it('quotes only the beginning of many lines, and of a long one', () => {
    const quoted = ['x'.repeat(300), '2', '3', '4', '5', '6'];
    const note = composeNote([{ file: 'a', lines: [1, 6], quoted, text: 'Shorter.' }]);
    assert.equal(note, `a:1-6\n> ${'x'.repeat(200)}…\n> 2\n> 3\n> 4\n> 5\n> …\nShorter.`);
  });

  it('names files from the working directory of the attempt', () => {
    const place = { top: '/repo', folder: '/repo/app' };
    assert.equal(nameFile('app/src/a.ts', place), 'src/a.ts');
    assert.equal(nameFile('docs/a.md', place), '../docs/a.md');
    assert.equal(nameFile('docs/a.md', undefined), 'docs/a.md');
  });
});
