import assert from 'node:assert/strict';
import { isRunning } from '../../support/machine/processTable';
import type { Running } from '../../support/machine/processes';
import { isAbout, openPlace, type Place } from '../../support/queue/queuePlace';
import { text, tool, type Reply } from '../../support/claude/replies';
import { LONG_ROW, longTurns, waitForTool } from './runningTool';

const URGENT = 'Put out the fire';
const LOW = { ...LONG_ROW, priority: 'low' };

/** A place whose urgent task waits for its answer. */
async function openBusyPlace(): Promise<{ place: Place; answerUrgent: () => void }> {
  let isStarted = false;
  let answer: (reply: Reply) => void = () => undefined;
  const place = await openPlace({
    respond: (turn) => {
      if (isAbout(turn, URGENT)) return new Promise((resolve) => (answer = resolve));
      if (isStarted) return text('Done after all.');
      isStarted = true;
      return tool('Bash', { command: 'touch started; sleep 321', timeout: 600_000 });
    },
  });
  place.queue.writeRules('preempt: critical');
  return {
    place,
    answerUrgent: () => {
      answer(text('It is out.'));
    },
  };
}

async function addUrgent({ queue }: Place): Promise<void> {
  const { code, stderr } = await queue.run(['add', URGENT, '--priority', 'critical']);
  assert.equal(code, 0, stderr);
}

async function startLow(
  place: Place,
): Promise<{ worker: Running; run: Awaited<ReturnType<typeof waitForTool>> }> {
  await place.queue.trust([LOW]);
  const worker = place.queue.start('work --until-empty');
  return { worker, run: await waitForTool(place, worker) };
}

describe('A critical task that is added while a low one runs', () => {
  it('starts in its place; the low one resumes in its session, and no retry is counted', async () => {
    const { place, answerUrgent } = await openBusyPlace();
    const { queue } = place;
    const { worker, run } = await startLow(place);
    await addUrgent(place);
    await place.api.waitForTurn((turn) => isAbout(turn, URGENT));
    assert.deepEqual(run.filter(isRunning), [], 'nothing of the low task runs any more');
    const waiting = await queue.task(1);
    assert.deepEqual([waiting.status, waiting.retryCount, waiting.reason], ['pending', 0, 'made way for 2']);
    assert.equal(waiting.lastMessage, 'Made way for 2; will resume in the same session.');
    assert.match((await queue.run('log 1')).stdout, /was stopped\. Made way for 2/);
    assert.match((await queue.run('status')).stdout, /made way for 2/);

    answerUrgent();
    const { code, stdout } = await worker.ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Task 1 ended: cancelled \(made-way\).* Made way for 2/);
    const [first, second, ...more] = longTurns(place);
    assert.deepEqual([second?.session, more.length], [first?.session, 0]);
    assert.match(second?.lastUserText ?? '', /a more urgent one could run.*This is the task/s);
    for (const id of [1, 2]) {
      const task = await queue.task(id);
      assert.deepEqual([task.status, task.retryCount], ['completed', 0]);
    }
    const { stdout: history } = await queue.run('history --json');
    const { attempts } = JSON.parse(history) as {
      attempts: { id: number; reason: string; message: string }[];
    };
    assert.deepEqual(attempts.map(({ id, reason }) => [id, reason]).slice(-1), [[1, 'made-way']]);
    assert.match(
      (await queue.run('report --since 1h')).stdout,
      /Stopped for critical tasks\n.*task 1 made way for 2\./,
    );
    assert.match((await queue.run('replay --since 1h')).stdout, /3 starts: 3 the same, 0 different/);
  });

  it('runs once, and so does the low one, if the worker is killed right after its decision', async () => {
    const { place, answerUrgent } = await openBusyPlace();
    const { queue } = place;
    const { worker, run } = await startLow(place);
    const decided = worker.waitForLine(/Stopping: makes way for 2/);
    await addUrgent(place);
    await decided;
    worker.kill('SIGKILL');
    await worker.ended;

    const next = queue.start('work --until-empty');
    await place.api.waitForTurn((turn) => isAbout(turn, URGENT));
    assert.deepEqual(run.filter(isRunning), []);
    answerUrgent();
    const { code, stdout } = await next.ended;
    assert.equal(code, 0, stdout);
    const [first, second, ...more] = longTurns(place);
    assert.deepEqual([second?.session, more.length], [first?.session, 0]);
    assert.equal(place.turnsOf(URGENT).length, 1);
    for (const id of [1, 2]) {
      const task = await queue.task(id);
      assert.deepEqual([task.status, task.retryCount], ['completed', 0]);
    }
    assert.deepEqual(place.processes(), []);
  });
});
