import { COLUMN_TEXTS } from '../columnTexts';
import { shorten } from '../../../app/present/text';
import type { Moment } from '../../../domain/time/moment';
import { encodeCell } from '../../../queue/csv/csvFile';
import type { Column } from '../../../queue/row/columns';
import { readTexts, type ColumnProblem } from '../../../queue/row/readTexts';
import type { RowContext } from '../../../queue/row/rowContext';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import { meantTexts } from './cellTexts';
import type { Fix, FixableProblem } from './fix';
import { t } from '../../../platform/text/translate';

/** Everything besides the text that decides about fixes. */
export interface FixContext {
  readonly rows: RowContext;
  readonly moment: Moment;
  /** Id that no row and no task has or had. */
  readonly freeId: number;
}

/** Characters of a text in a title. */
const WIDTH = 40;

/** Returns the problems of a row's cells with their fixes. A fix leaves a cell without a problem of its own. */
export function columnProblems(
  document: QueueDocument,
  row: DocumentRow,
  context: FixContext,
): FixableProblem[] {
  return problemsOf(row, {}, context).map(({ column }) => {
    const texts = newTexts(row, column, context);
    const valid = texts.filter(({ changes }) => isSolved(row, column, changes, context));
    const fixes = valid.map(({ title, changes }) => toFix(document, row, title, changes));
    const isSure = valid[0]?.isSure === true;
    return { range: row.cell(column)?.range ?? row.range, fixes, isSure };
  });
}

type Changes = Partial<Record<Column, string>>;

interface NewText {
  readonly title: string;
  readonly changes: Changes;
  readonly isSure: boolean;
}

/** Returns the texts that may solve a problem, the likeliest first. */
function newTexts(row: DocumentRow, column: Column, context: FixContext): NewText[] {
  const text = row.cell(column)?.text ?? '';
  const meant = text.trim() === '' ? [] : meantTexts(column, text, context.moment);
  // Any free id will do; every other text that is not written in the cell is a guess.
  const isMeant = (other: string): boolean => column === 'id' || meant.includes(other);
  const changed = [...new Set([...meant, ...usualTexts(column, context)])]
    .filter((other) => other !== '' && other !== text)
    .map((other, index) => toNewText(column, other, index === 0 && isMeant(other)));
  return [...changed, ...withoutRepeat(column), ...cleared(column, text)];
}

function toNewText(column: Column, text: string, isSure: boolean): NewText {
  return {
    title: t('Change {0} to "{1}"', column, shorten(text, WIDTH)),
    changes: { [column]: text },
    isSure,
  };
}

/** Returns texts for a cell that says nothing of what is meant. */
function usualTexts(column: Column, { freeId }: FixContext): readonly string[] {
  switch (column) {
    case 'id':
      return [String(freeId)];
    case 'working_dir':
      return ['.'];
    case 'repeat_interval':
      return ['daily'];
    default:
      return [];
  }
}

function withoutRepeat(column: Column): NewText[] {
  if (column !== 'repeat_interval') return [];
  return [{ title: t('Change {0} to "{1}"', 'repeat', 'no'), changes: { repeat: 'no' }, isSure: false }];
}

function cleared(column: Column, text: string): NewText[] {
  const { empty } = COLUMN_TEXTS[column];
  if (empty === null || text === '') return [];
  return [{ title: t('Clear {0} ({1})', column, empty), changes: { [column]: '' }, isSure: false }];
}

function isSolved(row: DocumentRow, column: Column, changes: Changes, context: FixContext): boolean {
  const has = Object.keys(changes).every((name) => row.cell(name) !== undefined);
  return has && !problemsOf(row, changes, context).some((problem) => problem.column === column);
}

function problemsOf(row: DocumentRow, changes: Changes, { rows }: FixContext): readonly ColumnProblem[] {
  const reading = readTexts((column) => changes[column] ?? row.cell(column)?.text ?? '', rows);
  return 'row' in reading ? [] : reading.problems;
}

function toFix(document: QueueDocument, row: DocumentRow, title: string, changes: Changes): Fix {
  const edits = Object.entries(changes).flatMap(([column, text]) => {
    const cell = row.cell(column);
    if (cell === undefined) return [];
    return [{ range: cell.range, text: encodeCell(text, document.file.dialect, cell.isQuoted) }];
  });
  return { title, edits };
}
