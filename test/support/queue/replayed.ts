import assert from 'node:assert/strict';
import type { TaskQueue } from '../../../src/queue/taskQueue';

/** Checks that the rules choose each claimed task again. Returns the number of claims. */
export async function checkReplay(queue: TaskQueue): Promise<number> {
  const { same, differences, unrecorded } = await queue.replay({ from: -Infinity, to: Infinity });
  assert.deepEqual(differences, []);
  assert.equal(unrecorded, 0);
  return same;
}
