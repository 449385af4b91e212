import assert from 'node:assert/strict';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import type { TextRange } from '../../../../../src/editor/queueFile/document/textRange';
import { planFolds } from '../../../../../src/editor/queueFile/navigation/folding';
import { findDependents, findIdAt, findOwn } from '../../../../../src/editor/queueFile/navigation/ids';
import { planOutline, type OutlineEntry } from '../../../../../src/editor/queueFile/navigation/outline';

const TEXT = [
  'id,prompt,dependencies,working_dir',
  '1,One,,.',
  '2,"Two',
  'and more",1,.',
  '12,Three,1 | 2|2,.',
  '',
].join('\n');

const place = ({ start, end }: TextRange): string => `${start.line}:${start.character}-${end.character}`;

const rows = (size: number): string =>
  ['id,prompt', ...Array.from({ length: size }, (_, index) => `${index + 1},Test`)].join('\n');

describe('The outline of a queue file', () => {
  const outline = (text: string): OutlineEntry => {
    const entry = planOutline(QueueDocument.parse(text));
    assert.ok(entry);
    return entry;
  };

  it('has one entry from the header to the last row, with the tasks and their cells', () => {
    const { name, range, children } = outline(TEXT);
    assert.equal(name, '3 tasks');
    assert.deepEqual([range.start.line, range.end.line], [0, 4]);
    assert.deepEqual(
      children.map((task) => [task.name, task.range.start.line, task.range.end.line]),
      [
        ['1 One', 1, 1],
        ['2 Two', 2, 3],
        ['12 Three', 4, 4],
      ],
    );
    assert.deepEqual(
      children[2]?.children.map((cell) => cell.name),
      [
        'id (column 1 of 4)',
        'prompt (column 2 of 4)',
        'dependencies (column 3 of 4)',
        'working_dir (column 4 of 4)',
      ],
    );
  });

  it('names rows without id and prompt, and cells without a column', () => {
    const { children } = outline('id,prompt,\n,,x,y\n');
    assert.equal(children[0]?.name, 'Row 1');
    assert.deepEqual(
      children[0].children.slice(2).map(({ name }) => name),
      ['Without a name (column 3 of 3)', 'Cell 4, without a column'],
    );
  });

  it('is empty without a header, and without cells for a long file', () => {
    assert.equal(planOutline(QueueDocument.parse('')), null);
    assert.deepEqual(outline('id,prompt').children, []);
    const { children } = outline(rows(1_000));
    assert.deepEqual([children.length, children[0]?.children.length], [1_000, 0]);
  });

  it('has blocks of tasks, named by their first and last id, for a file that is longer still', () => {
    const { name, range, children } = outline(rows(3_001));
    assert.deepEqual([name, range.end.line], ['3001 tasks, in blocks of 500', 3_001]);
    assert.deepEqual(
      children.map((block) => [block.name, block.range.start.line, block.range.end.line]).slice(-2),
      [
        ['2501 to 3000', 2_501, 3_000],
        ['3001 to 3001', 3_001, 3_001],
      ],
    );
    assert.equal(children.length, 7);
  });
});

describe('The folds of a queue file', () => {
  it('are the rows with several lines', () => {
    assert.deepEqual(planFolds(QueueDocument.parse(TEXT)), [{ firstLine: 2, lastLine: 3 }]);
    assert.deepEqual(planFolds(QueueDocument.parse('id,prompt\n\n1,a\n\n\n2,"b\r\n\r\nc"')), [
      { firstLine: 5, lastLine: 7 },
    ]);
    assert.deepEqual(planFolds(QueueDocument.parse('')), []);
  });
});

describe('The ids of a queue file', () => {
  const document = QueueDocument.parse(TEXT);

  it('are those of rows and dependencies, without white space', () => {
    const at = (line: number, character: number): number | null =>
      findIdAt(document, { line, character })?.id ?? null;
    assert.deepEqual([at(1, 0), at(1, 1), at(4, 0), at(4, 2)], [1, 1, 12, 12]);
    assert.deepEqual([at(4, 9), at(4, 10), at(4, 11), at(4, 13), at(4, 16)], [1, 1, null, 2, 2]);
    assert.deepEqual([at(0, 0), at(1, 3), at(5, 0)], [null, null, null]);
  });

  it('lead to their row, and to the rows that depend on it', () => {
    assert.deepEqual(findOwn(document, 12).map(place), ['4:0-2']);
    assert.deepEqual(findDependents(document, 1).map(place), ['3:10-11', '4:9-10']);
    assert.deepEqual(findDependents(document, 2).map(place), ['4:13-14', '4:15-16']);
    assert.deepEqual([findOwn(document, 3), findDependents(document, 12)], [[], []]);
  });

  it('are several where rows have the same', () => {
    const twice = QueueDocument.parse('prompt,id\na,7\nb, 7\n');
    assert.deepEqual(findOwn(twice, 7).map(place), ['1:2-3', '2:3-4']);
  });
});
