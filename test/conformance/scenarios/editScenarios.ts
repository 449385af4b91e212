import assert from 'node:assert/strict';
import { describeError } from '../../../src/app/present/problems/problem';
import { isProblem } from '../../../src/domain/problem';
import { HOUR, type Harness } from '../harness';
import type { TaskDraft } from '../../../src/queue/taskQueue';
import type { Scenario } from '../queueConformance';

/** Scenarios of cells that the program writes for the user. */
export function describeEdits(scenario: Scenario): void {
  describe('edits a row', () => {
    scenario('in the named cells only', async (harness) => {
      await harness.put(1, { maxRetries: 5 });
      await harness.put(2);
      const before = await harness.task(1);
      await harness.queue.edit(1, { priority: 'critical', dependencies: '2' }, harness.op());
      const after = await harness.task(1);
      assert.deepEqual(after?.definition, {
        ...before?.definition,
        priority: 'critical',
        dependencies: [2],
      });
      assert.deepEqual(after.state, before?.state);
      assert.deepEqual(await harness.drain(), [2, 1]);
    });

    scenario(
      'with a new prompt: it is another task, and its new permissions are returned',
      async (harness) => {
        await harness.put(1);
        const before = (await harness.state(1)).power;
        const { id, power } = await harness.queue.edit(1, { prompt: 'Something else' }, harness.op());
        assert.equal(id, 1);
        assert.notEqual(power, before);
        assert.equal((await harness.state(1)).power, power);
        assert.equal((await harness.claim()).definition.prompt, 'Something else');
      },
    );

    scenario('with another text for the system prompt: its permissions are others', async (harness) => {
      await harness.put(1);
      const before = (await harness.state(1)).power;
      const text = '--version\n"Be brief", and polite.';
      const { power } = await harness.queue.edit(1, { append_system_prompt: text }, harness.op());
      assert.notEqual(power, before);
      assert.equal((await harness.claim()).definition.appendSystemPrompt, text);
    });

    scenario('with a time that counts as set by the user', async (harness) => {
      await harness.put(1);
      await harness.queue.edit(1, { scheduled_time: '2026-03-02 12:00' }, harness.op());
      assert.equal((await harness.state(1)).ownerScheduledAt, harness.now + 2 * HOUR);
      assert.equal((await harness.why(1)).state, 'scheduled');
    });

    scenario('with what it says already, without effect on a retry that waits', async (harness) => {
      await harness.put(1);
      const cells = { scheduled_time: '2026-03-02 09:00', status: 'pending' };
      await harness.queue.edit(1, cells, harness.op());
      await harness.finish(await harness.claim(), 'error');
      const before = await harness.state(1);
      assert.equal(before.dueCause, 'retry');
      await harness.queue.edit(1, cells, harness.op());
      assert.deepEqual(await harness.state(1), before);
    });

    scenario('while it runs, without effect on the attempt', async (harness) => {
      await harness.put(1);
      const claimed = await harness.claim();
      await harness.queue.edit(1, { priority: 'low' }, harness.op());
      assert.deepEqual(await harness.queue.renew(claimed.claim, 0), {});
      await harness.finish(claimed, 'success');
      const task = await harness.task(1);
      assert.deepEqual([task?.definition.priority, task?.state.status], ['low', 'completed']);
    });

    scenario('once, however often the same call is repeated', async (harness) => {
      await harness.put(1);
      const op = harness.op();
      await harness.queue.edit(1, { priority: 'high' }, op);
      await harness.queue.edit(1, { priority: 'low' }, harness.op());
      await harness.queue.edit(1, { priority: 'high' }, op);
      assert.equal((await harness.task(1))?.definition.priority, 'low');
    });

    scenario('but rejects an unknown id, an unknown column and an invalid value', async (harness) => {
      await harness.put(1);
      const before = await harness.task(1);
      const edit = (id: number, cells: Readonly<Record<string, string>>): Promise<unknown> =>
        harness.queue.edit(id, cells, harness.op());
      await assert.rejects(edit(9, { priority: 'low' }), (error) => isProblem(error, 'no-such-task'));
      await assert.rejects(edit(1, { colour: 'red' }), (error) => isProblem(error, 'usage'));
      await assert.rejects(edit(1, { priority: 'soon' }), (error) => isProblem(error, 'usage'));
      await assert.rejects(edit(1, { prompt: '' }), (error) => isProblem(error, 'usage'));
      assert.deepEqual(await harness.task(1), before);
    });

    scenario('but rejects an unknown dependency and a cycle, and returns the cycle', async (harness) => {
      await harness.put(3);
      await harness.put(7, { dependencies: [3] });
      const edit = (dependencies: string): Promise<unknown> =>
        harness.queue.edit(3, { dependencies }, harness.op());
      await assert.rejects(
        edit('99'),
        (error) => isProblem(error, 'usage') && describeError(error).includes('99'),
      );
      await assert.rejects(
        edit('7'),
        (error) => isProblem(error, 'usage') && describeError(error).includes('3 → 7 → 3'),
      );
      await assert.rejects(
        edit('3'),
        (error) => isProblem(error, 'usage') && describeError(error).includes('3 → 3'),
      );
      assert.deepEqual((await harness.queue.read()).problems, []);
    });

    scenario('but rejects an edit that changes nothing while a dependency is unknown', async (harness) => {
      await harness.put(1);
      await harness.put(2, { dependencies: [1], priority: 'low' });
      await harness.subject.remove(1);
      const edit = harness.queue.edit(2, { priority: 'low' }, harness.op());
      await assert.rejects(edit, (error) => isProblem(error, 'usage') && describeError(error).includes('1'));
    });

    scenario('and adds several with consecutive ids, or none of them', async (harness) => {
      await harness.put(1);
      const row = (cells: Readonly<Record<string, string>>): TaskDraft => ({
        fields: { prompt: 'New', working_dir: '/place/new', ...cells },
      });
      const op = harness.op();
      const rows = [row({}), row({ dependencies: '1' })];
      const ids = (await harness.queue.addAll(rows, op)).map(({ id }) => id);
      assert.deepEqual(ids, [2, 3]);
      assert.deepEqual(
        (await harness.queue.addAll(rows, op)).map(({ id }) => id),
        ids,
      );
      const bad = harness.queue.addAll([row({}), row({ dependencies: '99' })], harness.op());
      await assert.rejects(bad, (error) => isProblem(error, 'usage'));
      assert.deepEqual(await idsOf(harness), [1, 2, 3]);
    });

    scenario('and names the place of a draft that is not valid', async (harness) => {
      const draft = (cells: Readonly<Record<string, string>>, place?: string): TaskDraft => ({
        fields: { prompt: 'New', working_dir: '/place/new', ...cells },
        ...(place === undefined ? {} : { place }),
      });
      const wrong = [{ priority: 'zz' }, { dependencies: '99' }, { colour: 'red' }];
      for (const cells of wrong)
        for (const others of [[], [draft({}, 'b.txt, line 3')]])
          await assert.rejects(
            harness.queue.addAll([...others, draft(cells, 'b.txt, line 5')], harness.op()),
            (error) => isProblem(error, 'usage') && describeError(error).startsWith('b.txt, line 5: '),
          );
      await assert.rejects(
        harness.queue.addAll([draft({}), draft({ priority: 'zz' })], harness.op()),
        /^Problem: New row 2: /,
      );
      assert.deepEqual(await idsOf(harness), []);
    });

    scenario(
      'and adds several that depend on each other, in their order, or none of them',
      async (harness) => {
        await harness.put(1);
        const row = (after: readonly number[], dependencies = ''): TaskDraft => ({
          fields: { prompt: 'New', working_dir: '/place/new', dependencies },
          after,
        });
        const op = harness.op();
        const rows = [row([3], '1'), row([0]), row([]), row([])];
        for (const _ of ['first', 'repeated'])
          assert.deepEqual(
            (await harness.queue.addAll(rows, op)).map(({ id }) => id),
            [2, 3, 4, 5],
          );
        const add = (...drafts: readonly TaskDraft[]): Promise<unknown> =>
          harness.queue.addAll(drafts, harness.op());
        await assert.rejects(
          add(row([1]), row([0])),
          (error) => isProblem(error, 'usage') && describeError(error).includes('6 → 7 → 6'),
        );
        await assert.rejects(
          add(row([]), row([2])),
          (error) => isProblem(error, 'usage') && describeError(error).includes('8'),
        );
        assert.deepEqual(
          (await harness.queue.read()).tasks.map(({ definition }) => [
            definition.id,
            definition.dependencies,
          ]),
          [
            [1, []],
            [2, [1, 5]],
            [3, [2]],
            [4, []],
            [5, []],
          ],
        );
        assert.deepEqual(await harness.drain(), [1, 4, 5, 2, 3]);
      },
    );

    scenario('and removes several or none, once, and keeps their history', async (harness) => {
      for (const id of [1, 2, 3]) await harness.put(id);
      await harness.put(4, { dependencies: [3] });
      await harness.finish(await harness.claim({ id: 1 }), 'success');
      const remove = (ids: readonly number[], op = harness.op()): Promise<unknown> =>
        harness.queue.remove(ids, op);
      const running = await harness.claim({ id: 2 });
      await assert.rejects(remove([1, 2]), (error) => isProblem(error, 'already-running'));
      await harness.queue.release(running.claim, 'stopped', harness.op());
      await assert.rejects(remove([1, 9]), (error) => isProblem(error, 'no-such-task'));
      await assert.rejects(
        remove([1, 3]),
        (error) => isProblem(error, 'conflict') && describeError(error).includes('Task 4 depends on task 3'),
      );
      assert.deepEqual(await idsOf(harness), [1, 2, 3, 4]);
      const op = harness.op();
      await remove([1, 3, 4], op);
      await remove([1, 3, 4], op);
      assert.deepEqual(await idsOf(harness), [2]);
      assert.equal((await harness.queue.attempts({ id: 1 })).length, 1);
    });

    scenario('and puts removed rows back where they were, once, with their history', async (harness) => {
      for (const id of [1, 2, 3, 4, 5]) await harness.put(id);
      await harness.put(3, { dependencies: [2] });
      await harness.finish(await harness.claim({ id: 2 }), 'success');
      const before = await harness.queue.read();
      const removed = await harness.queue.remove([3, 2, 5], harness.op());
      assert.deepEqual(
        removed.map(({ id, above, below }) => [id, above, below]),
        [
          [2, 1, 4],
          [3, 1, 4],
          [5, 4, null],
        ],
      );
      const op = harness.op();
      await harness.queue.restore(removed, op);
      await harness.queue.restore(removed, op);
      const after = await harness.queue.read();
      assert.deepEqual(after.tasks, before.tasks);
      assert.deepEqual(await harness.drain(), [1, 3, 4, 5]);
    });

    scenario('and puts a row back beside the neighbor that is still there', async (harness) => {
      for (const id of [1, 2, 3, 4]) await harness.put(id);
      const restore = async (id: number, removedNext: number): Promise<number[]> => {
        const rows = await harness.queue.remove([id], harness.op());
        const others = await harness.queue.remove([removedNext], harness.op());
        await harness.queue.restore(rows, harness.op());
        const ids = await idsOf(harness);
        await harness.queue.restore(others, harness.op());
        return ids;
      };
      assert.deepEqual(await restore(2, 3), [1, 2, 4]);
      assert.deepEqual(await idsOf(harness), [1, 2, 3, 4]);
      assert.deepEqual(await restore(1, 2), [1, 3, 4]);
      assert.deepEqual(await idsOf(harness), [1, 2, 3, 4]);
    });

    scenario('but puts none back if its id exists again or a dependency is gone', async (harness) => {
      for (const id of [1, 2]) await harness.put(id);
      await harness.put(3, { dependencies: [2] });
      const third = await harness.queue.remove([3], harness.op());
      await harness.queue.remove([2], harness.op());
      await assert.rejects(
        harness.queue.restore(third, harness.op()),
        (error) => isProblem(error, 'usage') && describeError(error).includes('2'),
      );
      await harness.put(3, { prompt: 'Another' });
      await assert.rejects(
        harness.queue.restore(third, harness.op()),
        (error) => isProblem(error, 'conflict') && describeError(error).includes('it exists again'),
      );
      assert.deepEqual(await idsOf(harness), [1, 3]);
    });

    scenario('and shows the cells of a row', async (harness) => {
      await harness.put(7, { priority: 'high', dependencies: [] });
      const { id, priority, prompt } = await harness.queue.cells(7);
      assert.deepEqual([id, priority, prompt], ['7', 'high', 'Do 7']);
      await assert.rejects(harness.queue.cells(8), (error) => isProblem(error, 'no-such-task'));
    });

    scenario(
      'and moves it before another or to the end, which is the order within a priority',
      async (harness) => {
        for (const id of [1, 2, 3, 4]) await harness.put(id);
        const move = (id: number, before: number | null, op = harness.op()): Promise<void> =>
          harness.queue.move(id, before, op);
        await move(4, 2);
        assert.deepEqual(await idsOf(harness), [1, 4, 2, 3]);
        const op = harness.op();
        await move(1, null, op);
        assert.deepEqual(await idsOf(harness), [4, 2, 3, 1]);
        await move(2, 4);
        await move(1, null, op);
        await move(2, 2);
        await move(3, 1);
        assert.deepEqual(await idsOf(harness), [2, 4, 3, 1]);
        await move(1, 2);
        await move(1, null, op);
        await assert.rejects(move(9, 1), (error) => isProblem(error, 'no-such-task'));
        await assert.rejects(move(1, 9), (error) => isProblem(error, 'no-such-task'));
        assert.deepEqual(await harness.drain(), [1, 2, 4, 3]);
      },
    );

    scenario('and moves one that runs, without effect on its attempt', async (harness) => {
      for (const id of [1, 2]) await harness.put(id);
      const claimed = await harness.claim();
      await harness.queue.move(1, null, harness.op());
      assert.deepEqual(await harness.queue.renew(claimed.claim, 0), {});
      await harness.finish(claimed, 'success');
      assert.deepEqual(await idsOf(harness), [2, 1]);
      assert.equal((await harness.state(1)).status, 'completed');
    });

    scenario('and adds none with an unknown dependency', async (harness) => {
      await harness.put(1);
      const row = { fields: { prompt: 'New', working_dir: '/place/new', dependencies: '99' } };
      await assert.rejects(harness.queue.add(row, harness.op()), (error) => isProblem(error, 'usage'));
      assert.deepEqual(
        (await harness.queue.read()).tasks.map(({ definition }) => definition.id),
        [1],
      );
    });
  });
}

async function idsOf({ queue }: Harness): Promise<number[]> {
  return (await queue.read()).tasks.map(({ definition }) => definition.id);
}
