import assert from 'node:assert/strict';
import {
  callbackKey,
  type CallbackEntry,
  type CallbackFailure,
  type CallbackTarget,
} from '../../../src/domain/queue/callbacks';
import { NOTICE_CHANNELS, noticeKey, type OutboxEntry } from '../../../src/domain/queue/notices';
import { defaults } from '../../../src/domain/settings/settings';
import { approvable, approvalOf } from '../../../src/domain/task/approval';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { MINUTE, PERSON, workerOf, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

const ROW = 'https://row.test/hook?token=1';
const SETTINGS = { ...defaults, callbackUrl: 'https://queue.test/' };
const SECOND = 1_000;

/** Scenarios of callbacks: what causes them, and who sends them. */
export function describeCallbacks(scenario: Scenario): void {
  describe('keeps an outbox of callbacks', () => {
    scenario('every end of an attempt causes one callback for each address', async (harness) => {
      harness.settings = SETTINGS;
      for (const id of [1, 2, 3, 4]) await harness.put(id, { callbackUrl: ROW, maxRetries: 1 });
      await harness.put(5, { maxRetries: 2 });
      const marks: string[] = [];
      for (const outcome of ['success', 'review', 'error', 'cancelled', 'error'] as const)
        marks.push((await harness.run(outcome)).claim.mark);
      await harness.put(6);
      marks.push((await harness.run('cancelled', { reason: 'stopped' })).claim.mark);
      const found = await claim(harness);
      assert.deepEqual(found.map(summary), [
        ...['row 1 completed', 'queue 1 completed', 'row 2 review', 'queue 2 review'],
        ...['row 3 failed', 'queue 3 failed', 'row 4 cancelled', 'queue 4 cancelled', 'queue 5 pending'],
        'queue 6 pending',
      ]);
      assert.deepEqual([...new Set(found.map(({ callback }) => callback.attemptId))], marks);
      assert.equal(found[0]?.callback.url, ROW);
      assert.equal(found[1]?.callback.url, undefined, "the machine's address stays in its settings");
    });

    scenario('one address that is named twice gets one callback', async (harness) => {
      harness.settings = SETTINGS;
      await harness.put(1, { callbackUrl: SETTINGS.callbackUrl });
      await harness.run('success');
      assert.deepEqual((await claim(harness)).map(summary), ['queue 1 completed']);
    });

    scenario('a claim is not repeated once the row has an address that nobody approved', async (harness) => {
      await harness.put(1);
      harness.approvedRows = { trusted: false, approvals: new Set([approvalOf(await harness.state(1))]) };
      const request = harness.request();
      assert.equal((await harness.queue.claim(request, 'once')).kind, 'claimed');
      await harness.put(1, { callbackUrl: ROW });
      assert.equal((await harness.queue.claim(request, 'once')).kind, 'idle');
      assert.deepEqual((await harness.queue.read()).claims, []);
    });

    scenario('the address of a row is called only if the row is approved', async (harness) => {
      harness.settings = SETTINGS;
      for (const id of [1, 2]) await harness.put(id, { callbackUrl: ROW });
      const approved = (await harness.task(2)) ?? assert.fail();
      const { id, power } = approvable(approved.definition, approved.state.power);
      const approvedRows = { trusted: false, approvals: new Set([approvalOf({ id, power })]) };
      const override = { unattendedRules: true };
      for (const row of [1, 2])
        await harness.run('success', {}, { id: row, owner: PERSON, override, approvedRows });
      assert.deepEqual((await claim(harness)).map(summary), [
        ...['queue 1 completed', 'row 2 completed', 'queue 2 completed'],
      ]);
    });

    scenario('without an address there is none', async (harness) => {
      await harness.put(1);
      await harness.run('success');
      assert.deepEqual((await harness.queue.read()).callbacks, []);
    });

    scenario('a claim that is returned without an attempt causes none', async (harness) => {
      await harness.put(1, { callbackUrl: ROW });
      const { claim: held } = await harness.claim();
      await harness.queue.release(held, 'stopped', harness.op());
      assert.deepEqual(await claim(harness), []);
    });

    scenario('cells for the receiver go with the callback', async (harness) => {
      await harness.put(1, { callbackUrl: ROW, requestId: 'r-1', metadata: '{"a": 1}' });
      await harness.run('success');
      const [{ callback } = assert.fail()] = await claim(harness);
      assert.deepEqual([callback.requestId, callback.metadata], ['r-1', '{"a": 1}']);
    });

    scenario('an answer that is kept goes with the callback of the row', async (harness) => {
      harness.settings = SETTINGS;
      await harness.put(1, { callbackUrl: ROW });
      const claimed = await harness.claim();
      const end = { ...(await harness.endOf(claimed, 'success')), result: 'The answer.' };
      await harness.queue.finish(claimed.claim, { ...end, definition: claimed.definition }, harness.op());
      const found = await claim(harness);
      assert.deepEqual(
        found.map(({ callback }) => [callback.target, callback.result]),
        [
          ['row', 'The answer.'],
          ['queue', undefined],
        ],
      );
    });

    scenario('the address is that of the start, whatever the row says at the end', async (harness) => {
      await harness.put(1, { callbackUrl: ROW });
      const claimed = await harness.claim();
      await harness.put(1, { callbackUrl: 'https://other.test/' });
      await harness.finish(claimed, 'success');
      assert.deepEqual(
        (await claim(harness)).map(({ callback }) => callback.url),
        [ROW],
      );
    });

    scenario('another address leaves history and session as they are', async (harness) => {
      await harness.put(1, { callbackUrl: ROW });
      await harness.run('transient');
      const before = await harness.state(1);
      await harness.put(1, { callbackUrl: 'https://other.test/' });
      assert.deepEqual(await harness.state(1), before);
    });

    scenario('an attempt that was lost with its worker causes a callback, too', async (harness) => {
      await harness.put(1, { callbackUrl: ROW });
      await harness.claim({ pid: 7 });
      harness.machine.kill(7);
      await harness.recover();
      assert.deepEqual((await claim(harness)).map(summary), ['row 1 pending']);
    });

    scenario('a callback that was delivered is not sent again', async (harness) => {
      const [one] = await putOne(harness);
      await settle(harness, one, null);
      assert.deepEqual(await claim(harness), []);
      assert.deepEqual((await harness.queue.read()).callbacks, []);
    });

    scenario('a callback goes to one of two living senders', async (harness) => {
      await harness.put(1, { callbackUrl: ROW });
      await harness.run('success');
      const other = await harness.subject.another();
      const found = await Promise.all([claim(harness, { pid: 1 }), claim(harness, { pid: 2, queue: other })]);
      assert.deepEqual(found.map(({ length }) => length).sort(), [0, 1]);
    });

    scenario('a callback whose sender died goes to the next sender', async (harness) => {
      await harness.put(1, { callbackUrl: ROW });
      await harness.run('success');
      const [one] = await claim(harness, { pid: 7 });
      assert.deepEqual(await claim(harness, { pid: 8 }), []);
      harness.machine.kill(7);
      assert.deepEqual((await claim(harness, { pid: 8 })).map(keyOf), [one].map(keyOf));
    });

    scenario('a sender gets only callbacks for addresses that it knows', async (harness) => {
      harness.settings = SETTINGS;
      await harness.put(1, { callbackUrl: ROW });
      await harness.run('success');
      assert.deepEqual((await claim(harness, { targets: ['row'] })).map(summary), ['row 1 completed']);
    });

    scenario(
      'another machine gets a callback after a minute, and none for a machine’s own address',
      async (harness) => {
        harness.settings = SETTINGS;
        await harness.put(1, { callbackUrl: ROW });
        await harness.run('success');
        harness.clock.advance(MINUTE - SECOND);
        assert.deepEqual(await claim(harness, { pid: 2, machine: 'there' }), []);
        harness.clock.advance(SECOND);
        const found = await claim(harness, { pid: 2, machine: 'there' });
        assert.deepEqual(found.map(summary), ['row 1 completed']);
        const own = await claim(harness, { targets: ['queue'] });
        assert.deepEqual(own.map(summary), ['queue 1 completed']);
      },
    );

    scenario('a callback that failed is sent again after 10 s and after 1 min more', async (harness) => {
      const [one] = await putOne(harness);
      await settle(harness, one, { kind: 'status', status: 503 });
      harness.clock.advance(9 * SECOND);
      assert.deepEqual(await claim(harness), []);
      harness.clock.advance(SECOND);
      // Another process continues to count.
      harness.machine.kill(1);
      const [second] = await claim(harness, { pid: 2 });
      assert.equal(second?.failures, 1);
      await settle(harness, second, { kind: 'timeout' }, 2);
      harness.clock.advance(59 * SECOND);
      assert.deepEqual(await claim(harness, { pid: 2 }), []);
      harness.clock.advance(SECOND);
      const [third] = await claim(harness, { pid: 2 });
      assert.equal(third?.failures, 2);
    });

    scenario('the third failure drops a callback, with a notice that hides its path', async (harness) => {
      let [one] = await putOne(harness);
      for (let failures = 0; failures < 3; failures += 1) {
        await settle(harness, one, { kind: 'status', status: 500 });
        harness.clock.advance(MINUTE);
        [one] = await claim(harness);
      }
      const { callbacks, outbox } = await harness.queue.read();
      assert.deepEqual(callbacks, []);
      const failed = outbox.map(({ notice }) => notice).find(({ kind }) => kind === 'callback-failed');
      assert.ok(failed?.kind === 'callback-failed');
      assert.deepEqual(
        [failed.id, failed.host, failed.failure],
        [1, 'https://row.test', { kind: 'status', status: 500 }],
      );
      assert.doesNotMatch(JSON.stringify(outbox), /token/);
    });

    scenario('a refused address is not tried again', async (harness) => {
      const [one] = await putOne(harness);
      await settle(harness, one, { kind: 'private', address: '10.0.0.1' });
      assert.deepEqual((await harness.queue.read()).callbacks, []);
    });

    scenario('a host that fails is reported once until it receives something', async (harness) => {
      const REFUSED = { kind: 'private', address: '10.0.0.1' } as const;
      const unsent = async (): Promise<readonly number[]> => {
        const { outbox } = await harness.queue.read();
        const entries = outbox.filter(
          ({ notice, sent }) => notice.kind === 'callback-failed' && sent.length < 2,
        );
        await confirmAll(harness, entries);
        return entries.map(({ notice }) => ('id' in notice ? notice.id : 0));
      };
      const reported: (readonly number[])[] = [];
      for (const [id, failure] of [REFUSED, REFUSED, null, REFUSED].entries()) {
        await harness.put(id + 1, { callbackUrl: ROW });
        await harness.run('success');
        const [one] = await claim(harness);
        await settle(harness, one, failure);
        reported.push(await unsent());
      }
      assert.deepEqual(reported, [[1], [], [], [4]]);
    });

    scenario('one notice at a time reports callbacks that fail together', async (harness) => {
      for (const id of [1, 2]) await harness.put(id, { callbackUrl: ROW });
      for (const _ of [1, 2]) await harness.run('success');
      const { machine, process } = workerOf(1);
      const tries = (await claim(harness)).map((entry) => ({
        ...{ key: keyOf(entry), host: 'https://row.test' },
        failure: { kind: 'not-encrypted' } as const,
      }));
      await harness.queue.settleCallbacks({ machine, process }, tries, harness.op());
      const { outbox } = await harness.queue.read();
      assert.equal(outbox.filter(({ notice }) => notice.kind === 'callback-failed').length, 1);
    });

    scenario('a failure that a frozen process reports late does not count', async (harness) => {
      const [one] = await putOne(harness);
      harness.machine.kill(1);
      await claim(harness, { pid: 2 });
      await settle(harness, one, { kind: 'timeout' }, 1);
      const [kept] = (await harness.queue.read()).callbacks;
      assert.equal(kept?.failures, 0);
    });

    scenario('archiving the history keeps what was not delivered', async (harness) => {
      await harness.put(1, { callbackUrl: ROW });
      await harness.run('success');
      await harness.queue.reset();
      assert.deepEqual((await claim(harness)).map(summary), ['row 1 completed']);
    });
  });
}

interface Asked {
  readonly pid?: number;
  readonly machine?: string;
  readonly targets?: readonly CallbackTarget[];
  readonly queue?: TaskQueue;
}

function claim(
  harness: Harness,
  { pid = 1, machine = 'here', targets = ['row', 'queue'], queue = harness.queue }: Asked = {},
): Promise<readonly CallbackEntry[]> {
  const { process } = workerOf(pid);
  return queue.claimCallbacks({ sender: { machine, process }, targets, limit: 20 }, harness.op());
}

async function putOne(harness: Harness): Promise<readonly CallbackEntry[]> {
  await harness.put(1, { callbackUrl: ROW });
  await harness.run('success');
  return claim(harness);
}

async function settle(
  harness: Harness,
  entry: CallbackEntry | undefined,
  failure: CallbackFailure | null,
  pid = 1,
): Promise<void> {
  assert.ok(entry !== undefined);
  const { machine, process } = workerOf(pid);
  const one = { key: keyOf(entry), host: 'https://row.test', failure };
  await harness.queue.settleCallbacks({ machine, process }, [one], harness.op());
}

/** Both channels show these notices. */
async function confirmAll(harness: Harness, entries: readonly OutboxEntry[]): Promise<void> {
  const keys = entries.map(({ notice }) => noticeKey(notice));
  for (const channel of NOTICE_CHANNELS) await harness.queue.confirmNotices(channel, keys, harness.op());
}

function keyOf(entry: CallbackEntry | undefined): string {
  return entry === undefined ? '' : callbackKey(entry.callback);
}

function summary({ callback: { target, attempt, status } }: CallbackEntry): string {
  return `${target} ${String(attempt.id)} ${status}`;
}
