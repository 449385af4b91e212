import assert from 'node:assert/strict';
import { PacedCheck } from '../../../../src/platform/files/pacedCheck';

/** Facts of which each check takes some time and finds them changed. */
class Changing {
  constructor(
    readonly checks: number,
    private readonly take: () => void,
  ) {}

  renew(): Changing {
    this.take();
    return new Changing(this.checks + 1, this.take);
  }
}

describe('Facts from the disk', () => {
  let now: number;

  function factsThatTake(ms: number): PacedCheck<Changing> {
    now = 1_000;
    return new PacedCheck(
      new Changing(0, () => {
        now += ms;
      }),
      () => now,
    );
  }

  it('are checked for at most a twentieth of the time', () => {
    const facts = factsThatTake(100);
    assert.equal(facts.look().checks, 1);
    now += 1_999;
    assert.equal(facts.look().checks, 1);
    now += 1;
    assert.equal(facts.look().checks, 2);
  });

  it('are checked again ten seconds after a check during which the process was frozen for an hour', () => {
    const facts = factsThatTake(3_600_000);
    facts.look();
    now += 10_000;
    assert.equal(facts.look().checks, 2);
  });
});
