import { rowNumberOf, type FileWhere, type RowFault, type RowProblem } from '../../../domain/problem';
import { describeRowProblem } from '../../../app/present/problems/rowProblem';
import type { TaskId } from '../../../domain/task/task';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import { comparePositions, type TextPosition, type TextRange } from '../document/textRange';
import { listDependencies } from '../navigation/ids';
import { t } from '../../../platform/text/translate';

/** Problem of a row, or of the whole document, at the cell that has it. */
export interface PlacedProblem {
  readonly range: TextRange;
  /** A warning may be meant as it is. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Other places that belong to it. */
  readonly related: readonly RelatedPlace[];
}

/** Place that belongs to a problem elsewhere. */
export interface RelatedPlace {
  readonly range: TextRange;
  readonly message: string;
}

/** Returns the problems of a document's rows at their cells. Problems of a queue without a file have no place. */
export function placeProblems(
  document: QueueDocument,
  problems: readonly RowProblem[],
): readonly PlacedProblem[] {
  return problems.flatMap((problem) => {
    const { where } = problem;
    if (where.kind !== 'file') return [];
    const message = describeRowProblem(problem);
    const severity = 'error';
    const row = document.rowAt(where.line - 1);
    if ('fault' in problem && row !== undefined) {
      const range = rangeOfFault(row, problem.fault, problem.id ?? null);
      return [{ ...{ range, message, severity }, related: relatedTo(document, row, problem.fault) }];
    }
    return [{ range: rangeAt(document, where), message, severity, related: [] }];
  });
}

/** Returns the cell at a place; the whole record where its cells cannot be told apart. */
function rangeAt(document: QueueDocument, { line, column }: FileWhere): TextRange {
  const position = { line: line - 1, character: column - 1 };
  const row = document.rowAt(position.line);
  const record = row ?? document.header;
  if (record === null) return { start: position, end: position };
  const isStart = comparePositions(record.range.start, position) === 0;
  const isWhole = row?.cells.length !== document.columns.length;
  if (isStart && isWhole) return record.range;
  return record.cellAt(position)?.range ?? firstCharacter(position);
}

/** A quote that is not closed is in no record. */
function firstCharacter(start: TextPosition): TextRange {
  return { start, end: { ...start, character: start.character + 1 } };
}

/** Returns the cell of a row that has a fault; the whole row if it has no such cell. */
export function rangeOfFault(row: DocumentRow, fault: RowFault, id: TaskId | null): TextRange {
  if (fault.kind === 'duplicate-id') return row.cell('id')?.range ?? row.range;
  const wrong = wrongDependency(fault, id);
  const place = listDependencies(row).find((one) => one.id === wrong)?.range;
  return place ?? row.cell('dependencies')?.range ?? row.range;
}

/** Returns the dependency that a fault is about; undefined if it is not known which. */
function wrongDependency(fault: RowFault, id: TaskId | null): TaskId | undefined {
  if (fault.kind === 'missing-dependency') return fault.missing;
  if (fault.kind !== 'on-cycle' || id === null) return undefined;
  return fault.path[fault.path.indexOf(id) + 1] ?? fault.path[0];
}

/** Most places named beside one problem. */
const MOST_RELATED = 10;

function relatedTo(document: QueueDocument, row: DocumentRow, fault: RowFault): RelatedPlace[] {
  if (fault.kind !== 'duplicate-id') return [];
  return fault.places
    .map((where) => document.rowAt(rowNumberOf(where) - 1))
    .filter((other) => other !== undefined && other !== row)
    .slice(0, MOST_RELATED)
    .flatMap((other) => {
      const range = other?.cell('id')?.range;
      return range === undefined ? [] : [{ range, message: t('Id {0} is here too.', fault.id) }];
    });
}
