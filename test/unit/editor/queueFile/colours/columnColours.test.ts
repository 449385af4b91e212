import assert from 'node:assert/strict';
import { planHeaderTokens, planTokens } from '../../../../../src/editor/queueFile/colours/columnTokens';
import { planDelimiters, planHeader } from '../../../../../src/editor/queueFile/colours/planFaint';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import type { TextRange } from '../../../../../src/editor/queueFile/document/textRange';

/** The coloured parts on these lines, as `text:type`. */
function colours(text: string, firstLine = 0, lastLine = Infinity): string[] {
  const lines = text.split(/\r?\n/);
  return planTokens(QueueDocument.parse(text), firstLine, lastLine).map(
    ({ line, character, length, type }) =>
      `${(lines[line] ?? '').slice(character, character + length)}:${type}`,
  );
}

describe('The colours of a queue file', () => {
  it('differ by kind of column; prompts, empty cells and unknown columns have none', () => {
    const text = 'id,priority,working_dir,prompt,status,notes,user\n4,high,.,Test,pending,mine,\n';
    assert.deepEqual(colours(text), ['4:number', 'high:keyword', '.:type', 'pending:enumMember']);
  });

  it('follow the header, whatever the order and delimiter', () => {
    const text = 'prompt;dependencies;id;working_dir\n🐛 fix;1|2;4;src\n';
    assert.deepEqual(colours(text), ['1|2:number', '4:number', 'src:type']);
    assert.deepEqual(colours('\ufeffid\tprompt\tworking_dir\r\n1\tTest\t~\r\n'), ['1:number', '~:type']);
  });

  it('are of the lines that are asked for, with rows that start before', () => {
    const text = 'id,prompt,user\n1,a,anna\n2,"b\nb",ben\n3,c,carl\n';
    assert.deepEqual(colours(text, 3, 3), ['2:number', 'ben:variable']);
    assert.deepEqual(colours(text, 4, 9), ['3:number', 'carl:variable']);
    assert.deepEqual(colours(text, 0, 0), []);
  });

  it('have a part for each line of a cell, with its quotes', () => {
    const text = 'id,tags,prompt\r\n1,"docs|""\r\n\r\nurgent",Test\r\n';
    assert.deepEqual(colours(text), ['1:number', '"docs|"":variable', 'urgent":variable']);
  });

  it('are of the column at the cursor in the header, also where its cells are plain', () => {
    const document = QueueDocument.parse('id,prompt,user\n1,Test,anna,more\n');
    const types = [0, 3, 8, 13].map((character) => planHeaderTokens(document, { line: 1, character }));
    assert.deepEqual(
      types.map((tokens) => tokens.map(({ line, character, type }) => [line, character, type])),
      [[[0, 0, 'number']], [[0, 3, 'variable']], [[0, 10, 'variable']], []],
    );
  });

  it('are there for texts that are no queue', () => {
    for (const text of ['', 'id,prompt', '\n', '"']) assert.deepEqual(colours(text), []);
  });
});

describe('The faint parts of a queue file', () => {
  const cut = (text: string, ranges: readonly TextRange[]): string[] =>
    ranges.map(({ start, end }) =>
      (text.split('\n')[start.line] ?? '').slice(start.character, end.character),
    );

  it('are the delimiters of rows, but not those in cells', () => {
    const text = 'id;prompt;user\n1;"a;b";anna\n';
    const found = planDelimiters(QueueDocument.parse(text), 0, 9);
    assert.deepEqual(
      found.map(({ start }) => [start.line, start.character]),
      [
        [1, 1],
        [1, 7],
      ],
    );
  });

  it('are all of the header but the column at the cursor', () => {
    const text = 'id,prompt,user\n1,Test,anna\n';
    const parts = (line: number, character: number): string[][] => {
      const { faint, current } = planHeader(QueueDocument.parse(text), { line, character });
      return [cut(text, faint), cut(text, current)];
    };
    assert.deepEqual(parts(1, 3), [['id,', ',user'], ['prompt']]);
    assert.deepEqual(parts(0, 12), [['id,prompt,', ''], ['user']]);
    assert.deepEqual(parts(2, 0), [['id,prompt,user'], []]);
    assert.deepEqual(planHeader(QueueDocument.parse(''), { line: 0, character: 0 }).faint, []);
  });

  it('do not need a column for each cell', () => {
    const text = 'id,prompt\n1,Test,more\n';
    const { faint, current } = planHeader(QueueDocument.parse(text), { line: 1, character: 8 });
    assert.deepEqual([cut(text, faint), current], [['id,prompt'], []]);
  });
});
