import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCsv, spanOf, type CsvFile } from '../../../../src/queue/csv/csvFile';
import { mergeCsv } from '../../../../src/queue/csv/threeWayMerge';
import { applyEdits } from '../../../support/csv/textEdits';

const COLUMNS = ['working_dir', 'prompt', 'status', 'note'] as const;
type Column = (typeof COLUMNS)[number];
type Row = Readonly<Record<Column | 'id', string>>;

const text = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ',', ';', '"', '\n', '\r', '表', '😀', '='),
  maxLength: 6,
});
const cells = fc.record({ working_dir: text, prompt: text, status: text, note: text });

/** Changes of a row. At most one side changes a cell. */
const fate = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('edited' as const), by: byCell(), new: cells }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deletedInMine' as const), status: text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deletedOnDisk' as const) }) },
);

function byCell() {
  const who = fc.constantFrom('nobody', 'nobody', 'mine', 'theirs');
  return fc.record({ working_dir: who, prompt: who, status: who, note: who });
}

const addedRows = fc.array(fc.record({ at: fc.nat(), cells }), { maxLength: 3 });

const story = fc.record({
  rows: fc.array(fc.record({ cells, fate }), { maxLength: 6 }),
  mineAdds: addedRows,
  theirsAdds: addedRows,
  mineMoves: fc.boolean(),
  style: fc.record({
    delimiter: fc.constantFrom(',', ';'),
    bom: fc.boolean(),
    quoteAll: fc.boolean(),
    lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 3, maxLength: 3 }),
    lastLineEnds: fc.boolean(),
  }),
  documentEnd: fc.constantFrom('\n', '\r\n'),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** The three states, as rows. */
function report({ rows, mineAdds, theirsAdds, mineMoves }: Story): Record<'base' | 'mine' | 'theirs', Row[]> {
  const base: Row[] = [];
  const mine: Row[] = [];
  const theirs: Row[] = [];
  rows.forEach(({ cells: first, fate: what }, index) => {
    const row = { id: String(index + 1), ...first };
    base.push(row);
    if (what.kind === 'edited') {
      const editedBy = (side: string): Row =>
        COLUMNS.reduce<Row>(
          (so, each) => (what.by[each] === side ? { ...so, [each]: what.new[each] } : so),
          row,
        );
      mine.push(editedBy('mine'));
      theirs.push(editedBy('theirs'));
    } else if (what.kind === 'deletedInMine') theirs.push({ ...row, status: what.status });
    else mine.push(row);
  });
  if (mineMoves) mine.reverse();
  mineAdds.forEach(({ at, cells: added }, index) => {
    mine.splice(at % (mine.length + 1), 0, { id: String(100 + index), ...added });
  });
  theirsAdds.forEach(({ at, cells: added }, index) => {
    theirs.splice(at % (theirs.length + 1), 0, { id: String(200 + index), ...added });
  });
  return { base, mine, theirs };
}

function write(rows: readonly Row[], style: Story['style']): string {
  const { delimiter, bom, quoteAll, lineEnds, lastLineEnds } = style;
  const encode = (cell: string): string =>
    quoteAll || /[,;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [
    ['id', ...COLUMNS].join(delimiter),
    ...rows.map((row) => [row.id, ...COLUMNS.map((column) => encode(row[column]))].join(delimiter)),
  ];
  const ended = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    return line + (isLast && !lastLineEnds ? '' : (lineEnds[index % lineEnds.length] ?? '\n'));
  });
  return (bom ? '\ufeff' : '') + ended.join('');
}

/** As an editor has it: no mark, and line ends of one kind. */
function document(rows: readonly Row[], { style, documentEnd }: Story): string {
  return write(rows, { ...style, bom: false }).replace(/\r\n|\r|\n/g, documentEnd);
}

function plain(value: string): string {
  return value.replace(/\r\n?/g, '\n');
}

function rowsOf(file: CsvFile): Map<string, string[]> {
  return new Map(file.records.map(({ cells: [id = '', ...more] }) => [id, more.map(plain)]));
}

