import * as fs from 'node:fs/promises';
import { BESIDE_OUTPUT } from '../../../domain/task/attempt';
import type { EpochMs } from '../../../domain/time/epoch';
import { highestId } from '../../model/state/highestId';
import { makePrivateFolder, statIfThere } from '../../../platform/files/files';
import type { StatePaths } from '../../queuePaths';
import { retireAttempts } from '../../model/keptAttempts';
import type { FileState } from '../fileState';
import { appendOnce } from '../checkpoint/logFiles';

/** Removes what is older than `keptMs` from a state. Its attempts move to `leaving`, to be archived. */
export function retire(state: FileState, now: EpochMs, keptMs: number): void {
  for (const attempt of retireAttempts(state.queue, now - keptMs)) state.leaving.push(attempt);
  retireTasks(state, now, now - keptMs);
  forgetCells(state);
}

/**
 * Archives the attempts in `leaving`, once however often it is called, and removes their outputs and the files beside
 * these.
 */
export async function archiveAttempts(
  state: StatePaths,
  { leaving, leavingBehind }: FileState,
): Promise<void> {
  await makePrivateFolder(state.of('archive'));
  const lines = leaving.map((attempt) => `${JSON.stringify(attempt)}\n`).join('');
  await appendOnce(state.archivedAttempts, lines, leavingBehind);
  for (const { output } of leaving) {
    if (output === undefined) continue;
    for (const end of ['', ...Object.values(BESIDE_OUTPUT)])
      await fs.rm(state.output(`${output}${end}`), { force: true });
  }
}

/** Returns the size of the archived attempts, in bytes. */
export async function sizeArchived(state: StatePaths): Promise<number> {
  return (await statIfThere(state.archivedAttempts))?.size ?? 0;
}

/** Forgets tasks that have had no row since `before`. The first call that misses a row notes the time. */
function retireTasks({ queue, rowless }: FileState, now: EpochMs, before: EpochMs): void {
  const highest = highestId(queue);
  for (const [key, { id, power }] of queue.tasks) {
    if (queue.powers.get(id) === power || queue.claims.get(id)?.power === power) {
      rowless.delete(key);
      continue;
    }
    const since = rowless.get(key);
    if (since === undefined) rowless.set(key, now);
    // The highest id stays known, so that no new row is given one that was used before.
    else if (since < before && id !== highest) {
      queue.tasks.delete(key);
      rowless.delete(key);
    }
  }
}

/** Forgets shared cells of rows that are no longer known. */
function forgetCells({ queue, projected, replaced }: FileState): void {
  const known = new Set(queue.powers.keys());
  for (const { id } of queue.tasks.values()) known.add(id);
  for (const cells of [projected, replaced]) {
    for (const id of cells.keys()) if (!known.has(id)) cells.delete(id);
  }
}
