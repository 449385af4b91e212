import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { CallbackSettings } from '../../../../src/app/notify/composeCallback';
import { DueCallbacks, type DueCallbacksDeps } from '../../../../src/app/notify/dueCallbacks';
import { readNetworks } from '../../../../src/domain/settings/networks';
import { defaults } from '../../../../src/domain/settings/settings';
import type { TaskQueue } from '../../../../src/queue/taskQueue';
import { FileSystemUnderTest } from '../../../conformance/fileSystemUnderTest';
import { Harness, MINUTE, workerOf } from '../../../conformance/harness';
import { HookServer } from '../../../support/machine/hookServer';

const SECRET = 'a-secret-of-many-letters';

/** A queue in a file, a server, and senders on one machine. */
class Scene extends Harness {
  server = null as unknown as HookServer;
  own: CallbackSettings = defaults;
  /** Claude's answer, where its output is on this machine. */
  output: string | null = 'The answer.';
  private readonly sleepers: (() => void)[] = [];
  private ids = 0;

  async start(): Promise<void> {
    this.server = await HookServer.open();
    const allow = readNetworks(['127.0.0.1']);
    assert.ok('value' in allow);
    this.own = { ...defaults, callbackAllow: allow.value };
    this.settings = defaults;
    this.output = 'The answer.';
    await this.open((clock, machine) => FileSystemUnderTest.open(clock, machine));
  }

  async end(): Promise<void> {
    await this.subject.close();
    await this.server.close();
  }

  /** The time of every request is over. */
  timeOut(): void {
    for (const wake of this.sleepers.splice(0)) wake();
  }

  freshId(): number {
    this.ids += 1;
    return this.ids;
  }

  /** A process with this id looks for callbacks, and ends. */
  async sendDue(pid = 1, queue: TaskQueue = this.queue): Promise<void> {
    const { machine, process } = workerOf(pid);
    const deps: DueCallbacksDeps = {
      queue,
      sender: { machine, process },
      machine: this.machine,
      createId: () => this.op(),
      clock: {
        now: () => this.now,
        sleep: (_, signal) =>
          new Promise((resolve) => {
            this.sleepers.push(resolve);
            signal?.addEventListener('abort', () => resolve());
          }),
      },
      settings: () => this.own,
      readResult: () => Promise.resolve(this.output),
    };
    await new DueCallbacks(deps).sendDue(await queue.read(), () => false);
  }
}

