import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addTask } from '../../../../../src/app/actions/rows/addTask';
import { duplicateTask } from '../../../../../src/app/actions/rows/duplicateTask';
import { editTasks } from '../../../../../src/app/actions/rows/editTask';
import { moveRows } from '../../../../../src/app/actions/rows/moveTask';
import { removeTasks, restoreTasks } from '../../../../../src/app/actions/rows/removeTasks';
import { withdrawApprovals } from '../../../../../src/app/approval/withdraw';
import { isProblem } from '../../../../../src/domain/problem';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { describeOnEachStore } from '../../../../support/queue/openContexts';

describeOnEachStore('The rows that a user changes', (context) => {
  const add = async (prompt: string, fields: Readonly<Record<string, string>> = {}): Promise<number> => {
    const { queueContext, queue } = context();
    return addTask(queueContext, queue, { fields: { prompt, working_dir: '/tmp', ...fields } });
  };

  /** The tasks in order: id, prompt, state. */
  const rows = async (): Promise<unknown[]> =>
    (await context().look()).tasks.map(({ task, reason }) => [
      task.definition.id,
      task.definition.prompt,
      reason.state,
    ]);

  it('are restored with their place, history and approval', async () => {
    const { queueContext, queue, folder } = context();
    for (const prompt of ['one', 'two', 'three']) await add(prompt);
    await queue.command(2, 'cancel', 'cancel');
    await queue.sync();
    const [before, file] = [await rows(), join(folder, 'claude_queue', 'prompts.csv')];
    const text = readFileSync(file, 'utf8');
    const removed = await removeTasks(queueContext, queue, [2, 3]);
    assert.deepEqual(await rows(), [[1, 'one', 'ready']]);
    await restoreTasks(queueContext, queue, removed);
    assert.deepEqual(await rows(), before);
    assert.equal(readFileSync(file, 'utf8'), text);
  });

  it('are not restored once their id is on another row', async () => {
    const { queueContext, queue } = context();
    await add('one');
    const removed = await removeTasks(queueContext, queue, [1]);
    await restoreTasks(queueContext, queue, removed);
    const again = restoreTasks(queueContext, queue, removed);
    await assert.rejects(
      again,
      (error) => isProblem(error, 'conflict') && error.message.includes('exists again'),
    );
  });

  it('are duplicated as new pending tasks below them, with their approval', async () => {
    const { queueContext, queue } = context();
    await add('one', { priority: 'high', tags: 'a|b', max_retries: '5' });
    await add('two');
    await queue.command(1, 'cancel', 'cancel');
    assert.equal(await duplicateTask(queueContext, queue, 1), 3);
    assert.deepEqual(await rows(), [
      [1, 'one', 'cancelled'],
      [3, 'one', 'ready'],
      [2, 'two', 'ready'],
    ]);
    const copy = (await queue.read()).tasks[1]?.definition;
    assert.deepEqual([copy?.priority, copy?.tags, copy?.maxRetries], ['high', ['a', 'b'], 5]);
  });

  it('are not approved with an address of callbacks that another user wrote meanwhile', async () => {
    const { queueContext, queue } = context();
    const meddle = (name: 'cells' | 'addAll', id: number, when: 'before' | 'after'): TaskQueue =>
      Object.assign(Object.create(queue) as TaskQueue, {
        [name]: async (...args: readonly unknown[]): Promise<unknown> => {
          const theirs = (): Promise<unknown> =>
            queue.edit(id, { callback_url: 'https://their.example' }, `theirs-${String(id)}`);
          if (when === 'before') await theirs();
          const answer: unknown = await Reflect.apply(Reflect.get(queue, name) as () => unknown, queue, args);
          if (when === 'after') await theirs();
          return answer;
        },
      });
    await add('one', { callback_url: 'https://own.example' });
    await duplicateTask(queueContext, meddle('cells', 1, 'before'), 1);
    const fields = { prompt: 'two', working_dir: '/tmp', callback_url: 'https://own.example' };
    await addTask(queueContext, meddle('addAll', 3, 'after'), { fields });
    await addTask(queueContext, queue, { fields });
    const silent = { prompt: 'three', working_dir: '/tmp' };
    await addTask(queueContext, meddle('addAll', 5, 'after'), { fields: silent });
    assert.deepEqual(await rows(), [
      [1, 'one', 'unapproved'],
      [2, 'one', 'unapproved'],
      [3, 'two', 'unapproved'],
      [4, 'two', 'ready'],
      [5, 'three', 'unapproved'],
    ]);
  });

  it('are not approved if their approval is withdrawn while they are edited or duplicated', async () => {
    const { queueContext, queue } = context();
    const withdrawing = (name: 'edit' | 'cells', id: number): TaskQueue =>
      Object.assign(Object.create(queue) as TaskQueue, {
        [name]: async (...args: readonly unknown[]): Promise<unknown> => {
          await withdrawApprovals(queueContext, queue, [id]);
          return Reflect.apply(Reflect.get(queue, name) as () => unknown, queue, args);
        },
      });
    await add('one');
    await add('two');
    await editTasks(queueContext, withdrawing('edit', 1), [1], { priority: 'high', model: 'opus' });
    await duplicateTask(queueContext, withdrawing('cells', 2), 2);
    assert.deepEqual(await rows(), [
      [1, 'one', 'unapproved'],
      [2, 'two', 'unapproved'],
      [3, 'two', 'unapproved'],
    ]);
  });

  it('are not approved by a duplicate if nobody approved them', async () => {
    const { queueContext, queue } = context();
    await queue.add({ fields: { prompt: 'theirs', working_dir: '/tmp' } }, 'theirs');
    await duplicateTask(queueContext, queue, 1);
    assert.deepEqual(await rows(), [
      [1, 'theirs', 'unapproved'],
      [2, 'theirs', 'unapproved'],
    ]);
  });

  it('keep in a duplicate a time that the user set and that has not come', async () => {
    const { queueContext, queue } = context();
    const time = '2099-05-01 10:00';
    await add('later', { scheduled_time: time });
    await add('past', { scheduled_time: '2001-05-01T10:00:00Z' });
    await duplicateTask(queueContext, queue, 1);
    await duplicateTask(queueContext, queue, 2);
    const times = (await queue.read()).tasks.map(({ state }) => [state.id, state.ownerScheduledAt]);
    const at = times[0]?.[1];
    assert.ok(typeof at === 'number');
    assert.deepEqual(times.slice(1, 2), [[3, at]]);
    assert.deepEqual(times.at(-1), [4, null]);
    assert.equal((await queue.cells(3))['scheduled_time'], time);
  });

  it('get another priority, and stay approved', async () => {
    const { queueContext, queue } = context();
    for (const prompt of ['one', 'two', 'three']) await add(prompt);
    assert.deepEqual(await editTasks(queueContext, queue, [3, 9, 2], { priority: 'high' }), [3, 2]);
    const tasks = (await context().look()).tasks.map(({ task, reason }) => [
      task.definition.priority,
      reason.state,
    ]);
    assert.deepEqual(tasks, [
      ['medium', 'ready'],
      ['high', 'ready'],
      ['high', 'ready'],
    ]);
  });

  it('are moved one after the other', async () => {
    const { queueContext, queue } = context();
    for (const prompt of ['one', 'two', 'three']) await add(prompt);
    await moveRows(queueContext, queue, [
      { id: 3, before: 1 },
      { id: 1, before: null },
    ]);
    assert.deepEqual(
      (await rows()).map((row) => (row as readonly unknown[])[0]),
      [3, 2, 1],
    );
  });
});
