import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../support/redis/redisServer';
import { TcpProxy } from '../../support/redis/tcpProxy';
import { until } from '../../support/until';

/** A client that remembers what it received and how its connection ended. */
class Caller {
  received = '';
  failure: string | undefined;
  private readonly socket: Socket;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (bytes) => (this.received += bytes.toString()));
    this.socket.on('error', (error) => (this.failure = 'code' in error ? String(error.code) : error.message));
  }

  get isClosed(): boolean {
    return this.socket.closed;
  }

  send(text: string): void {
    this.socket.write(text);
  }

  end(): void {
    this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }

  hears(text: string): Promise<boolean> {
    return until(`"${text}" was received`, () => this.received === text);
  }
}

describe('TcpProxy', () => {
  let echo: Server;
  let proxy: TcpProxy;
  /** Text that the server behind the proxy received. */
  let heard: string;
  let ends: string[];
  const callers: Caller[] = [];

  function call(): Caller {
    const caller = new Caller(proxy.port);
    callers.push(caller);
    return caller;
  }

  /** A caller whose connection is known to work. */
  async function callAndHear(text: string): Promise<Caller> {
    const caller = call();
    caller.send(text);
    await caller.hears(text);
    return caller;
  }

  beforeEach(async () => {
    heard = '';
    ends = [];
    echo = createServer({ noDelay: true }, (socket) => {
      socket.on('data', (bytes) => {
        heard += bytes.toString();
        socket.write(bytes);
      });
      socket.on('end', () => ends.push('end'));
      socket.on('error', (error) => ends.push('code' in error ? String(error.code) : error.message));
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await TcpProxy.open((echo.address() as AddressInfo).port);
  });

  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.close();
    await proxy.close();
    echo.close();
  });

  it('passes on what comes from both sides, and the end', async () => {
    const caller = await callAndHear('hello');
    caller.end();
    await until('the connection is closed on all sides', () => caller.isClosed && proxy.connections === 0);
    assert.deepEqual([heard, ends, caller.failure], ['hello', ['end'], undefined]);
  });

  for (const direction of ['toServer', 'toClient'] as const) {
    it(`delays ${direction}, in order`, async () => {
      const caller = await callAndHear('0');
      proxy.delay({ [direction]: 80 });
      const sentMs = performance.now();
      caller.send('1');
      await until('the server or the proxy has it', () => direction === 'toServer' || heard === '01');
      caller.send('2');
      await caller.hears('012');
      assert.ok(performance.now() - sentMs >= 80);
    });

    it(`passes nothing on ${direction} while it is stalled, and everything afterwards`, async () => {
      const caller = await callAndHear('0');
      proxy.stall(direction);
      caller.send('1');
      const other = call();
      other.send('a');
      if (direction === 'toClient') await until('the server has it', () => heard.length === 3);
      // The proxy is alive meanwhile: it does for one connection after the other what it does for these.
      await callBesideAndHear();
      assert.deepEqual([caller.received, other.received], ['0', '']);
      if (direction === 'toServer') assert.equal(heard, '0beside');
      proxy.heal();
      await caller.hears('01');
      await other.hears('a');
    });
  }

  /** Round trips to the same server that do not go through the proxy. */
  async function callBesideAndHear(): Promise<void> {
    const caller = new Caller((echo.address() as AddressInfo).port);
    callers.push(caller);
    caller.send('beside');
    await caller.hears('beside');
  }

  it('accepts a connection while it is stalled, and does not pass its end on to the server', async () => {
    const caller = await callAndHear('0');
    proxy.stall();
    caller.end();
    const other = call();
    await until('both are connected', () => proxy.connections === 2);
    await callBesideAndHear();
    assert.deepEqual([ends, other.isClosed], [[], false]);
    proxy.heal();
    await until('the server knows', () => ends.length === 1);
  });

  it('resets all connections, on both sides', async () => {
    const both = [await callAndHear('0'), await callAndHear('1')];
    proxy.cut();
    await until('both are closed', () => both.every(({ isClosed }) => isClosed));
    await until('the server knows', () => ends.length === 2);
    assert.deepEqual(
      both.map(({ failure }) => failure),
      ['ECONNRESET', 'ECONNRESET'],
    );
    assert.deepEqual(ends, ['ECONNRESET', 'ECONNRESET']);
    await callAndHear('again');
  });

  it('cuts after the N-th byte of a reply, and nothing afterwards', async () => {
    const caller = await callAndHear('0');
    const cut = proxy.cutAfter(4, 'toClient');
    caller.send('123');
    await caller.hears('0123');
    caller.send('456');
    await cut;
    await until('it is closed', () => caller.isClosed);
    assert.deepEqual([caller.received, heard], ['01234', '0123456']);
    await callAndHear('a longer text');
  });

  it('cuts in the middle of a request, so that the server has only its beginning', async () => {
    const caller = await callAndHear('0');
    const cut = proxy.cutAfter(2, 'toServer');
    caller.send('12345');
    await cut;
    await until('the server knows', () => ends.length === 1);
    assert.equal(heard, '012');
  });

  it('forgets a cut that did not happen when it heals', async () => {
    const caller = await callAndHear('0');
    void proxy.cutAfter(2, 'toClient');
    proxy.heal();
    caller.send('12345');
    await caller.hears('012345');
  });
});

describe('TcpProxy before Redis', () => {
  let redis: RedisServer;
  let proxy: TcpProxy;
  let client: Redis;

  beforeEach(async () => {
    redis = await startRedis({ password: 'secret' });
    proxy = await TcpProxy.open(redis.port);
    client = new Redis(proxy.urlOf(redis.url), { maxRetriesPerRequest: 0, retryStrategy: () => 1 });
    client.on('error', () => undefined);
  });

  afterEach(async () => {
    client.disconnect();
    await proxy.close();
    await redis.stop();
  });

  it('cuts at the next reply: the command was executed, and nobody knows', async () => {
    assert.equal(await client.incr('counter'), 1);
    const cut = proxy.cutAtNextReply();
    await assert.rejects(client.incr('counter'));
    await cut;
    await until('the client is connected again', () => client.status === 'ready');
    assert.equal(await client.get('counter'), '2');
  });
});
