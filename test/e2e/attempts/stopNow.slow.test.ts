import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../support/machine/processTable';
import type { ListedProcess } from '../../support/machine/processTable';
import { openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import type { Running } from '../../support/machine/processes';
import { text, tool } from '../../support/claude/replies';
import type { RowCells } from '../../support/queue/rows';
import { until } from '../../support/until';
import { installStubborn } from './stubbornClaude';

/** Command that leaves three processes behind: one that waits, one that ignores a hang-up, one in its own session. */
const LEAVES =
  'setsid sleep 331 > /dev/null 2>&1 & nohup sleep 331 > /dev/null 2>&1 & touch started; sleep 331';
const SLEEPS_OF_A_RUN = 3;
const TWO_LANES = { CLAUDE_QUEUE_MAX_RUNNING: '2' };

describe('"stop --now"', () => {
  /** Two tasks, each in a folder of its own, whose Claude calls that command, and is done when it is asked again. */
  async function openTwo(): Promise<{ place: Place; rows: readonly RowCells[] }> {
    const started = new Set<string>();
    const place = await openPlace({
      env: TWO_LANES,
      respond: (turn) => {
        const isFirst = !started.has(turn.session);
        started.add(turn.session);
        return isFirst ? tool('Bash', { command: LEAVES, timeout: 600_000 }) : text('Done after all.');
      },
    });
    const rows = [1, 2].map((id) => {
      const working_dir = join(place.home.workspace, `work-${id}`);
      mkdirSync(working_dir);
      return { id, prompt: `Task number ${id}`, working_dir, allowed_tools: 'Bash' };
    });
    return { place, rows };
  }

  /** Everything of both runs, once their commands run; the worker is not part of it. */
  async function waitForBoth(
    place: Place,
    worker: Running,
    rows: readonly RowCells[],
  ): Promise<readonly ListedProcess[]> {
    const folders = rows.map(({ working_dir }) => String(working_dir));
    await until('both commands run', () => folders.every((folder) => existsSync(join(folder, 'started'))));
    return until('all they start is there', () => {
      const runs = place.processes().filter(({ pid }) => pid !== worker.pid);
      const sleeps = runs.filter(({ command }) => command === 'sleep 331');
      return sleeps.length === rows.length * SLEEPS_OF_A_RUN ? runs : null;
    });
  }

  it('ends two attempts with all their processes, counts nothing, and both continue later', async () => {
    const { place, rows } = await openTwo();
    const { queue } = place;
    await queue.trust(rows);
    const worker = queue.start('work --workers 2');
    const runs = await waitForBoth(place, worker, rows);
    const stop = await queue.run('stop --now');
    assert.equal(stop.code, 0);
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(runs.filter(isRunning), []);
    assert.deepEqual(place.processes(), [], 'whatever came after they were looked at');
    const { tasks } = await queue.status();
    assert.deepEqual(
      tasks.map(({ status, retryCount, lastOutcome }) => [status, retryCount, lastOutcome]),
      [1, 2].map(() => ['pending', 0, 'cancelled']),
    );

    assert.equal((await queue.run('work --until-empty')).code, 0);
    for (const { prompt } of rows) {
      const [first, second, ...more] = place.turnsOf(prompt);
      assert.deepEqual([second?.session, more.length], [first?.session, 0]);
      assert.match(second?.lastUserText ?? '', /resumes it now\./);
    }
    const after = await queue.status();
    assert.deepEqual(
      after.tasks.map(({ status }) => status),
      ['completed', 'completed'],
    );
  });

  it('kills a Claude that ignores it, with its processes, after the grace period', async () => {
    const place = await openPlace({ env: { CLAUDE_QUEUE_STOP_GRACE: '300ms' } });
    const { queue } = place;
    const stubborn = installStubborn(place, 'setsid sleep 331 > /dev/null 2>&1 &', 'touch started');
    await queue.trust([{ id: 1, prompt: 'Listen' }]);
    const worker = queue.start('work', { CLAUDE_QUEUE_CLAUDE: stubborn });
    await until('it runs', () => existsSync(join(queue.folder, 'started')));
    const run = place.processes().filter(({ pid }) => pid !== worker.pid);
    assert.ok(run.length > 1);
    assert.equal((await queue.run('stop --now')).code, 0);
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(run.filter(isRunning), []);
    assert.deepEqual(place.processes(), []);
    const task = await queue.task(1);
    assert.deepEqual([task.status, task.retryCount, task.lastOutcome], ['pending', 0, 'cancelled']);
  });

  it('ends a row’s check', async () => {
    const place = await openPlace();
    const { queue } = place;
    const verify = JSON.stringify(['sh', '-c', 'setsid sleep 331 & touch checking; sleep 331']);
    await queue.trust([{ id: 1, prompt: 'Check it', verify }]);
    const worker = queue.start('work');
    await until('the check runs', () => existsSync(join(queue.folder, 'checking')));
    await until('what it starts runs', () =>
      place.processes().some(({ command }) => command === 'sleep 331'),
    );
    assert.equal((await queue.run('stop --now')).code, 0);
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(place.processes(), []);
    const task = await queue.task(1);
    assert.deepEqual([task.status, task.retryCount, task.lastOutcome], ['pending', 0, 'cancelled']);
  });
});
