import assert from 'node:assert/strict';
import { decideTask } from '../../../../src/app/actions/tasks/decideTask';
import { isProblem } from '../../../../src/domain/problem';
import type { Verb } from '../../../../src/queue/taskQueue';

type Context = Parameters<typeof decideTask>[0];
type Queue = Parameters<typeof decideTask>[1];

/** Decides about task 1, whose latest attempt is 2, and returns the commands that the queue got. */
async function decide(verb: Verb, attempt?: number): Promise<readonly string[]> {
  const commands: string[] = [];
  const queue = {
    attempts: () => Promise.resolve([{ id: 1, number: 2 }]),
    read: () => Promise.resolve({ claims: [] }),
    command: (id: number, command: Verb) => Promise.resolve(commands.push(`${command} ${String(id)}`)),
  } as unknown as Queue;
  const processes = {
    isInsideAttempt: () => false,
    ancestors: () => [],
    self: () => ({ pid: 1, startedAt: '1' }),
  };
  const queueContext = { host: { processes, env: {}, createId: () => 'op' } } as unknown as Context;
  await decideTask(
    queueContext,
    queue,
    { id: 1, verb, ...(attempt === undefined ? {} : { attempt }) },
    () => undefined,
  );
  return commands;
}

describe('A decision about a task', () => {
  it('to accept the attempt that the user saw is refused if the task has run again since', async () => {
    await assert.rejects(decide('accept', 1), (error) => isProblem(error, 'conflict'));
    assert.deepEqual(await decide('accept', 2), ['accept 1']);
  });

  it('to accept its latest attempt, or to retry it, needs no attempt', async () => {
    assert.deepEqual(await decide('accept'), ['accept 1']);
    assert.deepEqual(await decide('retry', 1), ['retry 1']);
  });
});
