import { encodeCell } from '../../../queue/csv/csvFile';
import { findDamage } from '../../../queue/csv/damagedRow';
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
  if (record.strayQuoteAt >= 0) return [quoteCells(document, row, textIn)];
  const { delimiter } = document.file.dialect;
  const wanted = document.columns.length;
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

/** Returns a fix that makes one quoted cell of the prompt and the cells after it, which were its text. */
function joinCells(document: QueueDocument, row: DocumentRow, extra: number, textIn: TextIn): readonly Fix[] {
  const prompt = row.cell('prompt');
  const last = prompt === undefined ? undefined : row.cells[prompt.index + extra];
  if (prompt === undefined || last === undefined) return [];
  const { delimiter } = document.file.dialect;
  const range = { start: prompt.range.start, end: last.range.end };
  const parts = row.cells.slice(prompt.index, last.index + 1);
  const text = parts.some(({ isQuoted }) => isQuoted)
    ? parts.map((cell) => cell.text).join(delimiter)
    : textIn(range);
  const quoted = encodeCell(text, document.file.dialect, true);
  // A row with one cell too many has two to join.
  return [{ title: t('Quote the Prompt (Joins {0} Cells)', extra + 1), edits: [{ range, text: quoted }] }];
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
  const isOpen = trimmed.startsWith('"');
  const inner = isOpen ? trimmed.slice(1).replace(/"$/, '') : written;
  return isOpen ? inner.replaceAll('""', '"') : inner;
}
