import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallbackFailure } from '../../../../src/domain/queue/callbacks';
import { readNetworks, type Network } from '../../../../src/domain/settings/networks';
import { systemClock } from '../../../../src/platform/clock';
import { isPrivate } from '../../../../src/platform/net/addresses';
import { foreseeRefusal, post, type PostRules } from '../../../../src/platform/net/post';
import { HookServer } from '../../../support/machine/hookServer';
import { makeCertificate } from '../../../support/redis/certificate';

const HERE = networks('127.0.0.1');

describe('A callback over the network', () => {
  let server: HookServer;
  beforeEach(async () => {
    server = await HookServer.open();
  });
  afterEach(() => server.close());

  it('is posted with its headers and its text', async () => {
    assert.equal(await send(server.url('/hook?a=1'), { allow: HERE }), null);
    assert.deepEqual(
      server.received.map(({ path, body, headers }) => [path, body, headers['x-task-id']]),
      [['/hook?a=1', 'Grüße', '12']],
    );
  });

  it('is refused at private addresses that are not allowed, however they are written', async () => {
    const port = String(server.port);
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ];
    for (const host of hosts) {
      const failure = await send(`http://${host}:${port}/`, { allow: [] });
      assert.equal(failure?.kind, 'private', host);
    }
    assert.equal((await send('https://169.254.169.254/latest'))?.kind, 'private');
    assert.deepEqual(server.received, []);
  });

  it('over http: goes only to an address that is allowed', async () => {
    const lookup = (): Promise<readonly string[]> => Promise.resolve(['93.184.216.34']);
    assert.deepEqual(await send('http://example.com/', { lookup }), { kind: 'not-encrypted' });
  });

  it('is known to be refused without a lookup, if its host is an address or can have none that is allowed', () => {
    const allow = networks('10.1.0.0/16');
    const foreseen = (url: string): string | null => foreseeRefusal(url, allow)?.kind ?? null;
    assert.deepEqual(
      ['https://10.2.0.1/', 'http://93.184.216.34/', 'http://10.1.0.1/', 'https://93.184.216.34/'].map(
        foreseen,
      ),
      ['private', 'not-encrypted', null, null],
    );
    assert.deepEqual(['http://ntfy.lan/', 'https://ntfy.lan/'].map(foreseen), [null, null]);
    assert.equal(foreseeRefusal('http://ntfy.lan/', [])?.kind, 'not-encrypted');
  });

  it('goes to the address that was checked, even if the name has another one by then', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const lookup = (): Promise<readonly string[]> => Promise.resolve(answers[asked++] ?? []);
    assert.equal(await send(server.url('/', 'rebinding.test'), { allow: HERE, lookup }), null);
    assert.equal(asked, 1);
    assert.equal(server.received[0]?.headers.host, `rebinding.test:${String(server.port)}`);
  });

  it('skips the private addresses of a name that has others, too', async () => {
    const lookup = (): Promise<readonly string[]> => Promise.resolve(['10.0.0.1', '127.0.0.1']);
    assert.equal(await send(server.url('/', 'both.test'), { allow: HERE, lookup }), null);
  });

  it('follows no redirect', async () => {
    server.answer = () => ({ status: 307, location: server.url('/other') });
    assert.deepEqual(await send(server.url(), { allow: HERE }), { kind: 'redirect', status: 307 });
    assert.equal(server.received.length, 1);
  });

  it('fails with the status that the server answers', async () => {
    server.answer = () => ({ status: 503 });
    assert.deepEqual(await send(server.url(), { allow: HERE }), { kind: 'status', status: 503 });
  });

  it('is cut off when the server does not answer in time', async () => {
    server.answer = () => 'silence';
    let end: () => void = () => undefined;
    const asked: number[] = [];
    const clock = {
      ...systemClock,
      sleep: (ms: number) => {
        asked.push(ms);
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      },
    };
    const sent = send(server.url(), { allow: HERE, clock });
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    end();
    assert.deepEqual([await sent, asked], [{ kind: 'timeout' }, [10_000]]);
  });

  it('fails with the code of a connection that cannot be made', async () => {
    const url = server.url();
    await server.close();
    assert.deepEqual(await send(url, { allow: HERE }), { kind: 'connection', code: 'ECONNREFUSED' });
    server = await HookServer.open();
  });

  it('over https: checks the certificate for the name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hooks-'));
    const { certFile, keyFile } = makeCertificate(folder);
    const ca = readFileSync(certFile, 'utf8');
    const secure = await HookServer.open({ cert: ca, key: readFileSync(keyFile) });
    try {
      const lookup = (): Promise<readonly string[]> => Promise.resolve(['127.0.0.1']);
      assert.equal(await send(secure.url('/', 'localhost'), { allow: HERE, lookup, ca }), null);
      const other = await send(secure.url('/', 'other.test'), { allow: HERE, lookup, ca });
      assert.deepEqual(other, { kind: 'connection', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
      assert.equal((await send(secure.url('/', 'localhost'), { allow: HERE, lookup }))?.kind, 'connection');
      assert.equal(secure.received.length, 1);
    } finally {
      await secure.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('An IP address', () => {
  const privates =
    '127.8.8.8 10.1.2.3 172.16.0.1 172.31.255.255 192.168.0.1 169.254.1.1 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 ' +
    ':: ::1 fe80::1 fc00::1 fdff::1 fec0::1 ff02::1 2001:db8::1 64:ff9b::a00:1 2002:a00:1:: ::ffff:10.0.0.1 ::ffff:7f00:1';
  const publics = '8.8.8.8 172.32.0.1 172.15.0.1 192.169.0.1 100.128.0.1 2606:4700::1111 ::ffff:8.8.8.8';
  it('is private in every range that is not public', () => {
    for (const address of privates.split(' ')) assert.equal(isPrivate(address), true, address);
    for (const address of publics.split(' ')) assert.equal(isPrivate(address), false, address);
  });
});

function networks(...texts: string[]): readonly Network[] {
  const read = readNetworks(texts);
  assert.ok('value' in read);
  return read.value;
}

function send(url: string, rules: Partial<PostRules> = {}): Promise<CallbackFailure | null> {
  const headers = { 'x-task-id': '12' };
  return post(
    { url, headers, body: 'Grüße' },
    { allow: [], timeoutMs: 10_000, clock: systemClock, ...rules },
  );
}
