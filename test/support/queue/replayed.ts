import assert from 'node:assert/strict';
import { readPast } from '../../../src/queue/file/journal/readPast';
import { OWN_HISTORY } from './ownHistory';
import { QueuePaths } from '../../../src/queue/queuePaths';
import type { TaskQueue } from '../../../src/queue/taskQueue';

/** Checks that the rules choose each claimed task again, and no other. Returns the number of claims. */
export async function checkReplay(queue: TaskQueue): Promise<number> {
  const { same, differences, missed, ends, unrecorded } = await queue.replay({
    from: -Infinity,
    to: Infinity,
  });
  assert.deepEqual([differences, missed, ends.differences], [[], [], []]);
  assert.equal(unrecorded, 0);
  return same;
}

/** Returns the tokens of all claims in the past of a queue file, in order. */
export async function readClaims(file: string): Promise<readonly number[]> {
  const { state } = new QueuePaths(file);
  const tokens: number[] = [];
  for await (const { events } of readPast(state, await OWN_HISTORY.name(false), -Infinity))
    for (const event of events) if (event.kind === 'claimed') tokens.push(event.claim.token);
  return tokens;
}
