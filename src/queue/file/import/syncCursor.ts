import { cellNewsOf, type FileState } from '../fileState';
import type { Changed, Save } from './importEdits';
import { rowOf, type FileRows } from './queueRows';

/** A file's rows, with what editors' unsaved changes are based on. */
interface Seen {
  readonly rows: FileRows;
  readonly bases: Save['bases'];
}

/** What the journal has been told of already: a later file need only be looked at where it differs from that. */
export class SyncCursor {
  private seen: Seen | null = null;
  private state: FileState | null = null;
  /** A file in which there was nothing that had not happened already, though it was not told; and the news at that time. */
  private quiet: { readonly seen: Seen; readonly state: FileState; readonly count: number } | null = null;

  /** The journal knows of everything in the file. */
  remember(seen: Seen, state: FileState): void {
    [this.seen, this.state] = [seen, state];
    cellNewsOf(state).ids.clear();
  }

  rememberQuiet(seen: Seen, state: FileState): void {
    this.quiet = { seen, state, count: cellNewsOf(state).count };
  }

  isQuiet(seen: Seen, state: FileState): boolean {
    const { quiet } = this;
    if (quiet?.state !== state || quiet.count !== cellNewsOf(state).count) return false;
    return quiet.seen.rows === seen.rows && quiet.seen.bases === seen.bases;
  }

  /** Where the file differs from what the journal knows, or the journal has other news. */
  findChanged({ rows, bases }: Seen, state: FileState): Changed {
    const before = this.seen;
    if (before === null || this.state !== state || bases.size + before.bases.size > 0) {
      return { rows: rows.rows, isOtherSet: true };
    }
    const { ids } = cellNewsOf(state);
    const isOtherSet = rows.places !== before.rows.places || ids.size > 0;
    if (rows === before.rows) return { rows: [...ids].flatMap((id) => rowOf(rows, id) ?? []), isOtherSet };
    const changed = rows.rows.filter(
      (row, index) => row !== before.rows.rows[index] || ids.has(row.definition.id),
    );
    return { rows: changed, isOtherSet };
  }
}
