import { isDeepStrictEqual } from 'node:util';
import type { ApprovedRow } from '../../account/approvals';
import { PERMISSION_COLUMNS, type PermissionColumn } from '../../domain/task/permissionFingerprint';
import type { TaskId } from '../../domain/task/task';
import { describeRow, redactPermissions } from './approval';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { describeFolder } from '../present/text';

/** A cell that says something else than when its row was approved; null: nothing was said. */
export interface CellChange {
  readonly column: PermissionColumn;
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
export function findChange({ task }: TaskViewModel, approved: ReadonlyMap<TaskId, ApprovedRow>): RowChange {
  const before = approved.get(task.definition.id);
  const now = describeRow(task);
  const cells =
    before === undefined
      ? []
      : compareCells({ ...before, powers: redactPermissions(before.powers).powers }, now);
  if (cells.length > 0) return { kind: 'changed', cells };
  if (before !== undefined && before.power !== now.power) return { kind: 'unseen' };
  return { kind: task.state.reopened ? 'reopened' : 'new' };
}

/** A row as an approval has it. */
type Approved = Pick<ApprovedRow, 'powers' | 'realDir'>;

function compareCells(before: Approved, now: Approved): CellChange[] {
  return (Object.keys(PERMISSION_COLUMNS) as PermissionColumn[])
    .filter((column) => !isSame(before, now, column))
    .map((column) => ({ column, before: textOf(before, column), now: textOf(now, column) }));
}

/** A link that leads elsewhere changes the folder as a new path does. */
function isSame(before: Approved, now: Approved, column: PermissionColumn): boolean {
  const field = PERMISSION_COLUMNS[column];
  const isFolder = column === 'working_dir';
  return (
    isDeepStrictEqual(before.powers[field], now.powers[field]) &&
    (!isFolder || before.realDir === now.realDir)
  );
}

/** A cell's meaning as its owner could have written it; of the folder also where it leads. */
function textOf({ powers, realDir }: Approved, column: PermissionColumn): string | null {
  if (column === 'working_dir') {
    const { workingDir } = powers;
    return describeFolder(realDir === undefined ? { workingDir } : { workingDir, realDir });
  }
  const value = powers[PERMISSION_COLUMNS[column]];
  if (value === undefined || typeof value === 'string') return value ?? null;
  return column === 'verify' ? JSON.stringify(value) : value.join('|');
}
