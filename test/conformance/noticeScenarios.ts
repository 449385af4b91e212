import assert from 'node:assert/strict';
import { noticeKey, type Notice, type NoticeChannel } from '../../src/domain/queue/notices';
import type { TaskQueue } from '../../src/queue/taskQueue';
import { HOUR, workerOf, type Bench } from './bench';
import type { Scenario } from './queueConformance';

/** What the user is notified of, and by whom. */
export function describeNotices(scenario: Scenario): void {
  describe('keeps an outbox of notices', () => {
    scenario('an attempt that ends in review raises one notice', async (bench) => {
      await bench.put(1);
      await bench.run('review');
      await bench.idle();
      assert.deepEqual(summary(await claim(bench)), ['review 1', 'all-done']);
      assert.deepEqual(summary(await claim(bench, { channel: 'editor' })), ['review 1', 'all-done']);
    });

    scenario('an attempt that fails permanently or for the last time raises one notice', async (bench) => {
      await bench.put(1, { maxRetries: 1 });
      await bench.put(2);
      await bench.run('error');
      await bench.run('permanent');
      const notices = summary(await claim(bench));
      assert.deepEqual(notices.slice(0, 2), ['failed 1', 'failed 2']);
    });

    scenario('an attempt that succeeds, is retried or cancelled raises none', async (bench) => {
      for (const id of [1, 2, 3, 4]) await bench.put(id);
      await bench.run('success');
      await bench.run('transient');
      await bench.run('cancelled', { reason: 'cancelled' });
      await bench.run('error');
      assert.deepEqual(await claim(bench), []);
    });

    scenario('a notice that was sent by a channel is not sent by it again', async (bench) => {
      await bench.put(1);
      await bench.run('review');
      const notices = await claim(bench);
      await bench.queue.confirmNotices('worker', notices.map(noticeKey), bench.op());
      assert.deepEqual(await claim(bench), []);
      assert.deepEqual(await claim(bench, { pid: 2 }), []);
      assert.equal((await claim(bench, { channel: 'editor' })).length, notices.length);
    });

    scenario('of two living senders of one channel one gets a notice', async (bench) => {
      await bench.put(1);
      await bench.run('review');
      const other = await bench.subject.another();
      const [one, two] = await Promise.all([
        claim(bench, { pid: 1 }),
        claim(bench, { pid: 2, queue: other }),
      ]);
      assert.deepEqual([one.length, two.length].sort(), [0, 1]);
    });

    scenario('a notice whose sender died is sent by the next', async (bench) => {
      await bench.put(1);
      await bench.run('review');
      const notices = await claim(bench, { pid: 7 });
      assert.deepEqual(await claim(bench, { pid: 8 }), []);
      bench.machine.kill(7);
      assert.deepEqual(await claim(bench, { pid: 8 }), notices);
    });

    scenario('a sender that asks again gets what it has not confirmed', async (bench) => {
      await bench.put(1);
      await bench.run('review');
      const notices = await claim(bench);
      assert.deepEqual(await claim(bench), notices);
    });

    scenario('a notice about a task that has moved on is not sent', async (bench) => {
      await bench.put(1);
      await bench.put(2);
      await bench.run('review');
      await bench.run('permanent');
      await bench.queue.command(1, 'accept', bench.op());
      await bench.queue.command(2, 'retry', bench.op());
      assert.deepEqual(summary(await claim(bench)), []);
      assert.deepEqual((await bench.queue.read()).outbox, []);
    });

    scenario('a deadline that was noticed twice is one notice', async (bench) => {
      await bench.put(1);
      const late = await lateNotice(bench, 1);
      assert.deepEqual(await claim(bench, { observed: [late] }), [late]);
      await bench.queue.confirmNotices('worker', [noticeKey(late)], bench.op());
      await bench.queue.confirmNotices('editor', [noticeKey(late)], bench.op());
      assert.deepEqual(await claim(bench, { observed: [late] }), []);
      await bench.run('success');
      assert.deepEqual(await claim(bench, { observed: [late] }), [], 'it has ended');
    });

    scenario('a worker that died is raised once, whoever notices it', async (bench) => {
      const worker = { owner: workerOf(5), since: bench.now };
      await bench.queue.enlist(worker, { alone: true }, bench.op());
      const died: Notice = { kind: 'worker-died', worker: 'w5', process: worker.owner.process };
      assert.deepEqual(await claim(bench, { observed: [died] }), [], 'it lives');
      bench.machine.kill(5);
      assert.deepEqual((await bench.queue.read()).died, [worker]);
      assert.deepEqual(await claim(bench, { observed: [died] }), [died]);
      assert.deepEqual((await bench.queue.read()).died, []);
      await bench.queue.confirmNotices('worker', [noticeKey(died)], bench.op());
      assert.deepEqual(await claim(bench, { observed: [died] }), []);
    });

    scenario('a worker that died is raised by the next that enlists', async (bench) => {
      await bench.queue.enlist({ owner: workerOf(5), since: bench.now }, { alone: true }, bench.op());
      bench.machine.kill(5);
      await bench.queue.enlist({ owner: workerOf(6), since: bench.now }, { alone: true }, bench.op());
      assert.deepEqual(summary(await claim(bench)), ['worker-died']);
    });

    scenario('a worker that left is not taken for one that died', async (bench) => {
      const worker = { owner: workerOf(5), since: bench.now };
      await bench.queue.enlist(worker, { alone: true }, bench.op());
      await bench.queue.leave(worker.owner, bench.op());
      bench.machine.kill(5);
      assert.deepEqual((await bench.queue.read()).died, []);
    });

    scenario('all is done once nothing is left that runs by itself, with its sum', async (bench) => {
      await bench.put(1, { maxRetries: 1 });
      await bench.put(2);
      await bench.put(3);
      await bench.put(4, { dependencies: [1] });
      const since = bench.now;
      await bench.run('error');
      await bench.run('success');
      assert.equal(await allDone(bench), undefined);
      bench.clock.advance(HOUR);
      await bench.run('review');
      await bench.idle();
      assert.deepEqual(await allDone(bench), {
        kind: 'all-done',
        since,
        until: bench.now,
        completed: 1,
        failed: 1,
        review: 1,
        left: 1,
        costUsd: 0,
      });
    });

    scenario('nothing is done while a task is retried later, or the queue is paused', async (bench) => {
      await bench.put(1);
      await bench.run('error');
      await bench.idle();
      assert.equal(await allDone(bench), undefined);
      bench.clock.advance(HOUR);
      await bench.run('success');
      await bench.queue.hold({ by: 'person', why: 'Away.' }, bench.op());
      await bench.idle();
      assert.equal(await allDone(bench), undefined);
      await bench.queue.resume(bench.op());
      await bench.idle();
      assert.notEqual(await allDone(bench), undefined);
    });

    scenario('all done is raised once for the same work', async (bench) => {
      await bench.put(1);
      await bench.run('success');
      await bench.idle();
      const first = await allDone(bench);
      bench.clock.advance(HOUR);
      await bench.idle();
      assert.deepEqual(await allDone(bench), first);
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
  bench: Bench,
  { channel = 'worker', pid = 1, observed = [], queue = bench.queue }: Asked = {},
): Promise<readonly Notice[]> {
  const { machine, process } = workerOf(pid);
  return queue.claimNotices({ channel, sender: { machine, process }, observed }, bench.op());
}

function summary(notices: readonly Notice[]): string[] {
  return notices.map((one) => ('id' in one ? `${one.kind} ${String(one.id)}` : one.kind));
}

async function lateNotice(bench: Bench, id: number): Promise<Notice> {
  const { power } = await bench.state(id);
  return { kind: 'late', id, power, by: bench.now };
}

async function allDone(bench: Bench): Promise<Notice | undefined> {
  const { outbox } = await bench.queue.read();
  return outbox.map(({ notice }) => notice).find(({ kind }) => kind === 'all-done');
}
