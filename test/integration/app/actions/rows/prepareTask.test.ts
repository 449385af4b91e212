import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importTasks, prepareTask } from '../../../../../src/app/actions/rows/importTasks';
import { QueueContext } from '../../../../../src/app/context/queueContext';
import { buildViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import { systemClock } from '../../../../../src/platform/clock';
import { systemProcesses } from '../../../../../src/platform/processes/processes';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { composeCsv } from '../../../../support/queue/rows';

describe('A task that a tool adds', () => {
  let folder: string;
  let queueContext: QueueContext;
  let queue: TaskQueue;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tool-')));
    mkdirSync(join(folder, 'claude_queue'));
    const file = join(folder, 'claude_queue', 'prompts.csv');
    writeFileSync(file, composeCsv([{ id: 1, prompt: 'Count the stars' }]));
    const past = new Date(Date.now() - 60_000);
    utimesSync(file, past, past);
    queueContext = new QueueContext(
      { queue: file },
      {
        env: { HOME: folder, XDG_STATE_HOME: join(folder, 'user'), PATH: join(folder, 'empty') },
        cwd: folder,
        clock: systemClock,
        random: () => 0.5,
        createId: randomUUID,
        // These tests may themselves run inside of an attempt.
        processes: { ...systemProcesses, isInsideAttempt: () => false, ancestors: () => [] },
        timeZone: 'UTC',
        warn: (message) => assert.fail(message),
      },
    );
    queue = await queueContext.openQueue();
  });
  afterEach(async () => {
    await queue.close();
    rmSync(folder, { recursive: true, force: true });
  });

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
