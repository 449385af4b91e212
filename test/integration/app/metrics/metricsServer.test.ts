import assert from 'node:assert/strict';
import { request } from 'node:http';
import { MetricsServer } from '../../../../src/app/metrics/metricsServer';
import { isProblem } from '../../../../src/domain/problem';

const LOCAL = { host: '127.0.0.1', port: 0 };

describe('The server of metrics', () => {
  const servers: MetricsServer[] = [];
  const failures: unknown[] = [];

  async function serve(take: () => Promise<string>, address = LOCAL): Promise<MetricsServer> {
    const server = await MetricsServer.start(address, { take, failed: (error) => failures.push(error) });
    servers.push(server);
    return server;
  }

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    failures.length = 0;
  });

  it('answers with the metrics as they are at the time of the request', async () => {
    let scrapes = 0;
    const { url } = await serve(() => Promise.resolve(`scrapes ${String((scrapes += 1))}\n`));
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const first = await fetch(url);
    assert.equal(first.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.deepEqual([await first.text(), await (await fetch(url)).text()], ['scrapes 1\n', 'scrapes 2\n']);
  });

  it('serves nothing else', async () => {
    const { url } = await serve(() => Promise.resolve('metrics'));
    assert.equal((await fetch(url.replace('/metrics', '/'))).status, 404);
    assert.equal((await fetch(url, { method: 'POST' })).status, 405);
    assert.equal(await (await fetch(url, { method: 'HEAD' })).text(), '');
  });

  it('refuses a request for the name of a web page that was made to lead here', async () => {
    const { url } = await serve(() => Promise.resolve('metrics'));
    const askAs = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = request(url, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.on('error', reject).end();
      });
    assert.deepEqual(
      [await askAs('evil.example'), await askAs('10.0.0.1:9090'), await askAs('localhost:9090')],
      [403, 403, 200],
    );
  });

  it('reports a queue that cannot be read, without its reason to who asks', async () => {
    const { url } = await serve(() => Promise.reject(new Error('/srv/queues/prompts.csv')));
    const answer = await fetch(url);
    assert.deepEqual([answer.status, await answer.text()], [503, 'The queue cannot be read now\n']);
    assert.equal(failures.length, 1);
  });

  it('refuses a port that is in use, with what to do', async () => {
    const { url } = await serve(() => Promise.resolve(''));
    const port = Number(new URL(url).port);
    await assert.rejects(
      serve(() => Promise.resolve(''), { ...LOCAL, port }),
      (error) => {
        assert.ok(isProblem(error, 'usage'));
        assert.match(error.message, /the port is in use\. Give another one, or 0 for a free one\.$/);
        return true;
      },
    );
  });

  it('frees its port when it is closed, also with an open connection', async () => {
    const server = await serve(() => new Promise(() => undefined));
    const { url } = server;
    const asking = fetch(url);
    const refused = assert.rejects(asking);
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    await refused;
    servers.length = 0;
    await assert.rejects(fetch(url));
  });
});
