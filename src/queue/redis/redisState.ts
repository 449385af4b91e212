import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import {
  type Check,
  fields,
  isCount,
  isId,
  isNumber,
  isObject,
  isText,
  isTrue,
  listOf,
  orAbsent,
  orNull,
  pairsOf,
  parseJson,
} from '../../platform/text/shapes';
import type { QueueEvent } from '../model/events';
import { isEvent, isQueuePart } from '../model/eventShape';
import { forgetHistory, retireAttempts } from '../model/keptAttempts';
import { emptyState, type QueueState } from '../model/state/queueState';
import { composeParts, restoreField } from '../model/state/stateParts';
import { apply } from '../model/state/apply';
import { changeSheet, emptySheet, type Sheet, type SheetChange, type SheetLine } from './sheet';

/** Entry of the log: all of it happened, or nothing. */
export interface Entry {
  readonly events?: readonly QueueEvent[];
  readonly rows?: readonly SheetChange[];
  /** The queue's settings, as YAML. */
  readonly settings?: string;
  /** The ended attempts were archived. */
  readonly archived?: true;
  /** Attempts that ended before this were removed. */
  readonly retired?: EpochMs;
}

/** State that the log adds up to. */
export interface RedisState {
  queue: QueueState;
  sheet: Sheet;
  /** The queue's settings, as YAML; empty: the defaults. */
  settings: string;
  /** Highest number that a row of the sheet ever had. */
  lastKey: number;
}

/** Returns the state before the first entry. */
export function emptyRedisState(): RedisState {
  return { queue: emptyState(), sheet: emptySheet(), settings: '', lastKey: 0 };
}

/** Applies an entry to the state. `sheet` is the sheet after it, where that is known. */
export function applyEntry(state: RedisState, entry: Entry, sheet?: Sheet): void {
  for (const event of entry.events ?? []) apply(state.queue, event);
  if (entry.rows !== undefined) applyRows(state, entry.rows, sheet);
  applyRest(state, entry);
}

function applyRows(
  state: RedisState,
  rows: readonly SheetChange[],
  sheet = changeSheet(state.sheet, rows),
): void {
  state.sheet = sheet;
  for (const row of rows) if (row.kind === 'put') state.lastKey = Math.max(state.lastKey, row.key);
}

function applyRest(state: RedisState, { settings, archived, retired }: Entry): void {
  if (settings !== undefined) state.settings = settings;
  if (archived === true) forgetHistory(state.queue);
  if (retired !== undefined) retireAttempts(state.queue, retired);
  if (settings !== undefined || retired !== undefined) state.queue.revision += 1;
}

/** Part of the base: of the queue's state, or of the rest. */
type BasePart =
  | { readonly of: 'queue'; readonly field: string; readonly value: unknown }
  | { readonly of: 'columns'; readonly value: readonly string[] }
  | { readonly of: 'rows'; readonly value: readonly SheetLine[] }
  | { readonly of: 'rest'; readonly settings: string; readonly lastKey: number };

/** Returns the parts of a state, as JSON. */
export function composeBase({ queue, sheet, settings, lastKey }: RedisState): string[] {
  const parts: BasePart[] = [
    { of: 'rest', settings, lastKey },
    { of: 'columns', value: sheet.columns },
    ...[...composeParts({ rows: sheet.rows })].map(
      ({ value }) => ({ of: 'rows', value }) as Extract<BasePart, { of: 'rows' }>,
    ),
    ...[...composeParts(queue)].map((part) => ({ of: 'queue', ...part }) as const),
  ];
  return parts.map((part) => JSON.stringify(part));
}

/** Restores a state from its parts. Returns null if one is not valid. */
export function restoreBase(texts: readonly string[]): RedisState | null {
  const state = emptyRedisState();
  const rows: SheetLine[] = [];
  for (const text of texts) {
    const part = parseJson(text);
    if (!isBasePart(part)) return null;
    if (part.of === 'queue') restoreField(state.queue, part);
    else if (part.of === 'columns') state.sheet = { ...state.sheet, columns: part.value };
    else if (part.of === 'rows') for (const line of part.value) rows.push(line);
    else ({ settings: state.settings, lastKey: state.lastKey } = part);
  }
  state.sheet = { ...state.sheet, rows };
  return state;
}

/** Returns an entry that was read; null if it is not valid. */
export function readEntry(text: string): Entry | null {
  const entry = parseJson(text);
  return isEntry(entry) ? entry : null;
}

/** Returns the archived form of attempts: one JSON text each. */
export function composeArchive(attempts: readonly Attempt[]): string[] {
  return attempts.map((attempt) => JSON.stringify(attempt));
}

const isTexts = listOf(isText);

const CHANGES: Readonly<Record<SheetChange['kind'], (value: unknown) => boolean>> = {
  columns: fields<Extract<SheetChange, { kind: 'columns' }>>({ columns: isTexts }),
  put: fields<Extract<SheetChange, { kind: 'put' }>>({ key: isId, texts: isTexts }),
  drop: fields<Extract<SheetChange, { kind: 'drop' }>>({ keys: listOf(isId) }),
  move: fields<Extract<SheetChange, { kind: 'move' }>>({ key: isId, before: orNull(isId) }),
};

const isChange: Check<SheetChange> = (value): value is SheetChange =>
  isObject(value) && Object.entries(CHANGES).some(([kind, check]) => kind === value['kind'] && check(value));

/** Whether a value is an entry. Whatever Redis holds may have been written by anyone. */
export const isEntry = fields<Entry>({
  events: orAbsent(listOf(isEvent)),
  rows: orAbsent(listOf(isChange)),
  settings: orAbsent(isText),
  archived: orAbsent(isTrue),
  retired: orAbsent(isNumber),
});

const isRest = fields<Extract<BasePart, { of: 'rest' }>>({ settings: isText, lastKey: isCount });
const isRows = pairsOf(isId, isTexts);

const isBasePart: Check<BasePart> = (value): value is BasePart => {
  if (!isObject(value)) return false;
  if (value['of'] === 'queue') return isQueuePart(value['field'], value['value']);
  if (value['of'] === 'columns') return isTexts(value['value']);
  if (value['of'] === 'rows') return isRows(value['value']);
  return value['of'] === 'rest' && isRest(value);
};
