import { approvalFingerprint } from './permissionFingerprint';
import type { Definition, TaskId } from './task';

/** A row by its id, with the fingerprint that its approval binds (`approvalFingerprint`). */
export interface FingerprintedRow {
  readonly id: TaskId;
  readonly power: string;
}

/** A row as its approval names it; `power`: the hash over its columns. */
export function approvable(definition: Definition, power: string): FingerprintedRow {
  return { id: definition.id, power: approvalFingerprint(definition, power) };
}

/**
 * What an approval names: this row, as it is. A copy of it under another id is another row, which somebody may have
 * put there to have it done twice.
 */
export function approvalOf({ id, power }: FingerprintedRow): string {
  return `${String(id)}:${power}`;
}

/** Which rows may run unattended on this machine: all of the file, or those that these approvals name. */
export interface ApprovalCheck {
  readonly trusted: boolean;
  /** As `approvalOf` makes them: an id with its power. */
  readonly approvals: ReadonlySet<string>;
}

/** Whether this row may run unattended. */
export function isApproved(row: FingerprintedRow, { trusted, approvals }: ApprovalCheck): boolean {
  return trusted || approvals.has(approvalOf(row));
}
