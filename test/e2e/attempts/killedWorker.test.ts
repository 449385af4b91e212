import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../support/machine/processTable';
import { openPlace } from '../../support/queue/queuePlace';
import type { ListedProcess } from '../../support/machine/processTable';
import type { Running } from '../../support/machine/processes';
import { startRedis } from '../../support/redis/redisServer';
import { until } from '../../support/until';
import {
  isLasting,
  LONG_ROW,
  longTurns,
  openLongPlace,
  tokensOfFirst,
  waitForSleep,
  waitForTool,
} from './runningTool';

describe('A killed worker', () => {
  it('during a command of Claude is noticed by the next worker, which ends leftover processes and resumes the session', async () => {
    let left: readonly ListedProcess[] = [];
    let aliveAtResume: readonly ListedProcess[] = [];
    const place = await openLongPlace({ onAgain: () => (aliveAtResume = left.filter(isRunning)) });
    const { queue } = place;
    await queue.trust([LONG_ROW]);
    const worker = queue.start('work');
    left = await waitForTool(place, worker);
    worker.kill('SIGKILL');
    await worker.ended;
    assert.ok(left.filter(isLasting).every(isRunning), 'the run outlives its worker');
    const orphaned = await queue.task(1);
    assert.equal(orphaned.shown, 'waiting');
    assert.match(orphaned.reason, /^worker \d+ died during the attempt/);

    const next = queue.start('work --until-empty');
    assert.match(await next.waitForLine(/lost/), /Task 1 was lost: worker \d+ died/i);
    const { code, stdout } = await next.ended;
    assert.equal(code, 0, stdout);
    assert.deepEqual(aliveAtResume, []);
    assert.deepEqual(left.filter(isRunning), []);
    const turns = longTurns(place);
    assert.equal(turns.length, 2);
    assert.equal(turns[1]?.session, turns[0]?.session);
    assert.match(turns[1]?.lastUserText ?? '', /ended in the middle.*This is the task/s);
    const task = await queue.task(1);
    assert.deepEqual([task.status, task.retryCount, task.lastOutcome], ['completed', 0, 'success']);
    assert.match(queue.log('executed'), /^1,[^\n]*,0,Wait for a long time\n$/);
    assert.ok((await tokensOfFirst(queue)) > 0);
  });

  it('of a queue in Redis leaves no process: other machines start its task once its lease has ended', async () => {
    const redis = await startRedis();
    try {
      const place = await openLongPlace();
      const { queue } = place;
      const call = (...words: readonly string[]): Running => queue.start(['--redis', redis.url, ...words]);
      const adding = call('add', LONG_ROW.prompt, '--dir', queue.folder, '--allow', 'Bash');
      assert.equal((await adding.ended).code, 0);
      const worker = call('work');
      await waitForSleep(place, worker);
      worker.kill('SIGKILL');
      await worker.ended;
      await until('no process is left', () => place.processes().length === 0);
    } finally {
      await redis.stop();
    }
  });

  it('right after a claim loses nothing: the prompt is sent once, in the planned session', async () => {
    const place = await openPlace();
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Say hello' }]);
    // A git that does not answer: the worker waits for it, its task claimed, and gives claude no prompt.
    const programs = join(place.home.folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'git'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    const worker = queue.start('work', { PATH: `${programs}:${queue.env['PATH'] ?? ''}` });
    await worker.waitForLine(/Task 1 \(medium, attempt 1\)/);
    const { session } = await queue.task(1);
    worker.kill('SIGKILL');
    await worker.ended;
    assert.deepEqual(place.api.turns(), []);

    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Task 1 was lost: worker \d+ died/i);
    assert.deepEqual(
      place.api.turns().map((turn) => [turn.session, turn.lastUserText.trim()]),
      [[session, 'Say hello']],
    );
    assert.equal((await queue.task(1)).retryCount, 0);
  });
});
