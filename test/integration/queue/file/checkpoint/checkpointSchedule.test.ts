import assert from 'node:assert/strict';
import type { CheckpointEnd } from '../../../../../src/queue/file/checkpoint/checkpoint';
import { CheckpointSchedule } from '../../../../../src/queue/file/checkpoint/checkpointSchedule';
import { until } from '../../../../support/until';

/** Checkpoints that end as a test wants, and a count of the calls. */
class Script {
  started = 0;
  looks = 0;
  meanwhile: () => Promise<void> = () => Promise.resolve();
  whileLooking: () => Promise<void> = () => Promise.resolve();
  readonly errors: unknown[] = [];
  restsUntil = 0;
  /** Error of a look at the editors; null: none. */
  unseen: Error | null = null;
  readonly schedule: CheckpointSchedule;

  constructor(
    private readonly ends: CheckpointEnd[],
    private readonly blocked: boolean[] = [],
  ) {
    this.schedule = new CheckpointSchedule({
      carryOut: async () => {
        this.started += 1;
        const end = this.ends.shift();
        await this.meanwhile();
        if (end === undefined) throw new Error('no end');
        return end;
      },
      nextCheckpointAt: () => this.restsUntil,
      isBlocked: async () => {
        this.looks += 1;
        if (this.unseen !== null) throw this.unseen;
        await this.whileLooking();
        return this.blocked.shift() ?? false;
      },
      failed: (error) => this.errors.push(error),
    });
  }

  finish(): Promise<void> {
    return this.schedule.finish(() => Promise.resolve());
  }
}

describe('The checkpoints of a queue file', () => {
  it('are retried when another process was faster', async () => {
    const script = new Script(['again', 'done']);
    script.schedule.soon();
    script.schedule.soon();
    await until('both are tried', () => script.started === 2);
    await script.finish();
    assert.equal(script.started, 2);
  });

  it('are not started while one is running, however long', async () => {
    const script = new Script(['done', 'done']);
    let end: () => void = () => undefined;
    script.meanwhile = () => new Promise((resolve) => (end = resolve));
    script.schedule.soon();
    await until('one is under way', () => script.started === 1);
    script.schedule.soon();
    const startedMs = Date.now();
    await until('another one could have started', () => Date.now() - startedMs > 200);
    assert.equal(script.started, 1);
    script.meanwhile = () => Promise.resolve();
    end();
    await until('it is made then', () => script.started === 2);
  });

  it('wait if another process has just made one, but not at the end', async () => {
    const script = new Script(['done']);
    script.restsUntil = Date.now() + 60_000;
    script.schedule.soon();
    assert.equal(script.started, 0);
    await script.finish();
    assert.equal(script.started, 1);
  });

  it('wait at most for a short time, even while the file keeps changing', async () => {
    const script = new Script(['done']);
    script.restsUntil = Infinity;
    script.schedule.soon();
    await until('one is made', () => script.started === 1);
    await script.finish();
  });

  it('are not tried while an editor has unsaved changes', async () => {
    const script = new Script(['blocked', 'done'], [true, false]);
    script.schedule.soon();
    await until('the second is tried', () => script.started === 2);
    assert.equal(script.looks, 2);
    await script.finish();
    assert.equal(script.started, 2);
  });

  it('are tried once more at the end, and left to the next process if blocked', async () => {
    const script = new Script(['blocked', 'blocked', 'done']);
    script.schedule.soon();
    await until('it is blocked', () => script.started === 1);
    await script.finish();
    assert.equal(script.started, 2);
    const later = new Script([], [true]);
    later.schedule.whenUnblocked();
    await until('another one has looked', () => later.looks === 1);
    await later.finish();
    assert.equal(script.looks, 0, 'what has ended looks no more');
  });

  it('are made at the end if a look at the editors ends then, and not after it', async () => {
    const script = new Script(['done']);
    let end: () => void = () => undefined;
    script.whileLooking = () => new Promise((resolve) => (end = resolve));
    script.schedule.whenUnblocked();
    await until('it looks', () => script.looks === 1);
    const finished = script.finish();
    end();
    await finished;
    assert.equal(script.started, 1);
  });

  it('that fail are reported, and do not block the end', async () => {
    const script = new Script([]);
    script.schedule.soon();
    await script.finish();
    assert.equal(script.errors.length, 1);
    await script.finish();
    assert.equal(script.started, 1);
  });

  it('that fail are retried later without other events, and reported once', async () => {
    const script = new Script([]);
    script.schedule.soon();
    await until('it has been tried again', () => script.started === 2);
    assert.equal(script.errors.length, 1);
    await script.finish();
  });

  it('are made later if it is unknown whether an editor has unsaved changes', async () => {
    const script = new Script(['done']);
    script.unseen = new Error('too many open files');
    script.schedule.whenUnblocked();
    await until('that is reported', () => script.errors.length === 1);
    script.unseen = null;
    await until('it is made', () => script.started === 1);
    await script.finish();
  });
});
