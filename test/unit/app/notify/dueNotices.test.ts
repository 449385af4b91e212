import assert from 'node:assert/strict';
import { DueNotices, lookAt, type DueNotice } from '../../../../src/app/notify/dueNotices';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { noticeKey, type Notice } from '../../../../src/domain/queue/notices';
import { Problem } from '../../../../src/domain/problem';
import { Harness, HOUR, workerOf } from '../../../conformance/harness';
import { openMemory } from '../../../conformance/memorySystemUnderTest';

/** A queue whose disk can be full, and a sender that writes down what it sends. */
class Scene {
  readonly harness = new Harness();
  readonly sent: string[] = [];
  isFull = false;
  isBroken = false;
  mostShown = Infinity;
  /** Milliseconds for which notices are collected from the first one on. */
  collectMs: number | null = null;
  private readonly senders = new Map<number, DueNotices>();

  static async open(): Promise<Scene> {
    const scene = new Scene();
    await scene.harness.open(openMemory);
    return scene;
  }

  /** The process with this number looks and sends. */
  async look(pid = 1): Promise<number | null> {
    const { harness } = this;
    const around = {
      gate: OPEN_GATE,
      approvedRows: harness.approvedRows,
      settings: harness.settings,
      timeZone: 'UTC',
    };
    const look = await lookAt(harness.queue, { ...around, now: harness.now });
    const sender = this.senders.get(pid) ?? this.create(pid);
    this.senders.set(pid, sender);
    return sender.sendDue(look);
  }

  /** Time until which to collect, by the first notice that is due. */
  private collectUntil(due: readonly DueNotice[], now: number): number | null {
    const ats = due.flatMap(({ at }) => at ?? []);
    const until = Math.min(...ats) + (this.collectMs ?? 0);
    return ats.length === 0 || this.collectMs === null || until <= now ? null : until;
  }

  private create(pid: number): DueNotices {
    const { queue } = this.harness;
    const refuse = (): void => {
      if (this.isFull) throw new Problem('queue-unwritable', 'The disk is full.');
    };
    return new DueNotices({
      queue: Object.assign(Object.create(queue) as typeof queue, {
        claimNotices: async (...args: Parameters<typeof queue.claimNotices>) => {
          refuse();
          return queue.claimNotices(...args);
        },
        confirmNotices: async (...args: Parameters<typeof queue.confirmNotices>) => {
          refuse();
          return queue.confirmNotices(...args);
        },
      }),
      channel: 'worker',
      sender: { machine: 'here', process: workerOf(pid).process },
      machine: this.harness.machine,
      createId: () => this.harness.op(),
      collectUntil: (due, { world }) => this.collectUntil(due, world.now),
      send: (notices) => {
        if (this.isBroken) return Promise.reject(new Error('The door is shut.'));
        this.sent.push(
          ...notices
            .slice(0, this.mostShown)
            .map((notice: Notice) => noticeKey(notice).split(':').slice(0, 2).join(' ')),
        );
        return Promise.resolve(notices.slice(0, this.mostShown));
      },
    });
  }
}

describe('A notice sender', () => {
  it('sends a deadline when it may be missed, and again when it was', async () => {
    const scene = await Scene.open();
    const { harness } = scene;
    await harness.put(1, { deadline: harness.now + HOUR });
    await harness.put(2);
    await scene.look();
    assert.deepEqual(scene.sent, []);
    harness.clock.advance(HOUR - 60_000);
    await scene.look();
    await scene.look();
    assert.deepEqual(scene.sent, ['at-risk 1']);
    harness.clock.advance(HOUR);
    await scene.look();
    await scene.look(2);
    assert.deepEqual(scene.sent, ['at-risk 1', 'late 1']);
  });

  it('sends once that a timer did not start a worker within five minutes of its time', async () => {
    const scene = await Scene.open();
    const { harness } = scene;
    const sentOf = (kind: string): number => scene.sent.filter((key) => key.startsWith(kind)).length;
    await harness.queue.recordTimer({ by: 'crontab', crons: ['*/30 * * * *'] }, harness.op());
    harness.clock.advance(HOUR / 2 + 4 * 60_000);
    await scene.look();
    assert.equal(sentOf('timer-late'), 0);
    harness.clock.advance(2 * 60_000);
    await scene.look();
    harness.clock.advance(HOUR);
    await scene.look();
    assert.equal(sentOf('timer-late'), 1);
    await harness.queue.recordTimerStart(harness.op());
    harness.clock.advance(HOUR);
    await scene.look();
    assert.equal(sentOf('timer-late'), 2);
  });

  it('sends nothing for the service time that follows from a priority', async () => {
    const scene = await Scene.open();
    await scene.harness.put(1);
    scene.harness.clock.advance(100 * HOUR);
    await scene.look();
    assert.deepEqual(scene.sent, []);
  });

  it('sends once while the disk is full, and records it once there is room', async () => {
    const scene = await Scene.open();
    await scene.harness.put(1);
    await scene.harness.run('permanent');
    scene.isFull = true;
    await scene.look();
    await scene.look();
    assert.deepEqual(scene.sent, ['failed 1']);
    scene.isFull = false;
    await scene.look();
    await scene.look(2);
    assert.deepEqual(scene.sent, ['failed 1']);
    const [entry] = (await scene.harness.queue.read()).outbox;
    assert.deepEqual(entry?.sent, ['worker']);
  });

  it('leaves unsent notices to the next process', async () => {
    const scene = await Scene.open();
    for (const id of [1, 2, 3]) await scene.harness.put(id);
    for (let runs = 0; runs < 3; runs += 1) await scene.harness.run('permanent');
    scene.mostShown = 1;
    await scene.look();
    assert.deepEqual(scene.sent, ['failed 1']);
    scene.harness.machine.kill(1);
    scene.mostShown = Infinity;
    await scene.look(2);
    assert.deepEqual(scene.sent, ['failed 1', 'failed 2', 'failed 3', 'stopped failures']);
  });

  it('sends notices again that could not be shown', async () => {
    const scene = await Scene.open();
    await scene.harness.put(1);
    await scene.harness.run('permanent');
    scene.isBroken = true;
    await assert.rejects(scene.look(), /The door is shut/);
    scene.isBroken = false;
    await scene.look();
    assert.deepEqual(scene.sent, ['failed 1']);
  });

  it('collects notices of several looks, and sends them together from one process', async () => {
    const scene = await Scene.open();
    const { harness } = scene;
    scene.collectMs = 60_000;
    for (const id of [1, 2, 3]) await harness.put(id);
    await harness.run('permanent');
    const until = harness.now + 60_000;
    assert.deepEqual([await scene.look(), await scene.look(2)], [until, until]);
    harness.clock.advance(59_000);
    await harness.run('permanent');
    assert.deepEqual([await scene.look(2), scene.sent], [until, []]);
    harness.clock.advance(1_000);
    assert.deepEqual([await scene.look(2), scene.sent], [null, ['failed 1', 'failed 2']]);
    assert.deepEqual([await scene.look(), scene.sent], [null, ['failed 1', 'failed 2']]);
    await harness.run('permanent');
    assert.deepEqual([await scene.look(), scene.sent.length], [harness.now + 60_000, 2]);
  });

  it('remembers nothing while it collects: another process sends what a dead one collected', async () => {
    const scene = await Scene.open();
    scene.collectMs = 60_000;
    await scene.harness.put(1);
    await scene.harness.run('permanent');
    await scene.look();
    scene.harness.machine.kill(1);
    scene.harness.clock.advance(60_000);
    await scene.look(2);
    assert.deepEqual(scene.sent, ['failed 1']);
  });
});
