import assert from 'node:assert/strict';
import { noticeKey, type Notice, type NoticeChannel } from '../../../src/domain/queue/notices';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { workerOf, type Harness } from '../harness';
import type { Scenario } from '../queueConformance';

/** Scenarios of notices: their events and their senders. */
export function describeNotices(scenario: Scenario): void {
  describe('keeps an outbox of notices', () => {
    scenario('an attempt that ends in review raises one notice', async (harness) => {
      await harness.put(1);
      await harness.run('review');
      await harness.idle();
      assert.deepEqual(summary(await claim(harness)), ['review 1', 'all-done']);
      assert.deepEqual(summary(await claim(harness, { channel: 'editor' })), ['review 1', 'all-done']);
    });

    scenario('an attempt that fails permanently or for the last time raises one notice', async (harness) => {
      await harness.put(1, { maxRetries: 1 });
      await harness.put(2);
      await harness.run('error');
      await harness.run('permanent');
      const notices = summary(await claim(harness));
      assert.deepEqual(notices.slice(0, 2), ['failed 1', 'failed 2']);
    });

    scenario('an attempt that succeeds, is retried or cancelled raises none', async (harness) => {
      for (const id of [1, 2, 3, 4]) await harness.put(id);
      await harness.run('success');
      await harness.run('transient');
      await harness.run('cancelled', { reason: 'cancelled' });
      await harness.run('error');
      assert.deepEqual(await claim(harness), []);
    });

    scenario('a notice that was sent by a channel is not sent by it again', async (harness) => {
      await harness.put(1);
      await harness.run('review');
      const notices = await claim(harness);
      await harness.queue.confirmNotices('worker', notices.map(noticeKey), harness.op());
      assert.deepEqual(await claim(harness), []);
      assert.deepEqual(await claim(harness, { pid: 2 }), []);
      assert.equal((await claim(harness, { channel: 'editor' })).length, notices.length);
    });

    scenario('a notice goes to one of two living senders of a channel', async (harness) => {
      await harness.put(1);
      await harness.run('review');
      const other = await harness.subject.another();
      const [one, two] = await Promise.all([
        claim(harness, { pid: 1 }),
        claim(harness, { pid: 2, queue: other }),
      ]);
      assert.deepEqual([one.length, two.length].sort(), [0, 1]);
    });

    scenario('a notice whose sender died goes to the next sender', async (harness) => {
      await harness.put(1);
      await harness.run('review');
      const notices = await claim(harness, { pid: 7 });
      assert.deepEqual(await claim(harness, { pid: 8 }), []);
      harness.machine.kill(7);
      assert.deepEqual(await claim(harness, { pid: 8 }), notices);
    });

    scenario('a sender that asks again gets its unconfirmed notices again', async (harness) => {
      await harness.put(1);
      await harness.run('review');
      const notices = await claim(harness);
      assert.deepEqual(await claim(harness), notices);
    });

    scenario('a notice about a task whose state has changed is not sent', async (harness) => {
      await harness.put(1);
      await harness.put(2);
      await harness.run('review');
      await harness.run('permanent');
      await harness.queue.command(1, 'accept', harness.op());
      await harness.queue.command(2, 'retry', harness.op());
      assert.deepEqual(summary(await claim(harness)), []);
      assert.deepEqual((await harness.queue.read()).outbox, []);
    });

    scenario('a deadline that is observed twice is one notice', async (harness) => {
      await harness.put(1);
      const late = await lateNotice(harness, 1);
      assert.deepEqual(await claim(harness, { observed: [late] }), [late]);
      await harness.queue.confirmNotices('worker', [noticeKey(late)], harness.op());
      await harness.queue.confirmNotices('editor', [noticeKey(late)], harness.op());
      assert.deepEqual(await claim(harness, { observed: [late] }), []);
      await harness.run('success');
      assert.deepEqual(await claim(harness, { observed: [late] }), [], 'it has ended');
    });

    scenario('the death of a worker is raised once, by any number of observers', async (harness) => {
      const worker = { owner: workerOf(5), since: harness.now };
      await harness.queue.register(worker, { alone: true }, harness.op());
      const { machine, process } = worker.owner;
      const died: Notice = { kind: 'worker-died', worker: 'w5', machine, process };
      assert.deepEqual(await claim(harness, { observed: [died] }), [], 'it lives');
      harness.machine.kill(5);
      assert.deepEqual((await harness.queue.read()).died, [worker]);
      assert.deepEqual(await claim(harness, { observed: [died] }), [died]);
      assert.deepEqual((await harness.queue.read()).died, []);
      await harness.queue.confirmNotices('worker', [noticeKey(died)], harness.op());
      assert.deepEqual(await claim(harness, { observed: [died] }), []);
    });

    scenario('a death after the queue was last read is returned to a sender that asks', async (harness) => {
      await harness.queue.register({ owner: workerOf(5), since: harness.now }, { alone: true }, harness.op());
      const seen = await harness.queue.read();
      assert.equal(await harness.queue.hasLost(seen), false, 'it lives');
      harness.machine.kill(5);
      assert.equal(await harness.queue.hasLost(seen), true);
      assert.equal(await harness.queue.hasLost(await harness.queue.read()), false, 'that is read');
    });

    scenario('the death of a worker is raised when the next worker registers', async (harness) => {
      await harness.queue.register({ owner: workerOf(5), since: harness.now }, { alone: true }, harness.op());
      harness.machine.kill(5);
      await harness.queue.register({ owner: workerOf(6), since: harness.now }, { alone: true }, harness.op());
      assert.deepEqual(summary(await claim(harness)), ['worker-died']);
    });

    scenario('a worker that unregistered is not reported as dead', async (harness) => {
      const worker = { owner: workerOf(5), since: harness.now };
      await harness.queue.register(worker, { alone: true }, harness.op());
      await harness.queue.leave(worker.owner, harness.op());
      harness.machine.kill(5);
      assert.deepEqual((await harness.queue.read()).died, []);
    });
  });
}

interface Asked {
  readonly channel?: NoticeChannel;
  readonly pid?: number;
  readonly observed?: readonly Notice[];
  readonly queue?: TaskQueue;
}

function claim(
  harness: Harness,
  { channel = 'worker', pid = 1, observed = [], queue = harness.queue }: Asked = {},
): Promise<readonly Notice[]> {
  const { machine, process } = workerOf(pid);
  return queue.claimNotices({ channel, sender: { machine, process }, observed }, harness.op());
}

function summary(notices: readonly Notice[]): string[] {
  return notices.map((one) => ('id' in one ? `${one.kind} ${String(one.id)}` : one.kind));
}

async function lateNotice(harness: Harness, id: number): Promise<Notice> {
  const { power } = await harness.state(id);
  return { kind: 'late', id, power, by: harness.now };
}
