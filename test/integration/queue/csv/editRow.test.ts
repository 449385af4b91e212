import assert from 'node:assert/strict';
import type { Definition } from '../../../../src/domain/task/task';
import { editDefinition } from '../../../support/queue/editDefinition';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import { appendRows, editRow } from '../../../../src/queue/csv/newRow';
import type { RowContext } from '../../../../src/queue/row/rowContext';
import { refuseBadDependencies } from '../../../../src/queue/model/dependencyCheck';
import { checkRows } from '../../../../src/queue/model/rows';
import { define, repeat } from '../../../conformance/harness';
import { csvOf } from '../csvFixture';
import { WHOLE } from '../../../support/queue/wholeRows';

const CONTEXT: RowContext = { timeZone: 'UTC', folder: '/space', home: '/home/me', allowBypass: false };

const FILE = csvOf(
  'id;prompt;"working_dir";priority;note',
  '1;"Write ""docs""";  /srv;;mine',
  '2;Test;/srv;high;',
  '3;Test;/srv;huge;',
);

describe('Editing a task', () => {
  it('changes the named cells and no other byte', () => {
    const { bytes, row } = editRow(FILE, 1, { priority: 'low', prompt: 'Write; then read' }, CONTEXT);
    const expected = FILE.bytes
      .toString()
      .replace('"Write ""docs""";  /srv;;', '"Write; then read";  /srv;low;');
    assert.equal(bytes.toString(), expected);
    assert.deepEqual([row.definition.priority, row.definition.prompt], ['low', 'Write; then read']);
  });

  it('fixes an invalid row', () => {
    assert.equal(editRow(FILE, 3, { priority: 'high' }, CONTEXT).row.definition.priority, 'high');
  });

  it('is refused with an example if the row would be invalid', () => {
    const edit =
      (cells: Readonly<Record<string, string>>, id = 1) =>
      () =>
        editRow(FILE, id, cells, CONTEXT);
    assert.throws(edit({ priority: 'huge' }), {
      reason: 'usage',
      message: /priority "huge" is not known. Use/,
    });
    assert.throws(edit({ colour: 'red' }), { reason: 'usage', message: /There is no column "colour"/ });
    assert.throws(edit({ id: '7' }), { reason: 'usage', message: /Task 1 must keep its id/ });
    assert.throws(edit({ priority: 'low' }, 9), { reason: 'no-such-task', message: /no task 9/ });
    assert.throws(edit({ prompt: 'x' }, 3), { reason: 'usage' }, 'it still has a problem');
  });

  it('is refused if two rows have the id, or the row has too few cells', () => {
    const twice = csvOf('id,working_dir,prompt', '1,/srv,one', '1,/srv,two', '2,/srv');
    assert.throws(() => editRow(twice, 1, { prompt: 'x' }, CONTEXT), { message: /more than one row/ });
    assert.throws(() => editRow(twice, 2, { prompt: 'x' }, CONTEXT), {
      message: /too few or too many cells/,
    });
  });

  it('adds a column that the file lacks at the end of every row, and changes no other byte', () => {
    const bytes = Buffer.from('\ufeffid,working_dir,prompt\r\n1,/srv,"a\r\nb"\r\n\r\n2,/srv\r\n3,/srv,x');
    const edited = editRow(readCsv(bytes), 1, { model: 'opus', tags: '' }, CONTEXT);
    assert.equal(
      edited.bytes.toString(),
      '\ufeffid,working_dir,prompt,model\r\n1,/srv,"a\r\nb",opus\r\n\r\n2,/srv,\r\n3,/srv,x,',
    );
    assert.equal(edited.row.definition.model, 'opus');
  });

  it('that empties a cell without a column changes nothing', () => {
    assert.deepEqual(editRow(FILE, 2, { model: '' }, CONTEXT).bytes, FILE.bytes);
  });

  it('keeps a row with too many cells invalid when a column is added', () => {
    const file = csvOf('id,working_dir,prompt', '1,/srv,one', '2,/srv,two,opus');
    const after = readCsv(editRow(file, 1, { model: 'opus' }, CONTEXT).bytes);
    assert.deepEqual(
      after.records.map(({ cells }) => cells.length - after.columnCount),
      [0, 1],
    );
  });

  it('gives the same result without a file', () => {
    const daily = define(1, { repeat: repeat('daily'), model: 'opus', priority: 'high' });
    const edit = (cells: Readonly<Record<string, string>>): unknown => editDefinition(daily, cells, CONTEXT);
    assert.deepEqual(edit({ priority: 'low' }), { definition: { ...daily, priority: 'low' }, touched: {} });
    assert.deepEqual(edit({ repeat_interval: '12h', status: 'pending', scheduled_time: '' }), {
      definition: { ...daily, repeat: repeat('12h') },
      touched: { status: 'pending', scheduledAt: null },
    });
    const { repeat: _daily, ...once } = daily;
    assert.deepEqual(edit({ repeat: 'no' }), { definition: once, touched: {} });
    assert.throws(() => edit({ prompt: ' ' }), { reason: 'usage' });
    assert.throws(() => edit({ id: '2' }), { reason: 'usage' });
  });
});

