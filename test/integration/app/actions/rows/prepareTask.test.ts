import assert from 'node:assert/strict';
import { importTasks, prepareTask } from '../../../../../src/app/actions/rows/importTasks';
import type { QueueContext } from '../../../../../src/app/context/queueContext';
import { buildViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { openContext, type OpenContext } from '../../../../support/queue/openContexts';

describe('A task that a tool adds', () => {
  let context: OpenContext;
  let queueContext: QueueContext;
  let queue: TaskQueue;

  beforeEach(async () => {
    context = await openContext({ rows: [{ id: 1, prompt: 'Count the stars' }] });
    ({ queueContext, queue } = context);
  });
  afterEach(() => context.close());

  const plan = (cells: Readonly<Record<string, string>>) =>
    prepareTask(queueContext, queue, { cells, folder: '.' });

  it('has the usual cells, is not approved, and has its origin', async () => {
    const planned = await plan({ prompt: 'Name them', dependencies: '1', priority: 'high' });
    assert.deepEqual(
      planned.rows.map(({ problems }) => problems),
      [[]],
    );
    const ids = await importTasks(queueContext, queue, {
      plan: planned,
      chosen: planned.rows,
      from: 'a chat',
    });
    assert.deepEqual(ids, [2]);
    const { tasks } = await buildViewModel(queueContext, queue);
    const added = tasks.find(({ task }) => task.definition.id === 2);
    const { prompt, priority, dependencies } = added?.task.definition ?? {};
    assert.deepEqual([prompt, priority, dependencies], ['Name them', 'high', [1]]);
    assert.equal((await queueContext.openApprovals().readOrigins()).get(2), 'a chat');
    assert.deepEqual([...(await queueContext.openApprovals().read()).approvals], []);
  });

  for (const [cells, problem] of [
    [{ prompt: 'Name them', dependencies: '9' }, /depends on task 9/],
    [{ prompt: 'Name them', scheduled_time: 'soon' }, /time "soon" is not a valid date/],
    [{ prompt: ' ' }, /prompt/],
  ] as const)
    it(`is refused: ${JSON.stringify(cells)}`, async () => {
      const { rows } = await plan(cells);
      assert.match(rows[0]?.problems.join(' ') ?? '', problem);
    });
});
