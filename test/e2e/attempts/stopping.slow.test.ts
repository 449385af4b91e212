import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../support/machine/processTable';
import { isAbout, NO_SECOND_TRY, openPlace } from '../../support/queue/queuePlace';
import { hang, text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import { LONG_ROW, longTurns, openLongPlace, waitForTool } from './runningTool';
import { installStubborn } from './stubbornClaude';

describe('Stopping', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    it(`a worker by ${signal} ends Claude and its command, counts nothing, and the task continues later in its session`, async () => {
      const place = await openLongPlace();
      const { queue } = place;
      await queue.trust([LONG_ROW]);
      const worker = queue.start('work');
      const run = await waitForTool(place, worker);
      worker.kill(signal);
      assert.equal((await worker.ended).code, 0);
      assert.deepEqual(run.filter(isRunning), []);
      assert.deepEqual(place.processes(), []);
      const stopped = await queue.task(1);
      assert.deepEqual(
        [stopped.status, stopped.retryCount, stopped.lastOutcome],
        ['pending', 0, 'cancelled'],
      );

      assert.equal((await queue.run('work --until-empty')).code, 0);
      const [first, second, ...more] = longTurns(place);
      assert.deepEqual([second?.session, more.length], [first?.session, 0]);
      assert.equal((await queue.task(1)).status, 'completed');
    });
  }

  it('now, from another process, ends the attempt and the worker, and the task resumes its session later', async () => {
    const place = await openLongPlace();
    const { queue } = place;
    await queue.trust([LONG_ROW, { id: 2, prompt: 'Another task' }]);
    const worker = queue.start('work');
    const run = await waitForTool(place, worker);
    const stop = await queue.run('stop --now');
    assert.match(stop.stdout, /to stop now\. Running: 1/);
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(run.filter(isRunning), []);
    assert.equal(longTurns(place).length, place.api.turns().length);
    assert.equal((await queue.task(1)).status, 'pending');
    assert.equal((await queue.run('work --until-empty')).code, 0);
    const [first, second] = longTurns(place);
    assert.equal(second?.session, first?.session);
  });

  it('after the task lets its attempt end and starts no other', async () => {
    let answer: (reply: Reply) => void = () => undefined;
    const place = await openPlace({
      respond: (turn) =>
        isAbout(turn, 'First') ? new Promise((resolve) => (answer = resolve)) : text('Done.'),
    });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'First' },
      { id: 2, prompt: 'Second' },
    ]);
    const worker = queue.start('work');
    await place.api.waitForTurn((turn) => isAbout(turn, 'First'));
    assert.match((await queue.run('stop')).stdout, /after their current task.*Running: 1/);
    answer(text('Done.'));
    assert.equal((await worker.ended).code, 0);
    const { tasks } = await queue.status();
    assert.deepEqual(
      tasks.map(({ status }) => status),
      ['completed', 'pending'],
    );
    assert.equal((await queue.run('work --until-empty')).code, 0, 'a worker that starts later is not meant');
    assert.equal((await queue.task(2)).status, 'completed');
  });

  it('at a timeout is an error, and leaves no process of a silent API or of a command', async () => {
    const hanging = await openPlace({ respond: () => hang(), env: NO_SECOND_TRY });
    const working = await openLongPlace({ env: NO_SECOND_TRY });
    await Promise.all([
      hanging.queue.trust([{ ...LONG_ROW, timeout: '2s' }]),
      working.queue.trust([{ ...LONG_ROW, timeout: '20s' }]),
    ]);
    const silent = hanging.queue.start('run');
    const busy = working.queue.start('run');
    const tree = await waitForTool(working, busy);
    for (const [place, run] of [
      [hanging, silent],
      [working, busy],
    ] as const) {
      const { code, stdout } = await run.ended;
      assert.equal(code, 1);
      assert.match(stdout, /ended: error \(timeout\)/);
      const task = await place.queue.task(1);
      assert.deepEqual([task.shown, task.retryCount], ['retrying', 1]);
      assert.match(place.queue.log('retry_tasks'), /^1,[^\n]*,1,1,3,Wait for a long time\n$/);
      assert.deepEqual(place.processes(), []);
    }
    assert.deepEqual(tree.filter(isRunning), []);
  });

  it('a worker happens when its output is no longer read', async () => {
    const place = await openPlace({
      respond: (turn) =>
        turn.toolResults === 0
          ? tool('Bash', { command: 'until [ -e unread ]; do sleep 0.05; done' })
          : tool('Bash', { command: 'sleep 321', timeout: 600_000 }, 'Nobody sees this.'),
    });
    const { queue } = place;
    await queue.trust([LONG_ROW]);
    const worker = queue.start('work');
    await worker.waitForLine(/Bash until/);
    worker.stopReading();
    writeFileSync(join(queue.folder, 'unread'), '');
    assert.equal((await worker.ended).code, 0);
    assert.deepEqual(place.processes(), []);
    const task = await queue.task(1);
    assert.deepEqual([task.shown, task.lastOutcome], ['ready', 'cancelled']);
  });

  it('leaves no process after a successful task', async () => {
    const place = await openPlace({
      respond: (turn) =>
        turn.toolResults > 0
          ? text('Done.')
          : tool('Bash', {
              command: '(setsid nohup sleep 322 > /dev/null 2>&1 &); nohup sleep 322 > /dev/null 2>&1 &',
            }),
    });
    const { queue } = place;
    await queue.trust([LONG_ROW]);
    const { code, stdout } = await queue.run('run');
    assert.equal(code, 0);
    assert.match(stdout, /ended: success/);
    assert.deepEqual(place.processes(), []);
  });

  it('ends a Claude that ignores signals', async () => {
    const place = await openPlace({ env: { CLAUDE_QUEUE_STOP_GRACE: '300ms' } });
    const { queue } = place;
    const stubborn = installStubborn(place, '(while :; do sleep 1; done) &');
    await queue.trust([{ ...LONG_ROW, timeout: '1s' }]);
    const { code, stdout } = await queue.run('run', { CLAUDE_QUEUE_CLAUDE: stubborn });
    assert.equal(code, 1, stdout);
    assert.match(stdout, /ended: error \(timeout\)/);
    assert.deepEqual(place.processes(), []);
  });
});
