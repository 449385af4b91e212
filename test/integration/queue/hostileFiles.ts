import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const FOLDER = path.join(__dirname, '../../fixtures/csv');

/** Expected effect of a queue file. */
export interface Hostile {
  /** The tasks that run, by their ids. */
  readonly runs: readonly number[];
  /** Expected problems: places in the file, each with the start of its message. */
  readonly reported?: readonly string[];
}

const NOT_UTF8 = 'This cell contains bytes that are not UTF-8';
const NO_ID = 'The id is missing';
const NO_FOLDER = 'The working directory is missing';
const NO_PROMPT = 'The prompt is missing';
const STRAY = 'This quote is misplaced';
const NUL = 'There is a NUL character here';
const UTF16 = 'The file is written in UTF-16';
const LACKS = 'The header lacks id, working_dir, prompt';

/** Expected effects of the files in the corpus. A file that is missing here fails the test. */
export const CORPUS: Readonly<Record<string, Hostile>> = {
  blankLines: { runs: [], reported: ['1:1 The file is empty'] },
  blankTail: { runs: [1] },
  bomCrlf: { runs: [1, 2] },
  bomInside: { runs: [1, 2, 3] },
  bomQuotedHeader: { runs: [1, 2] },
  bomTwice: { runs: [1] },
  brokenUtf8: {
    runs: [5],
    reported: [`2:8 ${NOT_UTF8}`, `3:8 ${NOT_UTF8}`, `4:8 ${NOT_UTF8}`, `5:22 ${NOT_UTF8}`],
  },
  commasInQuotes: { runs: [1, 2] },
  commentLines: {
    runs: [],
    reported: [
      '1:13 The header has a misplaced quote',
      '2:1 This row has 5 cells',
      '3:1 This row has 5 cells',
    ],
  },
  commentedRows: {
    runs: [2],
    reported: ['2:1 This row has 4 cells', '4:1 The id "#" is not', `4:3 ${NO_FOLDER}`, `4:4 ${NO_PROMPT}`],
  },
  controlCharacters: { runs: [1, 2] },
  coordinates: { runs: [1, 2] },
  dosEndOfFile: { runs: [1], reported: ['3:1 This row has 1 cells'] },
  doubledQuotes: { runs: [1, 2] },
  duplicateColumn: { runs: [], reported: ['1:1 The header names the column status twice'] },
  duplicateIds: {
    runs: [2, 3],
    reported: ['2:1 Id 1 is on lines 2 and 4', '4:1 Id 1 is on lines 2 and 4'],
  },
  duplicateUnknownColumns: { runs: [1] },
  empty: { runs: [], reported: ['1:1 The file is empty'] },
  emptyCells: { runs: [1, 2] },
  emptyCellsCrlf: { runs: [1, 2] },
  formulaCells: { runs: [1, 2, 3, 4, 5] },
  formulas: { runs: [1, 2, 3] },
  headerOnly: { runs: [] },
  headerTwice: {
    runs: [1, 2],
    reported: ['3:1 The id "id" is not', '3:23 The status "status" is not known'],
  },
  hugeIds: {
    runs: [12],
    reported: [
      '2:1 The id "9007199254740991" is too large',
      '3:1 The id "9007199254740993" is too large',
      '4:1 The id "99999999999999999999999999" is too large',
      '5:1 The id "1e3" is not',
      '6:1 The id "-4" is not',
      '7:1 The id "007" is not',
      '8:1 The id "0x10" is not',
    ],
  },
  jsonCells: { runs: [1] },
  latin1: { runs: [2], reported: [`2:13 ${NOT_UTF8}`] },
  loneCarriageReturns: { runs: [1, 2, 3] },
  mixedLineEnds: { runs: [1, 2, 3, 4] },
  newlinesCrlf: { runs: [1, 2] },
  nineColumns: { runs: [1] },
  noHeader: { runs: [], reported: [`1:1 ${LACKS}`, `2:1 ${NO_ID}`, `2:1 ${NO_FOLDER}`, `2:1 ${NO_PROMPT}`] },
  nul: { runs: [2], reported: [`2:19 ${NUL}`] },
  onlyDelimiters: {
    runs: [1],
    reported: [2, 4].flatMap((line) => [
      `${line}:1 ${NO_ID}`,
      `${line}:2 ${NO_FOLDER}`,
      `${line}:3 ${NO_PROMPT}`,
    ]),
  },
  pipes: { runs: [], reported: [`1:1 ${LACKS}`, `2:1 ${NO_ID}`, `2:1 ${NO_FOLDER}`, `2:1 ${NO_PROMPT}`] },
  plain: { runs: [1, 10, 20] },
  quoteAtVeryEnd: { runs: [], reported: ['3:20 This quote is never closed'] },
  quotedEverywhere: { runs: [1, 2] },
  quotedNewlines: { runs: [1], reported: ['8:3 The priority "urgent" is not known'] },
  quotesAndNewlines: { runs: [1, 2] },
  quotesThatNobodyOpened: { runs: [3], reported: [`2:9 ${STRAY}`, `3:24 ${STRAY}`] },
  raggedRows: { runs: [3], reported: ['2:1 This row has 12 cells', '3:1 This row has 4 cells'] },
  scripts: { runs: [1, 2, 3, 4] },
  semicolon: { runs: [1] },
  separatorLine: {
    runs: [],
    reported: [
      '1:1 This line is for spreadsheets only',
      ...[2, 3, 4].map((line) => `${line}:1 This row has 5 cells`),
    ],
  },
  shiftJis: { runs: [2], reported: [`2:8 ${NOT_UTF8}`] },
  spacesAround: { runs: [1] },
  spreadsheetSemicolons: { runs: [1, 2] },
  spreadsheetTabs: { runs: [1, 2] },
  strayQuotes: { runs: [4], reported: [`2:17 ${STRAY}`, `3:14 ${STRAY}`, `4:20 ${STRAY}`] },
  tab: { runs: [1] },
  trailingNuls: { runs: [1], reported: [`3:1 ${NUL}`] },
  twoLineEndsMixedUp: { runs: [1, 2] },
  unclosedQuote: { runs: [], reported: ['3:13 This quote is never closed'] },
  utf16: { runs: [], reported: [`1:1 ${UTF16}`, `2:1 ${NUL}`] },
  utf16BigEndian: { runs: [], reported: [`1:1 ${UTF16}`, `2:1 ${NUL}`] },
  utf16Unmarked: { runs: [], reported: [`1:1 ${LACKS}`, `2:1 ${NUL}`, `3:1 ${NUL}`] },
  widerRows: { runs: [2], reported: ['2:1 This row has 6 cells', '4:1 This row has 2 cells'] },
  windows1252: { runs: [3], reported: [`2:8 ${NOT_UTF8}`, `3:22 ${NOT_UTF8}`] },
};

