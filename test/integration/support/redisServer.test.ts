import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis, type RedisOptions as ClientOptions } from 'ioredis';
import { start } from '../../support/machine/processes';
import { startRedis, type RedisOptions, type RedisServer } from '../../support/redis/redisServer';
import { until } from '../../support/until';

const ROOT = resolve(__dirname, '../../..');

/** A child that starts a server, prints its process id, and waits. */
const STARTER = `
  const { startRedis } = require('./test/support/redis/redisServer');
  startRedis().then((server) => console.log('pid ' + server.pid), console.error);
  setInterval(() => {}, 1000);`;

type Extra = Pick<ClientOptions, 'tls' | 'enableReadyCheck' | 'maxRetriesPerRequest'>;

describe('startRedis', () => {
  let server: RedisServer;
  const clients: Redis[] = [];

  async function prepare(options?: RedisOptions): Promise<void> {
    server = await startRedis(options);
  }

  /** A client that does not connect again by itself. */
  function open(url = server.url, options: Extra = {}): Redis {
    const client = new Redis(url, { ...options, retryStrategy: () => null, lazyConnect: true });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }

  afterEach(async () => {
    for (const client of clients.splice(0)) client.disconnect();
    await server.stop();
  });

  it('starts a Redis 7.0 or newer that answers', async () => {
    await prepare();
    const info = await open().info('server');
    assert.ok(Number(/redis_version:(\d+)/.exec(info)?.[1]) >= 7, info);
    assert.ok(info.includes(`process_id:${server.pid}\r\n`));
  });

  it('keeps what was written over a kill and a restart on the same port, with an append-only file', async () => {
    await prepare({ aof: 'always' });
    const { port, pid } = server;
    await open().set('key', 'kept');
    server.kill('SIGKILL');
    await server.ended();
    await server.restart();
    assert.equal(server.port, port);
    assert.notEqual(server.pid, pid);
    assert.equal(await open().get('key'), 'kept');
  });

  it('has nothing left after a restart without an append-only file', async () => {
    await prepare();
    await open().set('key', 'lost');
    await server.restart();
    assert.equal(await open().get('key'), null);
  });

  it('refuses who does not know the password', async () => {
    await prepare({ password: 'p@ss/word' });
    assert.equal(await open().ping(), 'PONG');
    const stranger = open(`redis://127.0.0.1:${server.port}`);
    await assert.rejects(stranger.get('key'), /NOAUTH/);
  });

  it('lets a user of the ACL use only the keys and commands that are named', async () => {
    await prepare({ acl: ['user worker on >secret ~{q}:* +get +set'] });
    const worker = open(`redis://worker:secret@127.0.0.1:${server.port}`, { enableReadyCheck: false });
    assert.equal(await worker.set('{q}:a', '1'), 'OK');
    await assert.rejects(worker.get('other'), /NOPERM/);
    await assert.rejects(worker.flushall(), /NOPERM/);
  });

  it('speaks TLS with a certificate that only those accept who are given it', async () => {
    await prepare({ tls: true, password: 'secret' });
    assert.match(server.url, /^rediss:/);
    const ca = readFileSync(server.caFile ?? '');
    assert.equal(await open(server.url, { tls: { ca } }).ping(), 'PONG');
    await assert.rejects(open(server.url, { maxRetriesPerRequest: 0 }).connect());
    await assert.rejects(open(server.url.replace('rediss', 'redis')).connect());
  });

  it('removes its own folder when it is stopped, and keeps one that it was given', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
    try {
      await prepare();
      await server.stop();
      assert.equal(existsSync(server.folder), false);
      await prepare({ folder, aof: 'everysec' });
      await open().set('key', 'kept');
      await server.stop();
      await prepare({ folder, aof: 'everysec' });
      assert.equal(await open().get('key'), 'kept');
      await server.stop();
      assert.equal(existsSync(folder), true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('ends with the process that started it, even if that is killed', async () => {
    await prepare();
    const child = start(process.execPath, ['--import=tsx', '--eval', STARTER], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const line = await child.waitForLine(/^pid \d+$/);
    const pid = Number(line.slice('pid '.length));
    assert.equal(isAlive(pid), true);
    child.kill('SIGKILL');
    await until('the server has ended', () => !isAlive(pid));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
