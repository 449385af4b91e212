import { approvalFingerprint } from './permissionFingerprint';
import type { Definition, TaskId } from './task';

/** A row by its id, with the fingerprint that its approval binds (`approvalFingerprint`). */
export interface FingerprintedRow {
  readonly id: TaskId;
  readonly power: string;
}

/** Returns the row as its approval names it. `power` is the hash over its columns. */
export function approvable(definition: Definition, power: string): FingerprintedRow {
  return { id: definition.id, power: approvalFingerprint(definition, power) };
}

/**
 * Returns the text by which an approval names this row as it is. A copy under another id is another row:
 * it may have been added to run the work twice.
 */
export function approvalOf({ id, power }: FingerprintedRow): string {
  return `${String(id)}:${power}`;
}

/** Returns the id of the row that an approval names. */
export function idOfApproval(approval: string): TaskId {
  return Number.parseInt(approval, 10);
}

/** Rows that may run unattended on this machine: all of the file, or those that these approvals name. */
export interface ApprovalSet {
  readonly trusted: boolean;
  /** Texts from `approvalOf`: an id with its power. */
  readonly approvals: ReadonlySet<string>;
}

/** Ids of rows that were approved in any version. Made only for a row without an approval: it takes time for many rows. */
const approvedIds = new WeakMap<ApprovalSet['approvals'], ReadonlySet<TaskId>>();

/** Whether a row with this id was approved in any version. */
export function wasApproved(id: TaskId, { approvals }: ApprovalSet): boolean {
  const ids = approvedIds.get(approvals) ?? new Set([...approvals].map(idOfApproval));
  approvedIds.set(approvals, ids);
  return ids.has(id);
}

/** Whether this row may run unattended. */
export function isApproved(row: FingerprintedRow, { trusted, approvals }: ApprovalSet): boolean {
  return trusted || approvals.has(approvalOf(row));
}
