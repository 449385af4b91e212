import assert from 'node:assert/strict';
import { findBlockFor, type GateRules } from '../../../../src/domain/gate/gateOpening';
import { applyReport } from '../../../../src/domain/gate/gateReport';
import { OPEN_GATE, type GateView } from '../../../../src/domain/gate/gate';

const NOW = Date.UTC(2026, 10, 20, 19);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RULES: GateRules = { limitFallback: 4.5 * 60 * MINUTE, openAfterReset: MINUTE, openStagger: 15_000 };

/** The gate after a run met a cap on spending with this reset. */
function cap(resetAt: number | null, gate = OPEN_GATE): GateView {
  const signal = { kind: 'billing', resetAt, message: 'You will regain access on…' } as const;
  return applyReport(gate, { signal, usage: [] }, NOW, RULES);
}

const untilOf = (gate: GateView, at: number): number | null | undefined =>
  findBlockFor(gate, {}, at, RULES)?.until;

describe('A cap on spending', () => {
  it('ends by itself on the day that the account names', () => {
    const end = NOW + 11 * DAY;
    assert.equal(untilOf(cap(end), NOW), end + MINUTE);
    assert.equal(untilOf(cap(end), end + MINUTE), undefined);
  });

  it('ends when the user has acted if no plausible day is named', () => {
    for (const end of [null, NOW - DAY, NOW + 60 * DAY]) {
      assert.equal(untilOf(cap(end), NOW), null);
      assert.equal(untilOf(cap(end), NOW + 100 * DAY), null);
    }
  });

  it('without a day outlasts one that was named before', () => {
    assert.equal(untilOf(cap(null, cap(NOW + DAY)), NOW), null);
    assert.equal(untilOf(cap(NOW + DAY, cap(null)), NOW), null);
  });
});
