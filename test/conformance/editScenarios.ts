import assert from 'node:assert/strict';
import { isProblem } from '../../src/domain/problem';
import { HOUR, type Bench } from './bench';
import type { NewRow } from '../../src/queue/taskQueue';
import type { Scenario } from './queueConformance';

/** What the program writes into a row because a person told it to. */
export function describeEdits(scenario: Scenario): void {
  describe('edits a row', () => {
    scenario('in the cells that are named, and nowhere else', async (bench) => {
      await bench.put(1, { maxRetries: 5 });
      await bench.put(2);
      const before = await bench.task(1);
      await bench.queue.edit(1, { priority: 'critical', dependencies: '2' }, bench.op());
      const after = await bench.task(1);
      assert.deepEqual(after?.definition, {
        ...before?.definition,
        priority: 'critical',
        dependencies: [2],
      });
      assert.deepEqual(after.state, before?.state);
      assert.deepEqual(await bench.drain(), [2, 1]);
    });

    scenario('so that another prompt is another task, and says what it can do now', async (bench) => {
      await bench.put(1);
      const before = (await bench.state(1)).power;
      const { id, power } = await bench.queue.edit(1, { prompt: 'Something else' }, bench.op());
      assert.equal(id, 1);
      assert.notEqual(power, before);
      assert.equal((await bench.state(1)).power, power);
      assert.equal((await bench.claim()).definition.prompt, 'Something else');
    });

    scenario('with a time that counts as its owner’s', async (bench) => {
      await bench.put(1);
      await bench.queue.edit(1, { scheduled_time: '2026-03-02 12:00' }, bench.op());
      assert.equal((await bench.state(1)).ownerScheduledAt, bench.now + 2 * HOUR);
      assert.equal((await bench.why(1)).shown, 'scheduled');
    });

    scenario('while it runs, without a word to the run', async (bench) => {
      await bench.put(1);
      const claimed = await bench.claim();
      await bench.queue.edit(1, { priority: 'low' }, bench.op());
      assert.deepEqual(await bench.queue.renew(claimed.claim, 0), {});
      await bench.finish(claimed, 'success');
      const task = await bench.task(1);
      assert.deepEqual([task?.definition.priority, task?.state.status], ['low', 'completed']);
    });

    scenario('once, however often the same call comes', async (bench) => {
      await bench.put(1);
      const op = bench.op();
      await bench.queue.edit(1, { priority: 'high' }, op);
      await bench.queue.edit(1, { priority: 'low' }, bench.op());
      await bench.queue.edit(1, { priority: 'high' }, op);
      assert.equal((await bench.task(1))?.definition.priority, 'low');
    });

    scenario('not that is not there, in a column that is not, or with what means nothing', async (bench) => {
      await bench.put(1);
      const before = await bench.task(1);
      const edit = (id: number, cells: Readonly<Record<string, string>>): Promise<unknown> =>
        bench.queue.edit(id, cells, bench.op());
      await assert.rejects(edit(9, { priority: 'low' }), (error) => isProblem(error, 'no-such-task'));
      await assert.rejects(edit(1, { colour: 'red' }), (error) => isProblem(error, 'usage'));
      await assert.rejects(edit(1, { priority: 'soon' }), (error) => isProblem(error, 'usage'));
      await assert.rejects(edit(1, { prompt: '' }), (error) => isProblem(error, 'usage'));
      assert.deepEqual(await bench.task(1), before);
    });

    scenario('not so that it waits for nobody, or for itself, and shows the circle', async (bench) => {
      await bench.put(3);
      await bench.put(7, { dependencies: [3] });
      const edit = (dependencies: string): Promise<unknown> =>
        bench.queue.edit(3, { dependencies }, bench.op());
      await assert.rejects(edit('99'), (error) => isProblem(error, 'usage') && error.message.includes('99'));
      await assert.rejects(
        edit('7'),
        (error) => isProblem(error, 'usage') && error.message.includes('3 → 7 → 3'),
      );
      await assert.rejects(
        edit('3'),
        (error) => isProblem(error, 'usage') && error.message.includes('3 → 3'),
      );
      assert.deepEqual((await bench.queue.read()).problems, []);
    });

    scenario('and adds several with ids that follow each other, or none', async (bench) => {
      await bench.put(1);
      const row = (cells: Readonly<Record<string, string>>): NewRow => ({
        cells: { prompt: 'New', working_dir: '/place/new', ...cells },
      });
      const op = bench.op();
      const rows = [row({}), row({ dependencies: '1' })];
      const ids = (await bench.queue.addAll(rows, op)).map(({ id }) => id);
      assert.deepEqual(ids, [2, 3]);
      assert.deepEqual(
        (await bench.queue.addAll(rows, op)).map(({ id }) => id),
        ids,
      );
      const bad = bench.queue.addAll([row({}), row({ dependencies: '99' })], bench.op());
      await assert.rejects(bad, (error) => isProblem(error, 'usage'));
      assert.deepEqual(await idsOf(bench), [1, 2, 3]);
    });

    scenario('and removes several, all or none, once, and keeps their history', async (bench) => {
      for (const id of [1, 2, 3]) await bench.put(id);
      await bench.put(4, { dependencies: [3] });
      await bench.finish(await bench.claim({ id: 1 }), 'success');
      const remove = (ids: readonly number[], op = bench.op()): Promise<void> =>
        bench.queue.removeRows(ids, op);
      const running = await bench.claim({ id: 2 });
      await assert.rejects(remove([1, 2]), (error) => isProblem(error, 'already-running'));
      await bench.queue.release(running.claim, 'stopped', bench.op());
      await assert.rejects(remove([1, 9]), (error) => isProblem(error, 'no-such-task'));
      await assert.rejects(
        remove([1, 3]),
        (error) => isProblem(error, 'usage') && error.message.includes('Task 4 depends on task 3'),
      );
      assert.deepEqual(await idsOf(bench), [1, 2, 3, 4]);
      const op = bench.op();
      await remove([1, 3, 4], op);
      await remove([1, 3, 4], op);
      assert.deepEqual(await idsOf(bench), [2]);
      assert.equal((await bench.queue.attempts({ id: 1 })).length, 1);
    });

    scenario('and adds none that waits for nobody', async (bench) => {
      await bench.put(1);
      const row = { cells: { prompt: 'New', working_dir: '/place/new', dependencies: '99' } };
      await assert.rejects(bench.queue.add(row, bench.op()), (error) => isProblem(error, 'usage'));
      assert.deepEqual(
        (await bench.queue.read()).tasks.map(({ definition }) => definition.id),
        [1],
      );
    });
  });
}

async function idsOf({ queue }: Bench): Promise<number[]> {
  return (await queue.read()).tasks.map(({ definition }) => definition.id);
}
