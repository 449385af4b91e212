import type { SeenRow } from '../../../src/queue/model/events';
import type { FileState } from '../../../src/queue/file/fileState';
import type { TaskId } from '../../../src/domain/task/task';
import { Violation } from '../play/violation';

/** Actions of the user on the queue, as the user knows them. */
export interface Owner {
  /** Running time. */
  readonly now: number;
  /** Whether the user changed this task, or what it depends on, at this time on the wall or later. */
  touchedSince(id: TaskId, at: number): boolean;
  /** Whether the clock was set, or the machine slept, since this time on the wall. */
  hasSteppedSince(at: number): boolean;
  /** Whether an editor window has had unsaved changes for a while. */
  isTyping(): boolean;
  /** Whether the user ever wrote this text into a shared cell of this task. */
  hasWritten(id: TaskId, column: 'status' | 'scheduled_time' | 'retry_count', text: string): boolean;
}

/** Checks what the program took for an edit of the user. @throws Violation */
export function checkSeen({ projected, queue }: FileState, rows: readonly SeenRow[], owner: Owner): void {
  for (const { id, status, retryCount } of rows) {
    // A row that is new, or was removed, brings all of its cells.
    if (!projected.has(id) || !queue.powers.has(id)) continue;
    if (status !== undefined && !owner.hasWritten(id, 'status', status))
      throw new Violation('only your edits', `task ${String(id)} became ${status}, which you never wrote`);
    if (retryCount !== undefined && !owner.hasWritten(id, 'retry_count', String(retryCount)))
      throw new Violation('only your edits', `task ${String(id)} got retry_count ${String(retryCount)}`);
  }
}
