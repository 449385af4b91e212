import * as fs from 'node:fs/promises';
import { BESIDE_OUTPUT } from '../../../domain/task/attempt';
import type { EpochMs } from '../../../domain/time/epoch';
import { hasCode, makePrivateFolder } from '../../../platform/files/files';
import type { StatePaths } from '../../queuePaths';
import { idsInReview, noteUnreported } from '../../model/history';
import type { FileState } from '../fileState';
import { appendOnce } from '../checkpoint/logFiles';

/** Takes what is older than `keptMs` out of a state; its attempts are then leaving, and still to be archived. */
export function retire(state: FileState, now: EpochMs, keptMs: number): void {
  retireAttempts(state, now - keptMs);
  retireTasks(state, now, now - keptMs);
  forgetCells(state);
}

/** Puts the attempts away that are leaving, once however often it is tried, and removes their outputs and what is beside them. */
export async function putAttemptsAway(
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

/** How much has been archived, in bytes. */
export async function sizePutAway(state: StatePaths): Promise<number> {
  try {
    return (await fs.stat(state.archivedAttempts)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}

function retireAttempts({ queue, leaving }: FileState, before: EpochMs): void {
  const awaited = idsInReview(queue);
  const kept = queue.attempts.filter((attempt) => attempt.endedAt >= before);
  if (kept.length === queue.attempts.length) return;
  // The user who accepts a review has its last attempt logged.
  for (const attempt of kept) awaited.delete(attempt.id);
  const old = queue.attempts.filter((attempt) => attempt.endedAt < before);
  const spared = old.filter((attempt) => awaited.has(attempt.id));
  queue.attempts.length = 0;
  for (const attempt of [...spared, ...kept]) queue.attempts.push(attempt);
  for (const attempt of old) if (!awaited.has(attempt.id)) leaving.push(attempt);
  noteUnreported(queue);
}

/** What is remembered of rows that are gone; since when, is only noticed here. */
function retireTasks({ queue, rowless }: FileState, now: EpochMs, before: EpochMs): void {
  let highest = 0;
  for (const { id } of queue.tasks.values()) highest = Math.max(highest, id);
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

/** What the shared cells held of rows of which nothing is known any more. */
function forgetCells({ queue, projected, replaced }: FileState): void {
  const known = new Set(queue.powers.keys());
  for (const { id } of queue.tasks.values()) known.add(id);
  for (const cells of [projected, replaced]) {
    for (const id of cells.keys()) if (!known.has(id)) cells.delete(id);
  }
}
