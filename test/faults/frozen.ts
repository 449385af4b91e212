import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../../src/platform/files/files';
import { type FaultFolder, openQueue, request, successOf } from './faultQueue';

/** Null where it is gone: what a stopped process has ordered before may still be done by another of its threads. */
export function readIfStillThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return null;
    throw error;
  }
}

/** Acts as another worker meanwhile: claims a task, finishes it, and writes the file. */
export async function workPast(place: FaultFolder): Promise<void> {
  const queue = await openQueue(place.file);
  const answer = await queue.claim(request('other'), 'other-claim');
  assert.ok(answer.kind === 'claimed');
  await queue.finish(answer.claim, successOf(answer), 'other-finish');
  await queue.close();
}

/** Waits until a process is frozen, or has ended. */
export async function untilStopped(pid: number): Promise<void> {
  while (!/^[TZX]/.test(stateOf(pid))) await sleep(2);
}

/** State letter of a process by proc(5), and the fields after it; `X` if the process is gone. */
function stateOf(pid: number): string {
  const stat = readIfStillThere(`/proc/${String(pid)}/stat`)?.toString() ?? ') X';
  return stat.slice(stat.lastIndexOf(')') + 2);
}