/** Expected cells of a row: of each, the side's text that differs from the base. */
function expectedRow(id: string, states: ReturnType<typeof report>): string[] | undefined {
  const [base, mine, theirs] = [states.base, states.mine, states.theirs].map((rows) =>
    rows.find((row) => row.id === id),
  );
  if (base !== undefined && (mine === undefined || theirs === undefined)) return undefined;
  return COLUMNS.map((column) => {
    const own = mine?.[column];
    return plain((own === undefined || own === base?.[column] ? theirs?.[column] : own) ?? own ?? '');
  });
}

interface Outcome {
  readonly states: ReturnType<typeof report>;
  readonly mine: CsvFile;
  readonly after: CsvFile;
}

function play(one: Story, isOwn: boolean): Outcome {
  const states = report(one);
  const [base, theirs] = [states.base, states.theirs].map((rows) =>
    readCsv(Buffer.from(write(rows, one.style))),
  );
  assert.ok(base && theirs);
  const mineText = document(states.mine, one);
  const mine = readCsv(Buffer.from(mineText));
  const merge = (file: CsvFile) => mergeCsv({ base, mine: file, theirs, isOwn: () => isOwn });
  const outcome = merge(mine);
  assert.notEqual(outcome.kind, 'conflict', outcome.kind === 'conflict' ? outcome.message : '');
  const edits = outcome.kind === 'merged' ? outcome.edits : [];
  const after = readCsv(Buffer.from(applyEdits(mineText, edits)));
  assert.deepEqual(merge(after), { kind: 'same' });
  assert.equal(after.problem, null);
  return { states, mine, after };
}

describe('Any two sides that change different cells', () => {
  it('both have their changes in the merged text, and every other cell is unchanged', () => {
    fc.assert(
      fc.property(story, (one) => {
        const { states, after } = play(one, true);
        const ids = new Set([...states.base, ...states.mine, ...states.theirs].map(({ id }) => id));
        const expected = [...ids].flatMap((id) => {
          const row = expectedRow(id, states);
          return row === undefined ? [] : [[id, row] as const];
        });
        const found = rowsOf(after);
        assert.equal(found.size, after.records.length, 'no row stands twice');
        assert.deepEqual(
          [...found].sort(([a], [b]) => Number(a) - Number(b)),
          expected.sort(([a], [b]) => Number(a) - Number(b)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('keep the bytes of unchanged cells, and the order of the rows', () => {
    fc.assert(
      fc.property(story, (one) => {
        const { states, mine, after } = play(one, true);
        const raw = (file: CsvFile, id: string, column: string): string => {
          const record = file.records.find((each) => each.cells[0] === id);
          const span = record && spanOf(file, record, column);
          return span === undefined ? 'none' : file.bytes.toString('utf8', span.start, span.end);
        };
        const [before, now] = [rowsOf(mine), rowsOf(after)];
        for (const [id, row] of now) {
          COLUMNS.forEach((column, index) => {
            if (before.get(id)?.[index] === row[index])
              assert.equal(raw(after, id, column), raw(mine, id, column));
          });
        }
        assert.deepEqual(
          [...now.keys()].filter((id) => before.has(id)),
          [...before.keys()].filter((id) => now.has(id)),
        );
        if (one.mineMoves) return;
        const onDisk = states.theirs.map(({ id }) => id);
        assert.deepEqual(
          [...now.keys()].filter((id) => onDisk.includes(id)),
          onDisk.filter((id) => now.has(id)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('have the status of the disk unless another one was typed', () => {
    fc.assert(
      fc.property(story, (one) => {
        const { states, after } = play(one, false);
        const found = rowsOf(after);
        for (const { id, status } of states.theirs) {
          const row = found.get(id);
          if (row !== undefined) assert.equal(row[COLUMNS.indexOf('status')], plain(status));
        }
      }),
      { numRuns: 500 },
    );
  });
});
