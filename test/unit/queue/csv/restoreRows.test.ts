import assert from 'node:assert/strict';
import { isProblem } from '../../../../src/domain/problem';
import { readCsv } from '../../../../src/queue/csv/csvFile';
import { removeRows } from '../../../../src/queue/csv/newRow';
import { describeRows, restoreRows } from '../../../../src/queue/csv/restoreRows';

const CONTEXT = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
const HEADER = 'id,working_dir,prompt,note';

describe('Removed rows of a file', () => {
  const rows = ['1,/a,"One",x', '2,/a,"Two\nlines",', '3,/a,Three,"say ""it"""', '4,/a,Four,'];
  const texts: Readonly<Record<string, string>> = {
    'with line feeds': [HEADER, ...rows, ''].join('\n'),
    'without a last line end': [HEADER, ...rows].join('\n'),
    'with carriage returns and a byte order mark': `\ufeff${[HEADER, ...rows, ''].join('\n').replaceAll('\n', '\r\n')}`,
  };
  for (const [what, text] of Object.entries(texts)) {
    for (const ids of [[1], [2], [4], [1, 2], [2, 3, 4], [1, 2, 3, 4]]) {
      it(`${what} are back byte for byte: ${ids.join(', ')}`, () => {
        const before = readCsv(Buffer.from(text));
        const removed = describeRows(before, ids);
        const after = readCsv(removeRows(before, ids));
        const { bytes, definitions } = restoreRows(after, removed, CONTEXT);
        assert.equal(bytes.toString(), text);
        assert.deepEqual(
          definitions.map(({ id }) => id),
          ids,
        );
      });
    }
  }

  it('get a line of their own if other rows were added below', () => {
    const before = readCsv(Buffer.from(`${HEADER}\n1,/a,One,\n2,/a,Two,`));
    const removed = describeRows(before, [2]);
    const after = readCsv(Buffer.from(`${HEADER}\n1,/a,One,\n5,/a,Five,`));
    const { bytes } = restoreRows(after, removed, CONTEXT);
    assert.equal(bytes.toString(), `${HEADER}\n1,/a,One,\n2,/a,Two,\n5,/a,Five,`);
  });

  it('are back among other rows in one pass, also if there are thousands', () => {
    const ids = Array.from({ length: 4000 }, (_, index) => index + 1);
    const text = `${HEADER}\n${ids.map((id) => `${String(id)},/a,Do it,\n`).join('')}`;
    const before = readCsv(Buffer.from(text));
    for (const removed of [ids, ids.filter((id) => id > 1), ids.filter((id) => id % 2 === 0)]) {
      const start = performance.now();
      const rows = describeRows(before, removed);
      const after = readCsv(removeRows(before, removed));
      const { bytes } = restoreRows(after, rows, CONTEXT);
      assert.ok(performance.now() - start < 5000);
      assert.equal(bytes.toString(), text);
    }
  });

  it('are refused if the columns have changed', () => {
    const before = readCsv(Buffer.from(`${HEADER}\n1,/a,One,\n`));
    const removed = describeRows(before, [1]);
    const after = readCsv(Buffer.from(`${HEADER},tags\n`));
    assert.throws(
      () => restoreRows(after, removed, CONTEXT),
      (error) =>
        isProblem(error, 'conflict') && error.message.includes('the columns of the queue have changed'),
    );
  });

  it('that were not valid are back as well', () => {
    const text = `${HEADER}\n1,/a,,\n2,/a,Two,\n`;
    const before = readCsv(Buffer.from(text));
    const { bytes, definitions } = restoreRows(
      readCsv(removeRows(before, [1])),
      describeRows(before, [1]),
      CONTEXT,
    );
    assert.equal(bytes.toString(), text);
    assert.deepEqual(definitions, []);
  });
});
