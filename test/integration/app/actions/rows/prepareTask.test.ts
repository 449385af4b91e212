import assert from 'node:assert/strict';
import { CHAT } from '../../../../../src/account/approvals';
import { findChange, readKnownRows } from '../../../../../src/app/approval/approvedChanges';
import { summarizeChange } from '../../../../../src/app/present/rowChanges';
import { importTasks, prepareImport, prepareTask } from '../../../../../src/app/actions/rows/importTasks';
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
      from: CHAT,
    });
    assert.deepEqual(ids, [2]);
    const { tasks } = await buildViewModel(queueContext, queue);
    const added = tasks.find(({ task }) => task.definition.id === 2);
    const { prompt, priority, dependencies } = added?.task.definition ?? {};
    assert.deepEqual([prompt, priority, dependencies], ['Name them', 'high', [1]]);
    assert.ok(added);
    const known = await readKnownRows(queueContext.openApprovals());
    assert.equal(summarizeChange(findChange(added, known)), 'added by a chat');
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

describe('Rows of a file that depend on each other', () => {
  let context: OpenContext;

  beforeEach(async () => {
    context = await openContext({ rows: [{ id: 1, prompt: 'Count the stars' }] });
  });
  afterEach(() => context.close());

  it('are added in one call and in the order of the file', async () => {
    const { queueContext, queue } = context;
    const text = 'id,working_dir,prompt,dependencies\n1,.,a,\n2,.,b,1\n3,.,b2,\n4,.,c,2\n';
    const file = { name: 'tasks.csv', bytes: Buffer.from(text), folder: '.' };
    const plan = await prepareImport(queueContext, queue, file);
    const chosen = plan.rows.toReversed();
    const { revision } = await queue.read();
    assert.deepEqual(
      await importTasks(queueContext, queue, { plan, chosen, from: 'tasks.csv' }),
      [2, 3, 4, 5],
    );
    const { tasks, revision: after } = await queue.read();
    assert.equal(after, revision + 1);
    assert.deepEqual(
      tasks.slice(1).map(({ definition }) => [definition.prompt, definition.dependencies]),
      [
        ['a', []],
        ['b', [2]],
        ['b2', []],
        ['c', [3]],
      ],
    );
  });

  it('are refused if one depends on a cancelled row that is left out', async () => {
    const { queueContext, queue } = context;
    const text = 'id,working_dir,prompt,status,dependencies\n1,.,a,cancelled,\n2,.,b,completed,1\n';
    const file = { name: 'tasks.csv', bytes: Buffer.from(text), folder: '.' };
    const plan = await prepareImport(queueContext, queue, file);
    await assert.rejects(
      importTasks(queueContext, queue, { plan, chosen: plan.rows.slice(1), from: 'tasks.csv' }),
      { reason: 'usage', message: 'Row 2 depends on row 1. Import both, or neither.' },
    );
  });
});
