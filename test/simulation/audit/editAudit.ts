import type { Entry, FileState } from '../../../src/queue/file/fileState';
import type { TaskId } from '../../../src/domain/task/task';
import { isInFile } from '../../../src/queue/file/reading/rowReader';
import { SHARED_COLUMNS } from '../../../src/queue/row/columns';
import type { SharedTexts } from '../../../src/queue/row/sharedCells';
import { parseJson } from '../../../src/platform/text/shapes';
import type { Disk } from '../machine/disk';
import { Violation } from '../play/violation';
import { STATE } from '../program/host';
import type { Sources } from './sources';

/** Fields of what was seen, by column. */
const FIELDS = ['status', 'scheduledAt', 'retryCount'] as const;

/**
 * Checks that each shared cell with a text that no program wrote counts as an edit, before the entry is applied.
 * @throws Violation
 */
export function checkFound(state: FileState, { found = [], events = [] }: Entry, disk: Disk): void {
  const seen = events.flatMap((event) => (event.kind === 'seen' ? event.rows : []));
  for (const [id, texts] of found) {
    if (!state.projected.has(id)) continue;
    const known = textsOfProgram(state, id, disk);
    for (const [index, field] of FIELDS.entries()) {
      const text = texts[index] ?? null;
      if (text === null || known.some((one) => one[index] === text)) continue;
      if (seen.find((row) => row.id === id)?.[field] !== undefined) continue;
      const column = SHARED_COLUMNS[index] ?? '';
      throw new Violation('edits kept', `the ${column} "${text}" of task ${String(id)} was overlooked`);
    }
  }
}

function textsOfProgram(state: FileState, id: TaskId, disk: Disk): SharedTexts[] {
  const current = [state.projected.get(id), state.unconfirmed.get(id)].filter((texts) => texts !== undefined);
  const replaced = (state.replaced.get(id) ?? []).map(({ texts }) => texts);
  return [...current, ...replaced, ...basesOf(disk, id)];
}

interface Marker {
  readonly unsaved: { readonly base: readonly (readonly [TaskId, SharedTexts])[] } | null;
}

function basesOf(disk: Disk, id: TaskId): SharedTexts[] {
  const folder = `${STATE}/windows`;
  const files = disk.list(folder).filter((name) => name.endsWith('.json'));
  return files.flatMap((name) => {
    // A power cut may have cut it off.
    const marker = parseJson(disk.read(`${folder}/${name}`)?.toString() ?? '') as Marker | null | undefined;
    return (marker?.unsaved?.base ?? []).flatMap(([other, texts]) => (other === id ? [texts] : []));
  });
}

/** Checks that a row counts as deleted only if a whole file lacked it. @throws Violation */
export function checkGone(ids: readonly TaskId[], sources: Sources, now: number): void {
  const files = sources.sheets.since(now, sources.slackMs);
  const kept = ids.find((id) => !files.some(({ rows }) => rows.complete && !isInFile(rows, id)));
  if (kept !== undefined)
    throw new Violation('only your edits', `row ${String(kept)} counts as deleted, and you never deleted it`);
}
