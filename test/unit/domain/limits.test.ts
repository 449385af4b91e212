import assert from 'node:assert/strict';
import {
  closeGate,
  closureFor,
  OPEN_GATE,
  recordUsage,
  reopenGate,
  saneReset,
  type GateView,
  type LimitSignal,
} from '../../../src/domain/limits';

const NOW = Date.UTC(2026, 10, 20, 19, 40);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FALLBACK = 4.5 * HOUR;

const fiveHour = (resetAt: number | null): LimitSignal => ({ kind: 'five_hour', resetAt, message: 'limit' });

function closed(signal: LimitSignal, gate: GateView = OPEN_GATE, now = NOW): GateView {
  return closeGate(gate, signal, now, FALLBACK);
}

describe("An account's gate", () => {
  it('closes at a limit until a minute after its reset', () => {
    const gate = closed(fiveHour(NOW + HOUR));
    assert.equal(closureFor(gate, undefined, NOW + HOUR + MINUTE - 1, MINUTE)?.kind, 'five_hour');
    assert.equal(closureFor(gate, undefined, NOW + HOUR + MINUTE, MINUTE), null);
  });

  it('takes 4.5 hours where no reset can be believed', () => {
    const [closure] = closed(fiveHour(null)).closures;
    assert.equal(closure?.until, NOW + FALLBACK);
  });

  it('is closed once by twelve runs that meet the same limit', () => {
    let gate = OPEN_GATE;
    for (let run = 0; run < 12; run += 1) gate = closed(fiveHour(NOW + HOUR), gate, NOW + run);
    assert.equal(gate.closures.length, 1);
    assert.equal(gate.closures[0]?.since, NOW);
  });

  it('stays closed longer where a later run tells of a later reset, and never shorter', () => {
    const first = closed(fiveHour(NOW + HOUR));
    assert.equal(closed(fiveHour(NOW + 2 * HOUR), first).closures[0]?.until, NOW + 2 * HOUR);
    assert.equal(closed(fiveHour(NOW + MINUTE), first).closures[0]?.until, NOW + HOUR);
  });

  it('waits for a person where only a person can help', () => {
    const gate = closed({ kind: 'sign-in', resetAt: null, message: 'Not logged in' });
    assert.equal(closureFor(gate, undefined, NOW + 1000 * HOUR, MINUTE)?.kind, 'sign-in');
    assert.equal(closureFor(reopenGate(gate), undefined, NOW, MINUTE), null);
  });

  it("lets tasks of other models through at one model's limit, but none that may be of it", () => {
    const gate = closed({
      kind: 'seven_day_opus',
      model: 'opus',
      resetAt: NOW + HOUR,
      message: 'Opus limit',
    });
    assert.equal(closureFor(gate, 'claude-sonnet-5-5', NOW, MINUTE), null);
    assert.equal(closureFor(gate, 'Opus', NOW, MINUTE)?.kind, 'seven_day_opus');
    assert.equal(closureFor(gate, undefined, NOW, MINUTE)?.kind, 'seven_day_opus');
  });

  it('is closed as long as the longest of what closes it', () => {
    const gate = closed(
      { kind: 'seven_day', resetAt: NOW + 50 * HOUR, message: '' },
      closed(fiveHour(NOW + HOUR)),
    );
    assert.equal(closureFor(gate, undefined, NOW, MINUTE)?.kind, 'seven_day');
  });

  it('forgets a closure a day after it ended', () => {
    const first = closed(fiveHour(NOW + HOUR));
    const weekly: LimitSignal = { kind: 'seven_day', resetAt: NOW + 60 * HOUR, message: '' };
    assert.equal(closed(weekly, first, NOW + 24 * HOUR).closures.length, 2);
    assert.equal(closed(weekly, first, NOW + 25 * HOUR).closures.length, 1);
  });

  it('keeps the newest fill level of each window', () => {
    const usage = (utilization: number) => [
      { window: 'five_hour', utilization, resetAt: NOW + HOUR } as const,
    ];
    const gate = recordUsage(recordUsage(OPEN_GATE, usage(0.2), NOW), usage(0.9), NOW + MINUTE);
    assert.deepEqual(gate.usage, [{ ...usage(0.9)[0], asOf: NOW + MINUTE }]);
  });

  it('believes a reset from a minute ago up to eight days ahead', () => {
    const eightDays = 8 * 24 * HOUR;
    assert.equal(saneReset(NOW - MINUTE, NOW), NOW - MINUTE);
    assert.equal(saneReset(NOW - MINUTE - 1, NOW), null);
    assert.equal(saneReset(NOW + eightDays, NOW), NOW + eightDays);
    assert.equal(saneReset(NOW + eightDays + 1, NOW), null);
    assert.equal(saneReset(null, NOW), null);
  });

  it('begins a new closing after the old one is over', () => {
    const gate = closed(fiveHour(NOW + 3 * HOUR), closed(fiveHour(NOW + HOUR)), NOW + 2 * HOUR);
    assert.deepEqual(
      gate.closures.map(({ since }) => since),
      [NOW + 2 * HOUR],
    );
  });
});
