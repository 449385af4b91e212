import { encodeCell, type CsvFile } from '../../../queue/csv/csvFile';
import { findDamage } from '../../../queue/csv/damagedRow';
import type { Column } from '../../../queue/row/columns';
import { readVerify } from '../../../queue/row/meaning';
import type { DocumentCell } from '../document/documentCell';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { TextRange } from '../document/textRange';
import type { Fix, FixableProblem } from './fix';
import { t } from '../../../platform/text/translate';

/** Returns the text in a range of the document. */
export type TextIn = (range: TextRange) => string;

/** Returns why the cells of a row cannot be separated, with its fixes; null if they can. */
export function damageProblem(
  document: QueueDocument,
  row: DocumentRow,
  textIn: TextIn,
): FixableProblem | null {
  if (findDamage(document.file, row.record) === null) return null;
  const fixes = fixesOf(document, row, textIn);
  return { range: row.range, fixes, isSure: fixes.length > 0 };
}

function fixesOf(document: QueueDocument, row: DocumentRow, textIn: TextIn): readonly Fix[] {
  const { cells, range, record } = row;
  const text = textIn(range);
  if (text.includes('\0'))
    return [{ title: t('Remove NUL Characters'), edits: [{ range, text: text.replaceAll('\0', '') }] }];
  const { delimiter } = document.file.dialect;
  const wanted = document.columns.length;
  if (record.strayQuoteAt >= 0) {
    const fix =
      cells.length <= wanted
        ? quoteCells(document, row, textIn)
        : joinQuoted(document, row, cells.length - wanted, textIn);
    return fix === null ? [] : [fix];
  }
  if (cells.length < wanted) {
    const missing = wanted - cells.length;
    const end = { start: range.end, end: range.end };
    return [
      {
        title: missing === 1 ? t('Add 1 Empty Cell') : t('Add {0} Empty Cells', missing),
        edits: [{ range: end, text: delimiter.repeat(missing) }],
      },
    ];
  }
  const extra = cells.length - wanted;
  const isRestEmpty = cells.slice(wanted).every((cell) => cell.text.trim() === '');
  const removal = removeLast(cells, extra);
  const joined = joinCells(document, row, extra, textIn);
  return isRestEmpty ? [removal] : [...joined, removal];
}

/** Returns a fix that removes the last cells of a row. */
function removeLast(cells: readonly DocumentCell[], extra: number): Fix {
  const [last, kept] = [cells.at(-1), cells.at(-1 - extra)];
  const title = extra === 1 ? t('Remove the Last 1 Cell') : t('Remove the Last {0} Cells', extra);
  if (last === undefined || kept === undefined) return { title, edits: [] };
  return { title, edits: [{ range: { start: kept.range.end, end: last.range.end }, text: '' }] };
}

/** Cells that were one text, before somebody left out the quotes around it. */
interface Torn {
  readonly range: TextRange;
  readonly text: string;
  readonly others: readonly DocumentCell[];
}

/** Returns the cell of a column with as many cells after it as a row has too many. */
function findTorn(
  { dialect }: CsvFile,
  row: DocumentRow,
  { column, extra }: { readonly column: Column; readonly extra: number },
  textIn: TextIn,
): Torn | null {
  const first = row.cell(column);
  const last = first === undefined ? undefined : row.cells[first.index + extra];
  if (first === undefined || last === undefined) return null;
  const range = { start: first.range.start, end: last.range.end };
  const parts = row.cells.slice(first.index, last.index + 1);
  const isWellQuoted = row.record.strayQuoteAt < 0 && parts.some(({ isQuoted }) => isQuoted);
  const written = textIn(range);
  const text = isWellQuoted
    ? parts.map((cell) => cell.text).join(dialect.delimiter)
    : (readLoosely(written) ?? written);
  return { range, text, others: row.cells.filter((cell) => !parts.includes(cell)) };
}

/** Returns a fix that makes one quoted cell of the prompt and the cells after it, which were its text. */
function joinCells({ file }: QueueDocument, row: DocumentRow, extra: number, textIn: TextIn): readonly Fix[] {
  const torn = findTorn(file, row, { column: 'prompt', extra }, textIn);
  if (torn === null) return [];
  // A row with one cell too many has two to join.
  return [quoteTorn(file, torn, t('Quote the Prompt (Joins {0} Cells)', extra + 1))];
}

function quoteTorn({ dialect }: CsvFile, { range, text }: Torn, title: string): Fix {
  return { title, edits: [{ range, text: encodeCell(text, dialect, true) }] };
}

/** Returns such a fix for a row with misplaced quotes: of its check, or of its prompt. Null: it has others too. */
function joinQuoted({ file }: QueueDocument, row: DocumentRow, extra: number, textIn: TextIn): Fix | null {
  const check = findTorn(file, row, { column: 'verify', extra }, textIn);
  const isCheck = check !== null && 'value' in readVerify(check.text);
  const torn = isCheck ? check : findTorn(file, row, { column: 'prompt', extra }, textIn);
  if (torn === null || torn.others.some(({ range }) => readLoosely(textIn(range)) !== null)) return null;
  const cells = extra + 1;
  const title = isCheck
    ? t('Quote the Check (Joins {0} Cells)', cells)
    : t('Quote the Prompt (Joins {0} Cells)', cells);
  return quoteTorn(file, torn, title);
}

/** Returns a fix that puts quotes around each cell with a misplaced quote. */
function quoteCells(document: QueueDocument, row: DocumentRow, textIn: TextIn): Fix {
  const edits = row.cells.flatMap(({ range }) => {
    const written = textIn(range);
    const content = readLoosely(written);
    return content === null ? [] : [{ range, text: encodeCell(content, document.file.dialect, true) }];
  });
  return { title: edits.length === 1 ? t('Quote 1 Cell') : t('Quote {0} Cells', edits.length), edits };
}

const WELL_QUOTED = /^"(?:[^"]|"")*"$/;

/** Returns the text that a cell with a misplaced quote is meant to have; null if its quotes are right. */
function readLoosely(written: string): string | null {
  if (!written.includes('"') || WELL_QUOTED.test(written)) return null;
  const trimmed = written.trim();
  if (WELL_QUOTED.test(trimmed)) return trimmed.slice(1, -1).replaceAll('""', '"');
  const isAround = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  return isAround ? trimmed.slice(1, -1).replaceAll('""', '"') : written;
}
