import assert from 'node:assert/strict';
import { takeTask } from '../../../../../src/app/actions/attempts/userClaim';
import type { QueueContext } from '../../../../../src/app/context/queueContext';
import { isProblem } from '../../../../../src/domain/problem';
import type { Snapshot, TaskQueue } from '../../../../../src/queue/taskQueue';

describe('A task that a user has', () => {
  it('is not taken by the user of another machine', async () => {
    const claims = [{ id: 1, owner: { kind: 'person', machine: 'mars/0123456789ab' } }];
    const queue = { read: () => Promise.resolve({ claims } as unknown as Snapshot) } as TaskQueue;
    const here = { machine: { id: 'venus/0123456789ab' } } as unknown as QueueContext;
    await assert.rejects(takeTask(here, queue, 1), (error) => {
      assert.ok(isProblem(error, 'already-running'));
      assert.equal(error.message, 'Task 1 cannot be taken: the user on mars has task 1.');
      return true;
    });
  });
});
