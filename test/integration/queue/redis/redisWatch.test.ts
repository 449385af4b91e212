import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { RedisKeys } from '../../../../src/queue/redis/keys';
import { watchLog } from '../../../../src/queue/redis/redisWatch';
import { until } from '../../../support/until';

describe('The watch of a queue whose Redis is away', () => {
  it('tries again after longer and longer pauses, and reports each vain attempt', async () => {
    const times: number[] = [];
    const server = createServer((socket) => {
      times.push(performance.now());
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const over = new AbortController();
    let reports = 0;
    try {
      const report = (): void => {
        reports += 1;
      };
      watchLog({ host: '127.0.0.1', port, db: 0 }, new RedisKeys('team'), report, over.signal);
      await until('it reported five times', () => reports >= 5);
    } finally {
      over.abort();
      server.close();
    }
    const [first = 0, , , , fifth = 0] = times;
    // Timers are never early: 250, 500, 1,000 and 2,000 ms.
    assert.ok(fifth - first > 3_700, `five times in ${String(fifth - first)} ms`);
  });
});