/** The files of the corpus as they lie in test/fixtures/csv, by their names without `.csv`. */
export function corpusFiles(): ReadonlyMap<string, Buffer> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.csv'));
  return new Map(names.map((name) => [name.slice(0, -4), readFileSync(path.join(FOLDER, name))]));
}

const HEADER = 'id,working_dir,prompt,status,note';

const lines = (...rows: readonly string[]): Buffer => Buffer.from(rows.map((row) => `${row}\n`).join(''));

/** Files that are too large to be kept, or that no repository may hold, made when they are asked for. */
export const MADE: Readonly<Record<string, Hostile & { readonly make: () => Buffer }>> = {
  'with the marks of a merge that was not finished': {
    runs: [1, 3],
    reported: [
      '3:1 This row has 1 cells',
      '4:1 Id 2 is on lines 4 and 6',
      '5:1 This row has 1 cells',
      '6:1 Id 2 is on lines 4 and 6',
      '7:1 This row has 1 cells',
    ],
    make: () =>
      lines(
        HEADER,
        '1,/srv,one,pending,',
        `${'<'.repeat(7)} HEAD`,
        '2,/srv,ours,pending,',
        '='.repeat(7),
        '2,/srv,theirs,pending,',
        `${'>'.repeat(7)} theirs`,
        '3,/srv,three,pending,',
      ),
  },
  'with a cell of a megabyte': {
    runs: [1, 2, 3],
    make: () =>
      lines(
        HEADER,
        `1,/srv,${'x'.repeat(1_000_000)},pending,`,
        `2,/srv,two,pending,"${'""'.repeat(500_000)}"`,
        '3,/srv,three,pending,',
      ),
  },
  'with a prompt of 100,000 lines': {
    runs: [1, 2],
    make: () =>
      lines(
        HEADER,
        `1,/srv,"${'a "line", and\r\n'.replaceAll('"', '""').repeat(100_000)}",pending,`,
        '2,/srv,two,pending,',
      ),
  },
  'with 10,000 columns': {
    runs: [1, 2],
    make: () => {
      const names = Array.from({ length: 10_000 }, (_, index) => `c${index}`);
      const cells = names.map((name, index) => (index % 100 === 0 ? `"${name}, ""x"""` : name));
      return lines(
        `${names.slice(0, 5_000).join(',')},${HEADER},${names.slice(5_000).join(',')}`,
        ...[1, 2].map(
          (id) => `${cells.slice(0, 5_000).join(',')},${id},/srv,do,pending,,${cells.slice(5_000).join(',')}`,
        ),
      );
    },
  },
  'with 20,000 lines that are no rows': {
    runs: [1],
    reported: [],
    make: () => lines(HEADER, '1,/srv,one,pending,', ...Array.from({ length: 20_000 }, () => ' \t')),
  },
  'with a million commas in one row': {
    runs: [2],
    reported: ['2:1 This row has 1000004 cells'],
    make: () => lines(HEADER, `1,/srv,one,pending${','.repeat(1_000_000)}`, '2,/srv,two,pending,'),
  },
  'that opens a quote in its first row and never closes it': {
    runs: [],
    reported: ['2:8 This quote is never closed'],
    make: () =>
      lines(
        HEADER,
        '1,/srv,"one,pending,',
        ...Array.from({ length: 20_000 }, (_, index) => `${index + 2},/srv,x,pending,`),
      ),
  },
};
