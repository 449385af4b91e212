import assert from 'node:assert/strict';
import { explain } from '../../../src/domain/reasons/explain';
import type { ShownState } from '../../../src/domain/reasons/reason';
import { createWorld } from '../../../src/domain/reasons/world';
import type { TaskId } from '../../../src/domain/task/task';
import type { EpochMs } from '../../../src/domain/time/epoch';
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

/** Returns the state that the record gives for a task at a time; undefined: the task is not recorded. */
export async function explainPast(
  queue: TaskQueue,
  at: EpochMs,
  id: TaskId,
): Promise<ShownState | undefined> {
  const moment = await queue.lookBack(at);
  assert.equal(moment.kind, 'known');
  const world = createWorld({ ...moment.around, queue: moment.snapshot });
  const task = world.byId.get(id);
  return task && explain(task, world).state;
}

/** Returns the tokens of all claims in the past of a queue file, in order. */
export async function readClaims(file: string): Promise<readonly number[]> {
  const { state } = new QueuePaths(file);
  const tokens: number[] = [];
  for await (const { events } of readPast(state, await OWN_HISTORY.name(false), -Infinity))
    for (const event of events) if (event.kind === 'claimed') tokens.push(event.claim.token);
  return tokens;
}
