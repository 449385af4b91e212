import { isDeepStrictEqual } from 'node:util';
import type { ApprovedRow, Approvals } from '../../account/approvals';
import { PERMISSION_COLUMNS, type PermissionColumn } from '../../domain/task/permissionFingerprint';
import { placeOf, type NamedFolder } from '../../domain/task/place';
import type { TaskId } from '../../domain/task/task';
import { describeRow, describeVerifyBefore, redactPermissions } from './approval';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { describeFolder } from '../present/text';

/** Cell that differs from the approved row; null means an empty cell. */
export interface CellChange {
  readonly column: PermissionColumn;
  readonly before: string | null;
  readonly now: string | null;
}

/** Difference between a row that waits for approval and what was approved under its id. */
export type RowChange =
  | { readonly kind: 'new'; /** Origin of the row: a file, or `CHAT`. */ readonly origin?: string }
  /** The task had finished, and only the file made it pending again; its permissions are the same. */
  | { readonly kind: 'reopened' }
  /** The permissions differ only in a secret, which is not shown. */
  | { readonly kind: 'unseen' }
  /** Some cells differ; never none. */
  | { readonly kind: 'changed'; readonly cells: readonly CellChange[] };

/** Approved rows, and where rows came from, by id. */
export interface KnownRows {
  readonly approved: ReadonlyMap<TaskId, ApprovedRow>;
  readonly origins: ReadonlyMap<TaskId, string>;
}

/** Reads what `findChange` compares rows with. */
export async function readKnownRows(approvals: Approvals): Promise<KnownRows> {
  const [approved, origins] = await Promise.all([approvals.readRows(), approvals.readOrigins()]);
  return { approved, origins };
}

/** Compares a row that waits for approval with what was approved under its id. */
export function findChange({ task }: TaskViewModel, { approved, origins }: KnownRows): RowChange {
  const before = approved.get(task.definition.id);
  const now = describeRow(task);
  const cells =
    before === undefined
      ? []
      : compareCells(
          { ...before, permissionFields: redactPermissions(before.permissionFields).permissionFields },
          now,
        );
  if (cells.length > 0) return { kind: 'changed', cells };
  if (before !== undefined && before.power !== now.power) return { kind: 'unseen' };
  if (task.state.reopened) return { kind: 'reopened' };
  const origin = origins.get(task.definition.id);
  return origin === undefined ? { kind: 'new' } : { kind: 'new', origin };
}

/** Approved part of a row. */
type Approved = Pick<ApprovedRow, 'permissionFields' | 'realDir'>;

type ApprovedFolder = Pick<Approved, 'permissionFields'> & Pick<NamedFolder, 'realDir'>;

function compareCells(before: Approved, now: Approved): CellChange[] {
  return (Object.keys(PERMISSION_COLUMNS) as PermissionColumn[])
    .filter((column) => !isSame(before, now, column))
    .map((column) => ({ column, before: textOf(before, column), now: textOf(now, column) }));
}

/** Formats the folder in which an approved row runs. */
export function describeApprovedFolder({
  permissionFields: { workingDir },
  realDir,
}: ApprovedFolder): string {
  return describeFolder(placeOf({ workingDir, realDir }));
}

/** A link with another target counts as another folder, and another set-up as another check. */
function isSame(before: Approved, now: Approved, column: PermissionColumn): boolean {
  const field = PERMISSION_COLUMNS[column];
  const isFolder = column === 'working_dir';
  const isCheck = column === 'verify';
  return (
    isDeepStrictEqual(before.permissionFields[field], now.permissionFields[field]) &&
    (!isFolder || before.realDir === now.realDir) &&
    (!isCheck || isDeepStrictEqual(before.permissionFields.verifyBefore, now.permissionFields.verifyBefore))
  );
}

/**
 * Formats a cell as the user could have written it; for a folder, also the target of its link, and for a prompt file
 * its text, and for a check how it runs before attempts.
 */
function textOf({ permissionFields, realDir }: Approved, column: PermissionColumn): string | null {
  if (column === 'prompt_file') {
    const { promptFile } = permissionFields;
    return promptFile === undefined ? null : `${promptFile.path}:\n${promptFile.text}`;
  }
  if (column === 'working_dir') return describeApprovedFolder({ permissionFields, realDir });
  const value = permissionFields[PERMISSION_COLUMNS[column]];
  if (value === undefined || typeof value === 'string') return value ?? null;
  if (column !== 'verify') return value.join('|');
  return [JSON.stringify(value), ...describeVerifyBefore(permissionFields.verifyBefore)].join('\n');
}
