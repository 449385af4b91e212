import assert from 'node:assert/strict';
import type { Clock } from '../../../../src/platform/clock';
import { drain } from '../../../../src/platform/processes/drain';

/** A clock that is frozen but for its sleeps. */
class SleptTime implements Clock {
  private ms = 0;

  now(): number {
    return this.ms;
  }

  sleep(ms: number): Promise<void> {
    this.ms += ms;
    return Promise.resolve();
  }
}

const never = new Promise<never>(() => undefined);

describe('The remaining output of a program', () => {
  it('is waited for until it is read, or reading failed', async () => {
    for (const read of [Promise.resolve(), Promise.reject(new Error('Closed.'))]) {
      const clock = new SleptTime();
      await drain(read, () => 0, clock);
      assert.ok(clock.now() <= 100);
    }
  });

  it('is not waited for after two seconds without output', async () => {
    const clock = new SleptTime();
    const busyUntil = 5_000;
    await drain(never, () => Math.min(clock.now(), busyUntil), clock);
    assert.equal(clock.now(), busyUntil + 2_000);
  });

  it('is waited for while it is being read, however slowly', async () => {
    const clock = new SleptTime();
    const busyUntil = 5_000;
    await drain(never, () => (clock.now() < busyUntil ? 'taking' : 1), clock);
    assert.equal(clock.now(), busyUntil + 2_000);
  });

  it('is waited for a limited time if another process keeps writing', async () => {
    const clock = new SleptTime();
    await drain(never, () => clock.now(), clock);
    assert.equal(clock.now(), 30_000);
  });
});
