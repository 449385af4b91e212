import { isDeepStrictEqual } from 'node:util';
import type { ApprovedRow } from '../account/approvals';
import { POWER_COLUMNS, type PowerColumn, type Powers } from '../domain/power';
import type { TaskId } from '../domain/task';
import { describeRow, redactPowers } from './approval';
import type { ShownTask } from './picture';

/** A cell that says something else than when its row was approved; null: nothing was said. */
export interface CellChange {
  readonly column: PowerColumn;
  readonly before: string | null;
  readonly now: string | null;
}

/** How a row that waits for approval differs from what was approved under its id. */
export type RowChange =
  | { readonly kind: 'new' }
  /** Finished before, and pending again by the file alone; what it may do does not differ. */
  | { readonly kind: 'reopened' }
  /** It may do something else than was approved, and nothing of that is shown: it is in a secret. */
  | { readonly kind: 'unseen' }
  /** Some of its cells say something else; never none of them. */
  | { readonly kind: 'changed'; readonly cells: readonly CellChange[] };

/** What is new about a row that waits for approval. */
export function findChange({ task }: ShownTask, approved: ReadonlyMap<TaskId, ApprovedRow>): RowChange {
  const before = approved.get(task.definition.id);
  const now = describeRow(task);
  const cells = before === undefined ? [] : compareCells(redactPowers(before.powers).powers, now.powers);
  if (cells.length > 0) return { kind: 'changed', cells };
  if (before !== undefined && before.power !== now.power) return { kind: 'unseen' };
  return { kind: task.state.reopened ? 'reopened' : 'new' };
}

function compareCells(before: Powers, now: Powers): CellChange[] {
  return (Object.keys(POWER_COLUMNS) as PowerColumn[])
    .filter((column) => !isDeepStrictEqual(before[POWER_COLUMNS[column]], now[POWER_COLUMNS[column]]))
    .map((column) => ({ column, before: textOf(before, column), now: textOf(now, column) }));
}

/** A cell's meaning as its owner could have written it. */
function textOf(powers: Powers, column: PowerColumn): string | null {
  const value = powers[POWER_COLUMNS[column]];
  if (value === undefined || typeof value === 'string') return value ?? null;
  return column === 'verify' ? JSON.stringify(value) : value.join('|');
}
