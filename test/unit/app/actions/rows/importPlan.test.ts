import assert from 'node:assert/strict';
import { readCheckList } from '../../../../../src/app/actions/rows/checkList';
import { planImport, type ImportPlan } from '../../../../../src/app/actions/rows/importPlan';

const ROWS = { timeZone: 'UTC', folder: '/work', home: '/home/me', allowBypass: false };
const USUAL = { status: 'pending', working_dir: '.' };

function plan(name: string, text: string, ids: readonly number[] = []): ImportPlan {
  return planImport(name, Buffer.from(text), { rows: ROWS, ids: new Set(ids), usual: USUAL });
}

describe('A Markdown check-list', () => {
  it('has an item for each box, with the lines below it', () => {
    const text =
      '# Cellar\n\nBefore.\n- [ ] Tidy up\n  First the shelves.\n\n  - a detail\n- [x] Paint\n' +
      '  1. [ ] Nested\n* [X] Sweep\nAfter.\n    Not of an item.\n';
    assert.deepEqual(readCheckList(text).items, [
      { text: 'Tidy up\nFirst the shelves.\n\n- a detail', isDone: false, line: 4 },
      { text: 'Paint', isDone: true, line: 8 },
      { text: 'Nested', isDone: false, line: 9 },
      { text: 'Sweep', isDone: true, line: 10 },
    ]);
  });

  it('has in an item also what is below its nested items', () => {
    const text =
      '- [ ] Outer\n  - [ ] Nested\n    its own\n\n  More of the outer.\n    - [ ] Deep\n  The last.\nNot of it.\n';
    assert.deepEqual(
      readCheckList(text).items.map((item) => item.text),
      ['Outer\n\nMore of the outer.\nThe last.', 'Nested\nits own', 'Deep'],
    );
  });

  it('has no items in code, and keeps the code of an item', () => {
    const text = '```\n- [ ] Not this\n```\n- [ ] Run\n  ```sh\n  - [ ] nor this\n  ```\n- [ ] Stop';
    assert.deepEqual(
      readCheckList(text).items.map((item) => item.text),
      ['Run\n```sh\n- [ ] nor this\n```', 'Stop'],
    );
  });

  it('has code blocks that only a fence of their own kind and length ends', () => {
    const texts = (text: string): string[] => readCheckList(text).items.map((item) => item.text);
    assert.deepEqual(texts('~~~\n```\n- [ ] inside\n~~~\n- [ ] out'), ['out']);
    assert.deepEqual(texts('````md\n```\n- [ ] inside\n```\n````\n- [ ] out'), ['out']);
    assert.deepEqual(texts('```npm test``` must pass\n- [ ] out'), ['out']);
  });

  it('has no items with another box than an open or a done one, and says on which lines', () => {
    const text =
      '- [ ] One\n  - [-] cancelled\n    its text\n- [] Two\n- [ ]Three\n- [1] a note\n- [ ](url)\n';
    const { items, unclear } = readCheckList(`${text}- [~] Four\n10. [ ] Five\n    and more\n`);
    assert.deepEqual(
      items.map((item) => item.text),
      ['One', 'Five\nand more'],
    );
    assert.deepEqual(unclear, [2, 4, 5, 8]);
    assert.deepEqual(plan('TODO.md', text).unclear, [2, 4, 5]);
  });

  it('gives rows with the usual cells, and problems of those without a text', () => {
    const { rows } = plan('TODO.md', '- [ ] Tidy up\n- [ ]\n');
    assert.deepEqual(rows[0], {
      number: 1,
      line: 1,
      fields: { ...USUAL, prompt: 'Tidy up' },
      after: [],
      isDone: false,
      isCancelled: false,
      formerStatus: null,
      problems: [],
    });
    assert.match(rows[1]?.problems[0] ?? '', /^The prompt is missing\./);
  });

  it('is read in UTF-8 only, with a byte order mark or without', () => {
    assert.equal(plan('TODO.md', '\ufeff- [ ] Tidy up\n').rows[0]?.fields['prompt'], 'Tidy up');
    const text = '- [ ] Größe\n';
    for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(`\ufeff${text}`, 'utf16le')])
      assert.throws(() => planImport('TODO.md', bytes, { rows: ROWS, ids: new Set(), usual: USUAL }), {
        reason: 'usage',
        message: 'TODO.md is not UTF-8 text. Save it as UTF-8.',
      });
  });

  it('without an item is refused', () => {
    assert.throws(() => plan('TODO.md', '# Nothing\n- plain\n'), { reason: 'usage', message: /- \[ \]/ });
  });
});

