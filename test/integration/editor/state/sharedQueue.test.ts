import assert from 'node:assert/strict';
import { isProblem } from '../../../../src/domain/problem';
import { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import { callCli } from '../../../support/machine/cli';
import { startRedis } from '../../../support/redis/redisServer';
import { until } from '../../../support/until';
import { makeFolder } from '../../queue/folder';

describe('A window on a queue in Redis', () => {
  it('is notified of changes by other processes, and of the return of Redis', async () => {
    const server = await startRedis({ aof: 'always' });
    const folder = makeFolder();
    const env = { HOME: folder, PATH: process.env['PATH'] ?? '' };
    const redis = `redis://127.0.0.1:${String(server.port)}/0?queue=team`;
    const opened = await OpenedQueue.open({
      ...{ file: 'prompts.csv', redis, folder, env, window: null, lastAccount: undefined },
      warn: () => undefined,
    });
    let changes = 0;
    opened.watch(() => {
      changes += 1;
    });
    const ids = async (): Promise<number[]> =>
      (await opened.look()).tasks.map(({ task }) => task.definition.id);
    try {
      await until('it watches', () => changes > 0);
      const before = changes;
      const { code } = await callCli(['--redis', redis, 'add', 'Hearts'], { cwd: folder, env });
      assert.equal(code, 0);
      await until('the change is reported', () => changes > before);
      assert.deepEqual(await ids(), [1]);
      server.kill('SIGKILL');
      await server.ended();
      await assert.rejects(ids(), (error) => isProblem(error, 'redis-away'));
      const away = changes;
      await server.restart();
      await until('the return is reported', () => changes > away);
      await until('the queue is read', async () => (await ids().catch(() => [])).length === 1);
    } finally {
      await opened.close();
      await server.stop();
    }
  });
});
