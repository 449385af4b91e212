import { BASIC_COLUMNS, COLUMNS, REQUIRED_COLUMNS } from '../../../queue/row/columns';
import type { DocumentCell } from '../document/documentCell';
import type { QueueDocument } from '../document/queueDocument';
import { advance } from '../document/textRange';
import { findMisspelledCells } from '../problems/misspelledColumns';
import type { TextIn } from './damageFixes';
import type { Fix, FixableProblem } from './fix';
import { t } from '../../../platform/text/translate';

/** Returns the problem of the file as a whole, with its fixes; null if it is whole. */
export function headerProblem(document: QueueDocument, text: string, textIn: TextIn): FixableProblem | null {
  const { file, header } = document;
  if (file.whole) return null;
  const start = { line: 0, character: 0 };
  if (header === null) {
    const edits = [{ range: { start, end: start }, text: `${BASIC_COLUMNS.join(',')}\n` }];
    return { range: { start, end: start }, fixes: [{ title: t('Write the Header'), edits }], isSure: true };
  }
  const { range } = header;
  const fixes =
    (file.endsInQuote ? openQuote(text) : null) ??
    misplacedQuotes(document, textIn) ??
    separatorLine(document, text) ??
    missingColumns(document) ??
    doubledColumn(document);
  // Where the quote belongs is not known: the rest of its line may be other cells.
  return { range, fixes, isSure: !file.endsInQuote };
}

/** Returns the columns of a whole file that may be misspelled, with a fix that renames each. */
export function columnProblems(document: QueueDocument): readonly FixableProblem[] {
  return findMisspelledCells(document).map(({ range, meant }) => ({
    range,
    fixes: [{ title: t('Rename to {0}', meant), edits: [{ range, text: meant }] }],
    isSure: false,
  }));
}

/** Returns a fix that ends the last cell, whose quote is not closed, where its line ends. */
function openQuote(text: string): readonly Fix[] | null {
  const quotes = [...text.matchAll(/"/g)];
  const last = quotes.at(-1);
  if (last === undefined) return null;
  const lineEnd = /\r|\n|$/.exec(text.slice(last.index))?.index ?? 0;
  const at = advance({ line: 0, character: 0 }, text.slice(0, last.index + lineEnd));
  return [{ title: t('Close the Quote'), edits: [{ range: { start: at, end: at }, text: '"' }] }];
}

function misplacedQuotes({ file, header }: QueueDocument, textIn: TextIn): readonly Fix[] | null {
  if (header === null || (file.header?.strayQuoteAt ?? -1) < 0) return null;
  const edits = header.cells.map(({ range }) => ({ range, text: textIn(range).replaceAll('"', '').trim() }));
  return [{ title: t('Write the Names without Quotes'), edits }];
}

/** Returns a fix that removes a line which is for spreadsheets only. */
function separatorLine({ columns, header }: QueueDocument, text: string): readonly Fix[] | null {
  if (header === null || columns[0]?.startsWith('sep=') !== true) return null;
  const { start } = header.range;
  const [whole = ''] = /^[^\r\n]*(?:\r\n|\r|\n)?/.exec(text.split(/^/m)[start.line] ?? '') ?? [];
  const end = advance(start, whole);
  return [{ title: t('Remove This Line'), edits: [{ range: { start, end }, text: '' }] }];
}

/** Returns a fix that adds the required columns which the header lacks, empty in every row. */
function missingColumns({ columns, header, rows, file }: QueueDocument): readonly Fix[] | null {
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length === 0 || header === null) return null;
  const { delimiter } = file.dialect;
  const insertAt = (at: DocumentCell['range']['end'], text: string) => ({
    range: { start: at, end: at },
    text,
  });
  const names = missing.join(', ');
  return [
    {
      title: missing.length === 1 ? t('Add Column {0}', names) : t('Add Columns {0}', names),
      edits: [
        insertAt(header.range.end, missing.map((name) => delimiter + name).join('')),
        ...rows.map((row) => insertAt(row.range.end, delimiter.repeat(missing.length))),
      ],
    },
  ];
}

/** Returns a fix that renames the second of two columns with one name. */
function doubledColumn({ columns, header }: QueueDocument): readonly Fix[] {
  const twice = COLUMNS.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  const cell = header?.cells.findLast(({ column }) => column === twice);
  if (twice === undefined || cell === undefined) return [];
  return [{ title: t('Rename to {0}', `${twice}_2`), edits: [{ range: cell.range, text: `${twice}_2` }] }];
}
