import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { claimNext } from '../../../../../src/app/actions/attempts/claimNext';
import { addTasks } from '../../../../../src/app/actions/rows/addTask';
import { decideTasks } from '../../../../../src/app/actions/tasks/decideTask';
import { isProblem } from '../../../../../src/domain/problem';
import { describeOnEachStore } from '../../../../support/queue/openContexts';

describeOnEachStore('A decision about several tasks', (context) => {
  const decide = (ids: readonly number[], verb: 'retry' | 'accept' | 'cancel') => {
    const { queueContext, queue } = context();
    return decideTasks(queueContext, queue, { ids, verb }, (sentence) => assert.fail(sentence));
  };

  const statuses = async (): Promise<unknown> =>
    (await context().queue.read()).tasks.map(({ state }) => state.status);

  beforeEach(async () => {
    const { queueContext, queue } = context();
    const rows = ['one', 'two', 'three'].map((prompt) => ({ fields: { prompt, working_dir: '/tmp' } }));
    await addTasks(queueContext, queue, rows);
  });

  it('is carried out about each of them', async () => {
    assert.deepEqual(await decide([1, 3], 'cancel'), { done: [1, 3], isClean: true });
    assert.deepEqual(await statuses(), ['cancelled', 'pending', 'cancelled']);
    assert.deepEqual(await decide([3, 1], 'retry'), { done: [3, 1], isClean: true });
    assert.deepEqual(await statuses(), ['pending', 'pending', 'pending']);
  });

  it('removes the NEXT_TASK.md of a cancelled one', async () => {
    const { queueContext, queue } = context();
    const { nextTask } = queueContext.paths;
    await claimNext(queueContext, queue);
    await decide([2], 'cancel');
    assert.equal(existsSync(nextTask), true);
    await decide([1, 3], 'cancel');
    assert.equal(existsSync(nextTask), false);
  });

  it('leaves out a task that was removed meanwhile', async () => {
    await context().queue.remove([2], 'remove');
    assert.deepEqual((await decide([1, 2], 'cancel')).done, [1]);
    assert.deepEqual(await statuses(), ['cancelled', 'pending']);
  });

  it('is refused inside an attempt', async () => {
    const { queueContext, queue } = context();
    const { host } = queueContext;
    const inside = Object.assign(Object.create(queueContext) as typeof queueContext, {
      host: { ...host, processes: { ...host.processes, isInsideAttempt: () => true } },
    });
    const decision = decideTasks(inside, queue, { ids: [1], verb: 'cancel' }, () => undefined);
    await assert.rejects(decision, (error) => isProblem(error, 'inside-run'));
  });
});
