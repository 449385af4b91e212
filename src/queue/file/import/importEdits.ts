import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskId } from '../../../domain/task/task';
import type { SeenRow } from '../../model/events';
import { taskKey } from '../../model/queueState';
import type { Step } from '../../model/step';
import { UNSEEN_MS, type FileState, type RowTexts, type SharedTexts } from '../fileState';
import { isInFile, type FileRow, type FileRows } from './queueRows';

/** How the file came to be what it is. */
export interface Save {
  /** By the machine's clock. */
  readonly savedAt: EpochMs;
  /** What the rows' shared cells held when editors began to change them: whoever saved that again did not touch it. */
  readonly bases: ReadonlyMap<TaskId, readonly SharedTexts[]>;
}

/** What may tell something new. */
export interface Changed {
  readonly rows: readonly FileRow[];
  /** Whether rows may have come or gone. */
  readonly isOtherSet: boolean;
}

/**
 * Takes up what people did to the file: new and deleted rows, edited prompts, changed shared cells. A shared cell
 * that holds what the program itself wrote there was not touched, and the journal's value counts; another one was
 * changed by a person and counts itself. From a file that is not whole nothing is concluded.
 * @returns the shared cells that hold something new; null where the file says nothing
 */
export function importEdits(
  step: Step,
  state: FileState,
  rows: FileRows,
  save: Save,
  changed: Changed,
): RowTexts | null {
  if (!rows.set.whole) return null;
  const found: [TaskId, SharedTexts][] = [];
  const seen: SeenRow[] = [];
  for (const row of changed.rows) {
    const { id } = row.definition;
    const isKnown = isSame(state.projected.get(id), row.texts);
    if (!isKnown) found.push([id, row.texts]);
    if (isKnown && step.state.powers.get(id) === row.power) continue;
    const change = seeRow(step, state, row, save);
    if (change !== null) seen.push(change);
  }
  if (seen.length > 0) step.record({ kind: 'seen', rows: seen });
  const gone = changed.isOtherSet ? findGone(step, rows) : [];
  if (gone.length > 0) step.record({ kind: 'gone', ids: gone });
  return found;
}

function seeRow({ state: queue }: Step, state: FileState, row: FileRow, save: Save): SeenRow | null {
  const { id } = row.definition;
  const known = queue.powers.get(id);
  if (known === undefined && !queue.tasks.has(taskKey(id, row.power))) {
    return { id, power: row.power, ...row.shared };
  }
  const touched = touchedCells(row, state, known === row.power ? save : null);
  if (known === row.power && Object.keys(touched).length === 0) return null;
  return { id, power: row.power, ...touched };
}

/**
 * The meaning of those shared cells that a person changed. What somebody may not have seen yet is told by `save`; null:
 * the row is another task now, whose cells mean what they say.
 */
function touchedCells(
  { definition, shared, texts }: FileRow,
  state: FileState,
  save: Save | null,
): Partial<SeenRow> {
  const programs = textsOfProgram(state, definition.id, save);
  const isTouched = (column: 0 | 1 | 2): boolean =>
    texts[column] !== null && programs.every((known) => known[column] !== texts[column]);
  return {
    ...(isTouched(0) ? { status: shared.status } : {}),
    ...(isTouched(1) ? { scheduledAt: shared.scheduledAt } : {}),
    ...(isTouched(2) ? { retryCount: shared.retryCount } : {}),
  };
}

/** What the row's shared cells may hold without anybody having changed them. */
function textsOfProgram(state: FileState, id: TaskId, save: Save | null): readonly SharedTexts[] {
  const current = [state.projected.get(id), state.unconfirmed.get(id)].filter((texts) => texts !== undefined);
  if (save === null) return current;
  const { savedAt, bases } = save;
  const unseen = (state.replaced.get(id) ?? []).filter(({ at }) => savedAt >= at && savedAt - at < UNSEEN_MS);
  return [...current, ...unseen.map(({ texts }) => texts), ...(bases.get(id) ?? [])];
}

function findGone({ state: queue }: Step, rows: FileRows): TaskId[] {
  return rows.complete ? [...queue.powers.keys()].filter((id) => !isInFile(rows, id)) : [];
}

function isSame(a: SharedTexts | undefined, b: SharedTexts): boolean {
  return a?.every((text, column) => text === b[column]) === true;
}