describe('A sender of callbacks', () => {
  const harness = new Scene();
  beforeEach(() => harness.start());
  afterEach(() => harness.end());

  it('posts the end of an attempt as JSON, with its ids', async () => {
    await harness.put(1, {
      callbackUrl: harness.server.url(),
      requestId: 'r-1',
      metadata: '{"tags": ["a"]}',
    });
    const { claim } = await harness.run('error');
    await harness.sendDue();
    const [{ headers, body } = assert.fail()] = harness.server.received;
    assert.deepEqual(
      ['x-task-id', 'idempotency-key', 'webhook-id', 'content-type'].map((name) => headers[name]),
      ['1', claim.mark, claim.mark, 'application/json'],
    );
    assert.equal(headers['webhook-signature'], undefined);
    const at = new Date(harness.now).toISOString();
    assert.deepEqual(JSON.parse(body), {
      ...{ status: 'pending', taskId: 1, attemptId: claim.mark, attempt: 1 },
      ...{ requestId: 'r-1', metadata: { tags: ['a'] }, outcome: 'error', reason: 'error' },
      result: 'The answer.',
      error: { code: 'error', message: 'It ended with error.' },
      ...{ startedAt: at, endedAt: at, costUsd: null },
    });
  });

  for (const [cell, value] of [
    ['null', null],
    ['42', 42],
    ['night shift', 'night shift'],
  ] as const) {
    it(`posts the metadata ${cell} as ${JSON.stringify(value)}`, async () => {
      await harness.put(1, { callbackUrl: harness.server.url(), metadata: cell });
      await harness.run('success');
      await harness.sendDue();
      const [{ body } = assert.fail()] = harness.server.received;
      assert.deepEqual((JSON.parse(body) as { metadata: unknown }).metadata, value);
    });
  }

  it('sends the answer that is kept with the callback where the output is on another machine', async () => {
    await harness.put(1, { callbackUrl: harness.server.url() });
    const claimed = await harness.claim();
    const end = { ...(await harness.endOf(claimed, 'success')), result: 'The start of the answer.' };
    await harness.queue.finish(claimed.claim, { ...end, definition: claimed.definition }, harness.op());
    harness.output = null;
    await harness.sendDue();
    const [{ body } = assert.fail()] = harness.server.received;
    assert.equal((JSON.parse(body) as { result: unknown }).result, 'The start of the answer.');
  });

  it('signs id, time and text as Standard Webhooks says', async () => {
    for (const [secret, key] of [
      [SECRET, Buffer.from(SECRET)],
      [`whsec_${Buffer.from(SECRET).toString('base64')}`, Buffer.from(SECRET)],
    ] as const) {
      harness.own = { ...harness.own, callbackSecret: secret };
      await harness.put(harness.freshId(), { callbackUrl: harness.server.url() });
      await harness.run('success');
      await harness.sendDue();
      const { headers, body } = harness.server.received.at(-1) ?? assert.fail();
      const [id, time] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
      assert.equal(time, String(harness.now / 1000));
      const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
      assert.equal(headers['webhook-signature'], `v1,${expected}`);
      assert.doesNotMatch(JSON.stringify(harness.server.received), new RegExp(secret));
    }
  });

  it('continues to retry after a restart, with the same id and three tries in all', async () => {
    await harness.put(1, { callbackUrl: harness.server.url() });
    harness.server.answer = () => ({ status: 500 });
    await harness.run('success');
    for (const pid of [11, 12, 13]) {
      await harness.sendDue(pid);
      await harness.sendDue(pid);
      assert.equal(harness.server.received.length, pid - 10);
      harness.machine.kill(pid);
      harness.clock.advance(MINUTE);
    }
    await harness.sendDue(14);
    const ids = harness.server.received.map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual([ids.length, new Set(ids).size], [3, 1]);
    const { outbox, callbacks } = await harness.queue.read();
    assert.deepEqual(callbacks, []);
    assert.match(JSON.stringify(outbox), /"callback-failed"/);
  });

  it('is one of two that send at the same time', async () => {
    await harness.put(1, { callbackUrl: harness.server.url() });
    await harness.put(2, { callbackUrl: harness.server.url() });
    await harness.run('success');
    await harness.run('success');
    const other = await harness.subject.another();
    await Promise.all([harness.sendDue(21), harness.sendDue(22, other)]);
    const ids = harness.server.received.map(({ headers }) => headers['x-task-id']);
    assert.deepEqual(ids.sort(), ['1', '2']);
  });

  it('sends what another one had claimed when it died', async () => {
    await harness.put(1, { callbackUrl: harness.server.url() });
    await harness.run('success');
    const { machine, process } = workerOf(7);
    await harness.queue.claimCallbacks(
      { sender: { machine, process }, targets: ['row'], limit: 1 },
      harness.op(),
    );
    await harness.sendDue(8);
    assert.equal(harness.server.received.length, 0);
    harness.machine.kill(7);
    await harness.sendDue(8);
    assert.equal(harness.server.received.length, 1);
  });

  it('does not wait with one receiver for another that is slow', async () => {
    harness.server.answer = (index) => (index === 0 ? 'silence' : { status: 200 });
    for (const id of [1, 2]) await harness.put(id, { callbackUrl: harness.server.url() });
    await harness.run('success');
    await harness.run('success');
    const sending = harness.sendDue();
    while (harness.server.received.length < 2) await new Promise((resolve) => setImmediate(resolve));
    harness.timeOut();
    await sending;
    assert.equal(harness.server.received.length, 2);
  });

  it('reports a refused address with no more than its host', async () => {
    harness.own = { ...harness.own, callbackAllow: [] };
    await harness.put(1, { callbackUrl: harness.server.url('/hook?token=hidden') });
    await harness.run('success');
    await harness.sendDue();
    const { outbox } = await harness.queue.read();
    const [notice] = outbox.map((entry) => entry.notice).filter(({ kind }) => kind === 'callback-failed');
    assert.ok(notice?.kind === 'callback-failed');
    assert.equal(notice.host, `http://127.0.0.1:${String(harness.server.port)}`);
    assert.deepEqual(notice.failure, { kind: 'private', address: '127.0.0.1' });
  });

  for (const [template, expected] of Object.entries({
    ntfy: { body: 'It ended with review.', title: 'Task 1 needs review', priority: 'high' },
    slack: { body: '{"text":"*Task 1 needs review*\\nIt ended with review."}' },
  })) {
    it(`posts what ${template} expects to the machine's own address`, async () => {
      harness.own = { ...harness.own, callbackTemplate: template as 'ntfy' | 'slack' };
      harness.own = { ...harness.own, callbackUrl: harness.server.url('/topic') };
      harness.settings = { ...defaults, callbackUrl: harness.own.callbackUrl };
      await harness.put(1);
      await harness.run('review');
      await harness.sendDue();
      const [{ headers, body, path } = assert.fail()] = harness.server.received;
      const { title, priority } = headers;
      assert.deepEqual({ body, ...(title === undefined ? {} : { title, priority }) }, expected);
      assert.equal(path, '/topic');
    });
  }
});
