import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskId } from '../../../domain/task/task';
import type { SeenRow } from '../../model/events';
import { taskKey } from '../../model/state/queueState';
import type { Step } from '../../model/step';
import { UNSEEN_MS, type FileState, type RowTexts } from '../fileState';
import { SHARED_COLUMNS } from '../../row/columns';
import type { SharedTexts } from '../../row/sharedCells';
import { isInFile, type FileRow, type FileRows, type InvalidRow } from './rowReader';

/** Circumstances of the last save. */
export interface Save {
  /** By the machine's clock. */
  readonly savedAt: EpochMs;
  /** Shared cells of the rows when editors started to change them. A save that holds these did not change them. */
  readonly bases: ReadonlyMap<TaskId, readonly SharedTexts[]>;
}

/** Cells that the user has just changed by a command: whatever an editor started from, they are meant. */
export interface MeantCells {
  readonly id: TaskId;
  /** Names of the columns. */
  readonly columns: readonly string[];
}

/** External edits of the file. */
export interface Edits {
  /** Rows whose shared cells changed, with their texts. */
  readonly found: RowTexts;
  readonly seen: readonly SeenRow[];
  readonly gone: readonly TaskId[];
}

/**
 * Finds external edits: new and deleted rows, edited prompts, changed shared cells.
 * A shared cell that holds a text that the program wrote was not changed, and the journal's value counts. Any other
 * text is the user's and counts. Returns null if the file is not whole: nothing can be concluded from it.
 */
export function findEdits(state: FileState, rows: FileRows, save: Save, meant?: MeantCells): Edits | null {
  if (!rows.set.whole) return null;
  const found: [TaskId, SharedTexts][] = [];
  const seen: SeenRow[] = [];
  const { powers } = state.queue;
  let stillThere = 0;
  for (const row of rows.rows) {
    const { id } = row.definition;
    const isKnown = isSame(state.projected.get(id), row.texts);
    if (!isKnown) found.push([id, row.texts]);
    const power = powers.get(id);
    if (power !== undefined) stillThere += 1;
    if (isKnown && power === row.power) continue;
    const change = seeRow(state, row, save, meant);
    if (change !== null) seen.push(change);
  }
  for (const row of rows.invalid) {
    const texts = knownTexts(state, row, save);
    if (texts !== null) found.push([row.id, texts]);
  }
  return { found, seen, gone: stillThere === powers.size ? [] : findGone(state, rows) };
}

/** Returns whether the edits affect tasks: rows came, went or changed. */
export function isNews({ seen, gone }: Edits): boolean {
  return seen.length + gone.length > 0;
}

/** Records the edits in a step. */
export function recordEdits(step: Step, { seen, gone }: Edits): void {
  if (seen.length > 0) step.record({ kind: 'seen', rows: seen });
  if (gone.length > 0) step.record({ kind: 'gone', ids: gone });
}

function seeRow(state: FileState, row: FileRow, save: Save, meant: MeantCells | undefined): SeenRow | null {
  const { id } = row.definition;
  const known = state.queue.powers.get(id);
  if (known === undefined && !state.queue.tasks.has(taskKey(id, row.power))) {
    return { id, power: row.power, ...row.shared };
  }
  const touched = touchedCells(
    row,
    state,
    known === row.power ? save : null,
    meant?.id === id ? meant.columns : [],
  );
  if (known === row.power && Object.keys(touched).length === 0) return null;
  return { id, power: row.power, ...touched };
}

/**
 * Returns the meaning of the shared cells that the user changed. `save` has the texts that a user may not have seen
 * yet. Null: the row is another task now, and its cells mean what they say.
 */
function touchedCells(
  { definition, shared, texts }: FileRow,
  state: FileState,
  save: Save | null,
  meant: MeantCells['columns'],
): Partial<SeenRow> {
  const programs = textsOfProgram(state, definition.id, save);
  const current = textsOfProgram(state, definition.id, null);
  const isTouched = (column: 0 | 1 | 2): boolean =>
    texts[column] !== null &&
    (meant.includes(SHARED_COLUMNS[column]) ? current : programs).every(
      (known) => known[column] !== texts[column],
    );
  return {
    ...(isTouched(0) ? { status: shared.status } : {}),
    ...(isTouched(1) ? { scheduledAt: shared.scheduledAt } : {}),
    ...(isTouched(2) ? { retryCount: shared.retryCount } : {}),
  };
}

/**
 * Returns what is known now of the shared cells of a row that is not valid: texts that the program wrote are not edits
 * either when the row is valid again, and the user's still are. Null: nothing is new.
 */
function knownTexts(state: FileState, { id, texts }: InvalidRow, save: Save): SharedTexts | null {
  const projected = state.projected.get(id);
  if (projected === undefined) return null;
  const programs = textsOfProgram(state, id, save);
  const known = ([0, 1, 2] as const).map((column) =>
    programs.some((one) => one[column] === texts[column]) ? texts[column] : projected[column],
  );
  const [status = null, scheduledTime = null, retryCount = null] = known;
  const now: SharedTexts = [status, scheduledTime, retryCount];
  return isSame(projected, now) ? null : now;
}

/** Returns the texts that the shared cells may hold without an edit by the user. */
function textsOfProgram(state: FileState, id: TaskId, save: Save | null): readonly SharedTexts[] {
  const current = [state.projected.get(id), state.unconfirmed.get(id)].filter((texts) => texts !== undefined);
  if (save === null) return current;
  const { savedAt, bases } = save;
  const unseen = (state.replaced.get(id) ?? []).filter(({ at }) => savedAt >= at && savedAt - at < UNSEEN_MS);
  return [...current, ...unseen.map(({ texts }) => texts), ...(bases.get(id) ?? [])];
}

function findGone({ queue }: FileState, rows: FileRows): TaskId[] {
  return rows.complete ? [...queue.powers.keys()].filter((id) => !isInFile(rows, id)) : [];
}

function isSame(a: SharedTexts | undefined, b: SharedTexts): boolean {
  return a?.[0] === b[0] && a[1] === b[1] && a[2] === b[2];
}
