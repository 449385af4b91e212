import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import { columnProblems, type FixContext } from './columnFixes';
import { damageProblem, type TextIn } from './damageFixes';
import { faultProblems } from './faultFixes';
import type { Fix, FixableProblem } from './fix';
import { t } from '../../../platform/text/translate';

/**
 * Returns the problems of a row with their fixes. Cells are looked at only if they can be separated. Where no text can be
 * meant, as for a missing prompt, the fix is to remove the row.
 */
export function findFixes(
  document: QueueDocument,
  row: DocumentRow,
  textIn: TextIn,
  context: FixContext,
): readonly FixableProblem[] {
  const damage = damageProblem(document, row, textIn);
  const problems =
    damage === null
      ? [...columnProblems(document, row, context), ...faultProblems(document, row, context)]
      : [damage];
  return problems.map((problem) =>
    problem.fixes.length > 0 ? problem : { ...problem, fixes: [removeRow(row)], isSure: false },
  );
}

function removeRow({ range: { start, end } }: DocumentRow): Fix {
  const nextLine = { line: end.line + 1, character: 0 };
  return { title: t('Remove Row'), edits: [{ range: { start, end: nextLine }, text: '' }] };
}

/** Returns an id that no row and no task has. */
export function findFreeId(document: QueueDocument, taken: Iterable<number>): number {
  let highest = 0;
  for (const id of taken) highest = Math.max(highest, id);
  for (const { id } of document.rows) highest = Math.max(highest, id ?? 0);
  return highest + 1;
}
