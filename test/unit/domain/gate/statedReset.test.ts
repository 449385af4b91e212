import assert from 'node:assert/strict';
import { findBlockFor, openEarly } from '../../../../src/domain/gate/gateOpening';
import type { LimitSignal } from '../../../../src/domain/gate/gate';
import { Gate, HOUR, LIMIT, MINUTE, NOW, RESET, RULES, SECOND } from '../metGate';

describe('A gate with an unknown or wrong reset', () => {
  let gate: Gate;
  beforeEach(() => {
    gate = new Gate();
  });

  const reported = (resetAt: number | null): LimitSignal => ({ ...LIMIT, resetAt });

  /** Minutes until the block ends, and whether that is a guess. */
  function end(): readonly [number, boolean] {
    const [block] = gate.view.closures;
    return [((block?.until ?? NaN) - gate.now) / MINUTE, block?.guessed === true];
  }

  it('guesses, and no guess replaces or delays a reported reset', () => {
    gate.meet(1, reported(null));
    assert.deepEqual(end(), [4.5 * 60, true]);
    gate.meet(2, reported(RESET));
    assert.deepEqual(end(), [120, false]);
    gate.meet(3, reported(null));
    gate.meet(4, reported(NOW - HOUR));
    assert.deepEqual(end(), [120, false]);
    assert.equal(gate.view.openedBefore, NOW + 4.5 * HOUR, 'who waited for the guess does so no more');
  });

  it('keeps the reported reset if an early probe gets no new one', () => {
    gate.meet(1, LIMIT);
    gate.view = openEarly(gate.view, gate.now, RULES);
    gate.admits(2);
    gate.meet(2, reported(null));
    assert.deepEqual([gate.phase, ...end()], ['closed', 120, false]);
  });

  for (const ago of [0, 5 * SECOND, 70 * SECOND, 20 * MINUTE]) {
    it(`is probed after longer and longer breaks if the reset was ${String(ago / SECOND)} s ago`, () => {
      const breaks: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        gate.meet(1, reported(gate.now - ago));
        assert.ok(!gate.isOpenFor());
        breaks.push(end()[0]);
        gate.now = (findBlockFor(gate.view, {}, gate.now, RULES)?.until ?? 0) + SECOND;
        assert.deepEqual([gate.admits(1), gate.admits(2)], [true, false]);
      }
      assert.deepEqual(breaks, [1, 2, 5, 15, 15]);
    });
  }

  it('accepts a near reset once; a repeated report does not cause a probe each second', () => {
    const starts: number[] = [];
    gate = new Gate({ ...RULES, openAfterReset: 0 });
    gate.meet(1, reported(gate.now + SECOND));
    for (let round = 0; round < 60; round += 1) {
      gate.now = findBlockFor(gate.view, {}, gate.now, gate.rules)?.until ?? gate.now;
      assert.ok(gate.admits(1));
      starts.push(gate.now);
      gate.meet(1, reported(gate.now + SECOND));
    }
    assert.equal(starts[0], NOW + SECOND);
    assert.ok(starts.filter((at) => at < NOW + HOUR).length < 12);
  });
});