describe('Adding a task to a file without a priority column', () => {
  const file = csvOf('id,working_dir,prompt', '1,/srv,one');

  it('leaves out a default priority, and adds the column for one that rules would change', () => {
    const fields = { working_dir: '/srv', prompt: 'two', priority: 'medium' };
    assert.equal(appendRows(file, [{ fields }], 2, CONTEXT).rows[0]?.definition.priority, 'medium');
    const ruled = { ...CONTEXT, priorityRules: [{ path: '/srv', priority: 'low' }] as const };
    const { bytes } = appendRows(file, [{ fields }], 2, ruled);
    assert.equal(bytes.toString(), 'id,working_dir,prompt,priority\n1,/srv,one,\n2,/srv,two,medium\n');
    const { priority: _unsaid, ...unsaid } = fields;
    assert.equal(appendRows(file, [{ fields: unsaid }], 2, ruled).rows[0]?.definition.priority, 'low');
  });
});

describe('Adding many rows', () => {
  it('gives the same file as adding them one after another', () => {
    const drafts = [
      { fields: { working_dir: '/srv', prompt: 'one', priority: 'medium', tags: '' } },
      { fields: { working_dir: '/srv', prompt: 'two\n"lines"', priority: 'high', max_turns: '5' } },
      { fields: { working_dir: '/srv', prompt: 'three', priority: 'medium', tags: 'docs' } },
    ];
    for (const lines of [
      ['id,working_dir,prompt', ''],
      ['id,prompt,working_dir'],
      ['id;prompt;working_dir\r', ''],
    ]) {
      const file = readCsv(Buffer.from(lines.join('\n')));
      let bytes = file.bytes;
      for (const [index, draft] of drafts.entries())
        bytes = appendRows(readCsv(bytes), [draft], index + 1, CONTEXT).bytes;
      const added = appendRows(file, drafts, 1, CONTEXT);
      assert.equal(added.bytes.toString(), bytes.toString());
      assert.deepEqual(
        added.rows.map(({ definition }) => [definition.id, definition.prompt, definition.priority]),
        [
          [1, 'one', 'medium'],
          [2, 'two\n"lines"', 'high'],
          [3, 'three', 'medium'],
        ],
      );
    }
  });

  it('takes time in proportion to their number', () => {
    const drafts = Array.from({ length: 60_000 }, () => ({
      fields: { working_dir: '/srv', prompt: 'Do it' },
    }));
    const { rows } = appendRows(csvOf('id,working_dir,prompt', ''), drafts, 1, CONTEXT);
    assert.equal(rows.length, drafts.length);
  });
});

describe('Dependencies that a command writes', () => {
  const rowsOf = (...definitions: readonly Definition[]): ReturnType<typeof checkRows> =>
    checkRows(
      definitions.map((definition) => ({
        definition,
        power: 'p',
        where: { kind: 'file', line: definition.id, column: 1 },
      })),
      [],
      WHOLE,
    );

  it('are refused with the path if they close a cycle', () => {
    const rows = rowsOf(define(3, { dependencies: [5] }), define(5, { dependencies: [7] }), define(7));
    assert.throws(
      () => {
        refuseBadDependencies([{ id: 7, dependencies: [3] }], rows);
      },
      { fault: { reason: 'usage', kind: 'own-dependency', id: 7, path: [3, 5, 7, 3] } },
    );
    assert.throws(
      () => {
        refuseBadDependencies([{ id: 8, dependencies: [8] }], rows);
      },
      { fault: { reason: 'usage', kind: 'own-dependency', id: 8, path: [8, 8] } },
    );
    assert.throws(
      () => {
        refuseBadDependencies(
          [
            { id: 8, dependencies: [9] },
            { id: 9, dependencies: [10] },
            { id: 10, dependencies: [9, 7] },
          ],
          rows,
        );
      },
      { fault: { reason: 'usage', kind: 'own-dependency', id: 9, path: [9, 10, 9] } },
    );
    refuseBadDependencies([{ id: 8, dependencies: [3, 7] }], rows);
  });

  it('are refused if they name an unknown task', () => {
    const rows = rowsOf(define(1), define(2, { dependencies: [9] }));
    assert.throws(
      () => {
        refuseBadDependencies([{ id: 1, dependencies: [4] }], rows);
      },
      { fault: { reason: 'usage', kind: 'unknown-dependency', id: 1, missing: 4 } },
    );
    // Its row has a problem, but it is there: what depends on it waits until that is fixed.
    refuseBadDependencies([{ id: 1, dependencies: [2] }], rows);
  });
});
