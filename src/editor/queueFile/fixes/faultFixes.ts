import { encodeCell } from '../../../queue/csv/csvFile';
import type { TaskId } from '../../../domain/task/task';
import { readIds } from '../../../queue/row/meaning';
import { dependentsOf } from '../completion/taskCandidates';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { FixContext } from './columnFixes';
import type { Fix, FixableProblem } from './fix';
import { t } from '../../../platform/text/translate';

/** Returns the problems of a row that only all rows together show, with their fixes. */
export function faultProblems(
  document: QueueDocument,
  row: DocumentRow,
  context: FixContext,
): FixableProblem[] {
  return [...duplicateId(document, row, context), ...wrongDependencies(document, row)];
}

function duplicateId(document: QueueDocument, row: DocumentRow, { freeId }: FixContext): FixableProblem[] {
  const cell = row.cell('id');
  if (row.id === null || cell === undefined || !document.isDouble(row.id)) return [];
  const text = encodeCell(String(freeId), document.file.dialect, cell.isQuoted);
  const fix = { title: t('Change {0} to "{1}"', 'id', freeId), edits: [{ range: cell.range, text }] };
  // The first row with an id is usually the one that others refer to.
  return [{ range: cell.range, fixes: [fix], isSure: document.rowsOf(row.id)[0] !== row }];
}

function wrongDependencies(document: QueueDocument, row: DocumentRow): FixableProblem[] {
  const cell = row.cell('dependencies');
  const ids = cell === undefined || cell.text.trim() === '' ? null : readIds(cell.text.trim());
  if (cell === undefined || ids === null || 'wrong' in ids) return [];
  const missing = ids.value.filter((id) => document.rowsOf(id).length === 0);
  const dependents = dependentsOf(document, row.id);
  const circular = ids.value.filter((id) => dependents.has(id));
  return [missing, circular].flatMap((wrong) => {
    if (wrong.length === 0) return [];
    return [
      { range: cell.range, fixes: [removeIds(document, row, ids.value, wrong)], isSure: wrong === missing },
    ];
  });
}

function removeIds(
  document: QueueDocument,
  row: DocumentRow,
  ids: readonly TaskId[],
  wrong: readonly TaskId[],
): Fix {
  const cell = row.cell('dependencies');
  const kept = ids.filter((id) => !wrong.includes(id)).join('|');
  const title = t('Remove {0} from dependencies', wrong.join(', '));
  if (cell === undefined) return { title, edits: [] };
  return {
    title,
    edits: [{ range: cell.range, text: encodeCell(kept, document.file.dialect, cell.isQuoted) }],
  };
}
