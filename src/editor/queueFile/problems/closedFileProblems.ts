import { readIfThere } from '../../../platform/files/files';
import { QueueDocument } from '../document/queueDocument';
import type { RowProblem } from '../../../domain/problem';
import { placeProblems, type PlacedProblem } from './placeProblems';

/** Returns what the queue found in a file that is not open, at the cells of its text. */
export async function placeClosedFileProblems(
  queueFile: string,
  problems: readonly RowProblem[],
): Promise<readonly PlacedProblem[]> {
  const text = await readIfThere(queueFile);
  return placeProblems(QueueDocument.parse(text?.toString() ?? ''), problems);
}
