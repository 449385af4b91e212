import type { TaskId } from '../../../domain/task/task';
import type { QueueEvent } from '../../model/events';
import type { QueueState } from '../../model/queueState';
import type { FileState } from '../fileState';
import { findBehind, type Behind } from './projection';
import { rowOf, type FileRows } from '../import/queueRows';

/**
 * Which rows' shared cells may not be as the journal has them: what happened to their tasks since they were last looked
 * at, and what was changed in the file. So nobody has to look at all of them after each step.
 */
export class DirtyRows {
  private ids: Set<TaskId> | 'all' = 'all';
  private rows: FileRows | null = null;

  constructor(private readonly timeZone: () => string) {}

  /** Notes what the state has marked, and takes the marks away. */
  take(state: QueueState): void {
    if (state.touched === 'all') this.ids = 'all';
    else this.add(state.touched);
    state.touched = new Set();
  }

  /** Notes what a step recorded. */
  noteEvents(events: readonly QueueEvent[]): void {
    for (const event of events) {
      const ids = idsOf(event);
      if (ids === 'all') this.ids = 'all';
      else this.add(ids);
    }
  }

  /** The rows that are behind, in the file's order. */
  find(rows: FileRows, state: FileState): Behind[] {
    this.noteRows(rows);
    const candidates = this.ids === 'all' ? rows.rows : [...this.ids].flatMap((id) => rowOf(rows, id) ?? []);
    const timeZone = this.timeZone();
    const behind = candidates.flatMap((row) => findBehind(row, state, timeZone) ?? []);
    this.ids = new Set(behind.map(({ row }) => row.definition.id));
    return behind.sort((a, b) => a.row.record - b.row.record);
  }

  private noteRows(rows: FileRows): void {
    const before = this.rows;
    if (before === rows) return;
    this.rows = rows;
    if (before === null || this.ids === 'all') {
      this.ids = 'all';
      return;
    }
    const { ids } = this;
    rows.rows.forEach((row, index) => {
      if (row !== before.rows[index]) ids.add(row.definition.id);
    });
  }

  private add(ids: Iterable<TaskId>): void {
    if (this.ids === 'all') return;
    for (const id of ids) this.ids.add(id);
  }
}

function idsOf(event: QueueEvent): readonly TaskId[] | 'all' {
  switch (event.kind) {
    case 'seen':
      return event.rows.map(({ id }) => id);
    case 'gone':
    case 'approved':
      return event.ids;
    case 'claimed':
      return [event.claim.id];
    case 'started':
    case 'finished':
    case 'released':
    case 'commanded':
    case 'answered':
    case 'missed':
      return [event.id];
    case 'resumed':
    case 'adopted':
      return 'all';
    case 'held':
    case 'scheduled':
    case 'timer-started':
    case 'stop':
    case 'enlisted':
    case 'left':
    case 'raised':
    case 'sending':
    case 'sent':
      return [];
  }
}
