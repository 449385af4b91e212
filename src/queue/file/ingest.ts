import type { TaskId } from '../../domain/task';
import type { SeenRow } from '../model/events';
import { taskKey } from '../model/state';
import type { Step } from '../model/steps';
import type { FileState, SharedTexts } from './fileState';
import { idsIn, type FileRow, type FileRows } from './queueRows';

/** What the shared cells of rows were found to hold. */
export type Found = readonly (readonly [TaskId, SharedTexts])[];

/**
 * Takes up what people did to the file: new and deleted rows, edited prompts, changed shared cells. A shared cell
 * that holds what the program itself wrote there was not touched, and the journal's value counts; another one was
 * changed by a person and counts itself. From a file that is not whole nothing is concluded.
 */
export function ingest(step: Step, state: FileState, rows: FileRows): Found {
  if (!rows.whole) return [];
  const found: [TaskId, SharedTexts][] = [];
  const seen: SeenRow[] = [];
  for (const row of rows.rows) {
    const { id } = row.definition;
    const change = seeRow(step, state, row);
    if (change !== null) seen.push(change);
    if (!isSame(state.projected.get(id), row.texts)) found.push([id, row.texts]);
  }
  if (seen.length > 0) step.record({ kind: 'seen', rows: seen });
  const gone = findGone(step, rows);
  if (gone.length > 0) step.record({ kind: 'gone', ids: gone });
  return found;
}

function seeRow({ state: queue }: Step, state: FileState, row: FileRow): SeenRow | null {
  const { id } = row.definition;
  const known = queue.powers.get(id);
  if (known === undefined && !queue.tasks.has(taskKey(id, row.power))) {
    return { id, power: row.power, ...row.shared };
  }
  const touched = touchedCells(row, state);
  if (known === row.power && Object.keys(touched).length === 0) return null;
  return { id, power: row.power, ...touched };
}

/** The meaning of those shared cells that a person changed. */
function touchedCells({ definition, shared, texts }: FileRow, state: FileState): Partial<SeenRow> {
  const projected = state.projected.get(definition.id);
  const before = state.unconfirmed.get(definition.id);
  const isTouched = (column: 0 | 1 | 2): boolean =>
    texts[column] !== null && texts[column] !== projected?.[column] && texts[column] !== before?.[column];
  return {
    ...(isTouched(0) ? { status: shared.status } : {}),
    ...(isTouched(1) ? { scheduledAt: shared.scheduledAt } : {}),
    ...(isTouched(2) ? { retryCount: shared.retryCount } : {}),
  };
}

function findGone({ state: queue }: Step, rows: FileRows): TaskId[] {
  if (!rows.complete) return [];
  const there = idsIn(rows);
  return [...queue.powers.keys()].filter((id) => !there.has(id));
}

function isSame(a: SharedTexts | undefined, b: SharedTexts): boolean {
  return a !== undefined && a.every((text, column) => text === b[column]);
}
