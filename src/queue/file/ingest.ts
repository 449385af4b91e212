import type { EpochMs } from '../../domain/epoch';
import type { TaskId } from '../../domain/task';
import type { SeenRow } from '../model/events';
import { taskKey } from '../model/state';
import type { Step } from '../model/steps';
import { UNSEEN_MS, type FileState, type RowTexts, type SharedTexts } from './fileState';
import type { FileRow, FileRows } from './queueRows';

/**
 * Takes up what people did to the file: new and deleted rows, edited prompts, changed shared cells. A shared cell
 * that holds what the program itself wrote there was not touched, and the journal's value counts; another one was
 * changed by a person and counts itself. From a file that is not whole nothing is concluded.
 * @param savedAt when the file was saved, by the machine's clock
 * @returns the shared cells that hold something new; null where the file says nothing
 */
export function ingest(step: Step, state: FileState, rows: FileRows, savedAt: EpochMs): RowTexts | null {
  if (!rows.whole) return null;
  const found: [TaskId, SharedTexts][] = [];
  const seen: SeenRow[] = [];
  for (const row of rows.rows) {
    const { id } = row.definition;
    const isKnown = isSame(state.projected.get(id), row.texts);
    if (!isKnown) found.push([id, row.texts]);
    if (isKnown && step.state.powers.get(id) === row.power) continue;
    const change = seeRow(step, state, row, savedAt);
    if (change !== null) seen.push(change);
  }
  if (seen.length > 0) step.record({ kind: 'seen', rows: seen });
  const gone = findGone(step, rows);
  if (gone.length > 0) step.record({ kind: 'gone', ids: gone });
  return found;
}

function seeRow({ state: queue }: Step, state: FileState, row: FileRow, savedAt: EpochMs): SeenRow | null {
  const { id } = row.definition;
  const known = queue.powers.get(id);
  if (known === undefined && !queue.tasks.has(taskKey(id, row.power))) {
    return { id, power: row.power, ...row.shared };
  }
  const touched = touchedCells(row, state, savedAt);
  if (known === row.power && Object.keys(touched).length === 0) return null;
  return { id, power: row.power, ...touched };
}

/** The meaning of those shared cells that a person changed. */
function touchedCells(
  { definition, shared, texts }: FileRow,
  state: FileState,
  savedAt: EpochMs,
): Partial<SeenRow> {
  const programs = textsOfProgram(state, definition.id, savedAt);
  const isTouched = (column: 0 | 1 | 2): boolean =>
    texts[column] !== null && programs.every((known) => known[column] !== texts[column]);
  return {
    ...(isTouched(0) ? { status: shared.status } : {}),
    ...(isTouched(1) ? { scheduledAt: shared.scheduledAt } : {}),
    ...(isTouched(2) ? { retryCount: shared.retryCount } : {}),
  };
}

/** What the row's shared cells may hold without anybody having changed them. */
function textsOfProgram(state: FileState, id: TaskId, savedAt: EpochMs): readonly SharedTexts[] {
  const unseen = (state.replaced.get(id) ?? []).filter(({ at }) => savedAt >= at && savedAt - at < UNSEEN_MS);
  const current = [state.projected.get(id), state.unconfirmed.get(id)].filter((texts) => texts !== undefined);
  return [...current, ...unseen.map(({ texts }) => texts)];
}

function findGone({ state: queue }: Step, rows: FileRows): TaskId[] {
  return rows.complete ? [...queue.powers.keys()].filter((id) => !rows.ids.has(id)) : [];
}

function isSame(a: SharedTexts | undefined, b: SharedTexts): boolean {
  return a?.every((text, column) => text === b[column]) === true;
}
