import assert from 'node:assert/strict';
import { formatMinute } from '../../../src/domain/time/localTime';
import { processZone } from '../../../src/platform/timeZones';
import { openPlace, type Place } from '../../support/queue/queuePlace';
import { SleepProgram } from '../../support/machine/sleepProgram';
import { until } from '../../support/until';
import { LONG_ROW, openLongPlace, waitForTool } from '../attempts/runningTool';

const ASKED = { CLAUDE_QUEUE_KEEP_AWAKE: 'while-working' };

const START = /^start --what=idle:sleep --who=Claude Queue --why=Tasks are running --mode=block cat$/;

const FAR = '2199-01-01 09:00';

describe('A worker with keepAwake', () => {
  it('prevents sleep while a task runs, and reports it', async () => {
    const { place, sleep, env } = open(await openLongPlace());
    const { queue } = place;
    await queue.trust([LONG_ROW, { id: 2, prompt: 'Later', scheduled_time: FAR }]);
    const worker = queue.start('work', env);
    await waitForTool(place, worker);
    assert.match(await until('sleep is held off', () => sleep.lines()[0]), START);
    const { stdout } = await until('it is recorded', async () => {
      const status = await queue.run('status');
      return status.stdout.includes('Sleep is prevented.') ? status : null;
    });
    assert.match(stdout, /Worker \d+ is running\. Sleep is prevented\./);
    await queue.run('cancel 1');
    await worker.waitForLine(/Sleep is allowed again\./);
    await until('it has ended', () => sleep.lines()[1] === 'end');
    assert.doesNotMatch((await queue.run('status')).stdout, /Preventing sleep/);
  });

  it('that is killed no longer prevents sleep', async () => {
    const { place, sleep, env } = open(await openLongPlace());
    await place.queue.trust([LONG_ROW]);
    const worker = place.queue.start('work', env);
    await waitForTool(place, worker);
    await until('sleep is held off', () => sleep.lines().length === 1);
    worker.kill('SIGKILL');
    await until('it has ended', () => sleep.lines()[1] === 'end');
  });

  it('prevents sleep for a task that is scheduled within 12 h', async () => {
    const { place, sleep, env } = open(await openPlace());
    const soon = formatMinute(Date.now() + 2 * 3_600_000, processZone());
    await place.queue.trust([{ id: 1, prompt: 'Soon', scheduled_time: soon }]);
    const worker = place.queue.start('work', env);
    await until('sleep is held off', () => sleep.lines().length === 1);
    worker.kill('SIGTERM');
    await until('it has ended', () => sleep.lines()[1] === 'end');
  });

  it('prevents sleep for a task that is retried soon, not for one whose time is far', async () => {
    const { place, sleep, env } = open(await openPlace());
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Later', scheduled_time: FAR }]);
    const worker = queue.start('work', env);
    await until('it works', async () => (await queue.status()).workers.length === 1);
    await worker.waitForLine(/2199/);
    assert.deepEqual(sleep.lines(), []);
    const failing = { id: 2, prompt: 'Check it', verify: '["false"]' };
    await queue.trust([{ id: 1, prompt: 'Later', scheduled_time: FAR }, failing]);
    await until('it failed', async () => (await queue.task(2)).lastOutcome === 'error');
    await until('sleep is held off', () => sleep.lines().length === 1);
    await queue.run('cancel 2');
    await until('it has ended', () => sleep.lines()[1] === 'end');
  });

  it('reports once that it cannot, and keeps running', async () => {
    const { place, env } = open(await openPlace(), 'refuse');
    await place.queue.trust([1, 2, 3].map((id) => ({ id, prompt: `Do ${String(id)}` })));
    const { stdout, code } = await place.queue.run('work --until-empty', env);
    assert.equal(code, 0, stdout);
    const reported = stdout.match(
      /Sleep is not prevented: systemd-inhibit: it ended with exit code 1 \(Access denied\)\./g,
    );
    assert.equal(reported?.length, 1, stdout);
  });

  it('does not run by default', async () => {
    const { place, sleep } = open(await openPlace());
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    await place.queue.run('work --until-empty', sleep.path());
    assert.deepEqual(sleep.lines(), []);
  });
});

function open(
  place: Place,
  act: 'hold' | 'refuse' = 'hold',
): { place: Place; sleep: SleepProgram; env: Readonly<Record<string, string>> } {
  const sleep = new SleepProgram(place.home.folder, 'systemd-inhibit', act);
  return { place, sleep, env: { ...ASKED, ...sleep.path(place.home.env['PATH']) } };
}
