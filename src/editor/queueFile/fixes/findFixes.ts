import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import { columnProblems, type FixContext } from './columnFixes';
import { damageProblem, type TextIn } from './damageFixes';
import { faultProblems } from './faultFixes';
import type { FixableProblem } from './fix';

/** Returns the problems of a row with their fixes. Cells are looked at only if they can be separated. */
export function findFixes(
  document: QueueDocument,
  row: DocumentRow,
  textIn: TextIn,
  context: FixContext,
): readonly FixableProblem[] {
  const damage = damageProblem(document, row, textIn);
  if (damage !== null) return [damage];
  return [...columnProblems(document, row, context), ...faultProblems(document, row, context)];
}

/** Returns an id that no row and no task has. */
export function findFreeId(document: QueueDocument, taken: Iterable<number>): number {
  let highest = 0;
  for (const id of taken) highest = Math.max(highest, id);
  for (const { id } of document.rows) highest = Math.max(highest, id ?? 0);
  return highest + 1;
}