describe('A CSV file to import', () => {
  const HEADER = 'id,working_dir,prompt,status,dependencies,retry_count,Ticket\n';

  it('gives rows with the known cells, without ids, states and counts', () => {
    const { rows, ignored } = plan('tasks.csv', `${HEADER}4,sub,Tidy up,failed,,3,T-1\n`);
    assert.deepEqual(rows[0]?.fields, { ...USUAL, working_dir: 'sub', prompt: 'Tidy up' });
    assert.deepEqual([rows[0].isDone, rows[0].problems, ignored], [false, [], ['Ticket']]);
  });

  it('keeps dependencies: on its own rows by their place, on tasks of the queue by their id', () => {
    const { rows } = plan('tasks.csv', `${HEADER}4,.,a,completed,,,\n5,.,b,,4|9,,\n`, [9]);
    assert.deepEqual([rows[1]?.after, rows[1]?.fields['dependencies'], rows[1]?.problems], [[0], '9', []]);
    assert.equal(rows[0]?.isDone, true);
  });

  it('has a problem for each row that depends on a cancelled one, unless it is done itself', () => {
    const text = `${HEADER}1,.,a,Cancelled,,,\n2,.,b,,1,,\n3,.,c,,2,,\n4,.,d,completed,1,,\n5,.,e,,4,,\n`;
    assert.deepEqual(
      plan('tasks.csv', text).rows.map(({ problems }) => problems),
      [[], ['It depends on row 1, which is cancelled.'], [], [], []],
    );
  });

  it('has problems of cells, missing dependencies, cycles and damaged rows', () => {
    const text = `${HEADER}1,.,a,,7,,\n2,.,b,,3,,\n3,.,c,,2,,\n4,.,d\n5,.,e,,x,,\n`;
    const { rows } = plan('tasks.csv', text);
    const problems = rows.map((row) => row.problems.join(' '));
    assert.match(problems[0] ?? '', /depends on task 7, which is neither in the file nor in the queue/);
    assert.match(problems[1] ?? '', /depends on itself/);
    assert.match(problems[2] ?? '', /depends on itself/);
    assert.equal(problems[3], 'This row has 3 cells, but the header names 7 columns.');
    assert.match(problems[4] ?? '', /are not ids/);
  });

  it('has the line of each row and the cause of its damage, without problems of cells that may be others', () => {
    const text = `${HEADER}1,.,"a\nb",,,,\n2,.,"c\nd"e,soon,,,\n3,.,say "hi",,,,\n\n4,.,d,completed,,,,\n`;
    const { rows } = plan('tasks.csv', text);
    assert.deepEqual(
      rows.map(({ line }) => line),
      [2, 5, 6, 8],
    );
    const problems = rows.map((row) => row.problems.map((problem) => problem.replace(/\..*/, '')));
    assert.deepEqual(problems, [
      [],
      ['This quote is misplaced'],
      ['This quote is misplaced'],
      ['This row has 8 cells, but the header names 7 columns'],
    ]);
  });

  it('has a problem for each row that depends on an id of several rows', () => {
    const { rows } = plan('tasks.csv', `${HEADER}1,.,a,,,,\n1,.,b,,,,\n2,.,c,,1,,\n3,.,d,,2,,\n`);
    assert.deepEqual(
      rows.map(({ problems }) => problems),
      [[], [], ['It depends on task 1, but several rows of the file have this id.'], []],
    );
  });

  it('gives the status that a started row had, and refuses one that is not known', () => {
    const text = `${HEADER}1,.,a,Review,,,\n2,.,b,failed,,,\n3,.,c,completed,,,\n4,.,d,Done,,,\n5,.,e,pending,,,\n`;
    const { rows } = plan('tasks.csv', text);
    assert.deepEqual(
      rows.map(({ formerStatus, isDone }) => [formerStatus, isDone]),
      [
        ['review', false],
        ['failed', false],
        [null, true],
        [null, false],
        [null, false],
      ],
    );
    assert.match(rows[3]?.problems[0] ?? '', /^The status "Done" is not known\. Use pending, /);
  });
});
