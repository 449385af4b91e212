import type { TaskId } from './task';

/** A row by its id, as powerful as it is. */
export interface PoweredRow {
  readonly id: TaskId;
  readonly power: string;
}

/**
 * What an approval names: this row, as it is. A copy of it under another id is another row, which somebody may have
 * put there to have it done twice.
 */
export function approvalOf({ id, power }: PoweredRow): string {
  return `${String(id)}:${power}`;
}
