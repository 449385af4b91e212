import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OUTCOMES, type Outcome } from '../../../../src/domain/task/attempt';
import { decide, isFailure, type Change, type Circumstances } from '../../../../src/domain/task/decide';
import { parseRepeatInterval, type RepeatInterval } from '../../../../src/domain/time/schedule';
import { defaults, type Settings } from '../../../../src/domain/settings/settings';

const NOW = Date.UTC(2026, 10, 20, 18, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const circumstances: Circumstances = { now: NOW, random: 0.5, settings: defaults, timeZone: 'UTC' };

function daily(): RepeatInterval {
  const interval = parseRepeatInterval('daily');
  assert.ok(interval);
  return interval;
}

interface Given {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly repeat?: RepeatInterval;
  readonly maxRetries?: number;
  readonly retryCount?: number;
  readonly transientInRow?: number;
  readonly lostInRow?: number;
  readonly resetAt?: number | null;
  readonly random?: number;
  readonly owedRuns?: number;
  readonly contextTokens?: number;
  readonly settings?: Partial<Settings>;
}

function decided(given: Given): Change {
  const {
    outcome,
    reason = 'why',
    maxRetries = 3,
    retryCount = 0,
    transientInRow = 0,
    lostInRow = 0,
  } = given;
  const rules = given.repeat === undefined ? { maxRetries } : { maxRetries, repeat: given.repeat };
  const signal = { kind: 'five_hour', resetAt: given.resetAt ?? null, message: '' } as const;
  return decide(
    rules,
    {
      ...{ retryCount, transientInRow, lostInRow },
      ...(given.owedRuns === undefined ? {} : { owedRuns: given.owedRuns }),
    },
    {
      ...{ outcome, reason },
      ...(given.resetAt === undefined ? {} : { signal }),
      ...(given.contextTokens === undefined ? {} : { contextTokens: given.contextTokens }),
    },
    { ...circumstances, random: given.random ?? 0.5, settings: { ...defaults, ...given.settings } },
  );
}

describe('The decision after an attempt', () => {
  it('completes a task after a success', () => {
    const { status, succeeded, code, dueAt } = decided({ outcome: 'success' });
    assert.deepEqual(
      { status, succeeded, code, dueAt },
      { status: 'completed', succeeded: true, code: 0, dueAt: null },
    );
  });

  it('runs a repeating task again at once while it owes catch-up runs', () => {
    const owing = { repeat: daily(), owedRuns: 2 };
    const { dueAt, dueCause, owedRuns, status } = decided({ outcome: 'success', ...owing });
    assert.deepEqual([dueAt, dueCause, owedRuns, status], [NOW, 'repeat', 1, 'pending']);
    const last = decided({ outcome: 'success', repeat: daily(), owedRuns: 0 });
    assert.deepEqual([last.dueAt, last.dueCause], [NOW + 24 * HOUR, 'repeat']);
  });

  it('waits with catch-up runs for the next time where the user is to look first', () => {
    for (const outcome of ['review', 'error'] as const) {
      const { dueAt, owedRuns } = decided({ outcome, repeat: daily(), owedRuns: 2, maxRetries: 1 });
      assert.deepEqual([dueAt, owedRuns], [NOW + 24 * HOUR, 2], outcome);
    }
  });

  it('keeps catch-up runs after a failure, a limit or a lost attempt', () => {
    for (const outcome of ['error', 'transient', 'limit', 'lost', 'cancelled'] as const) {
      assert.equal(decided({ outcome, repeat: daily(), owedRuns: 2 }).owedRuns, 2, outcome);
    }
  });

  it('gives a repeating task its next time after a success, counted from now, with all retries', () => {
    const { status, dueAt, dueCause, retryCount, resume } = decided({
      outcome: 'success',
      repeat: daily(),
      retryCount: 2,
    });
    assert.deepEqual(
      { status, dueAt, dueCause, retryCount, resume },
      { status: 'pending', dueAt: NOW + 24 * HOUR, dueCause: 'repeat', retryCount: 0, resume: null },
    );
  });

  it('waits for the user after a review, which is no success', () => {
    const { status, succeeded, code } = decided({ outcome: 'review' });
    assert.deepEqual({ status, succeeded, code }, { status: 'review', succeeded: false, code: 0 });
  });

  it('keeps the schedule of a repeating task after a review', () => {
    const { status, dueCause, succeeded } = decided({ outcome: 'review', repeat: daily() });
    assert.deepEqual(
      { status, dueCause, succeeded },
      { status: 'pending', dueCause: 'repeat', succeeded: false },
    );
  });

  it('retries an error after 30 s, 1 min, 2 min …, in the same session', () => {
    const waits = [0, 1, 2, 3].map((retryCount) => {
      const change = decided({ outcome: 'error', retryCount, maxRetries: 9 });
      assert.equal(change.retryCount, retryCount + 1);
      assert.equal(change.resume, 'retry');
      return (change.dueAt ?? 0) - NOW;
    });
    assert.deepEqual(waits, [30_000, 60_000, 120_000, 240_000]);
  });

  it('keeps each back-off under an hour, and above four fifths of its length', () => {
    const longest = decided({ outcome: 'error', retryCount: 20, maxRetries: 99, random: 1 });
    const shortest = decided({ outcome: 'error', retryCount: 0, random: 0 });
    assert.equal((longest.dueAt ?? 0) - NOW, HOUR);
    assert.equal((shortest.dueAt ?? 0) - NOW, 24_000);
  });

  it('fails a task after max_retries errors', () => {
    const { status, retryCount, givenUp, code } = decided({ outcome: 'error', retryCount: 2 });
    assert.deepEqual(
      { status, retryCount, givenUp, code },
      { status: 'failed', retryCount: 3, givenUp: true, code: 3 },
    );
  });

  it('counts retries no higher than numbers are exact', () => {
    const retryCount = Number.MAX_SAFE_INTEGER;
    assert.equal(decided({ outcome: 'error', retryCount }).retryCount, retryCount);
  });

  it('lets a failed repeating task wait for its next time', () => {
    const change = decided({ outcome: 'error', retryCount: 2, repeat: daily() });
    assert.equal(change.status, 'pending');
    assert.equal(change.retryCount, 0);
    assert.equal(change.dueCause, 'repeat');
    assert.equal(change.code, 3);
  });

  it('replaces a session that is too large, whatever ended the attempt', () => {
    for (const outcome of [
      'error',
      'transient',
      'limit',
      'blocked',
      'cancelled',
      'lost',
      'review',
    ] as const) {
      assert.equal(decided({ outcome, contextTokens: 150_000 }).handOver, true, outcome);
      assert.equal(decided({ outcome, contextTokens: 149_999 }).handOver, undefined, outcome);
      assert.equal(decided({ outcome }).handOver, undefined, outcome);
    }
    const kept = { outcome: 'limit', contextTokens: 900_000, settings: { freshSessionAt: 0 } } as const;
    assert.equal(decided(kept).handOver, undefined, 'its owner does not want that');
    assert.equal(decided({ outcome: 'success', contextTokens: 900_000 }).handOver, undefined);
  });

  it('replaces a session that Claude Code calls too long, but not at a first prompt', () => {
    const tooLong = { outcome: 'permanent', reason: 'prompt_too_long' } as const;
    assert.equal(decided({ ...tooLong, contextTokens: 90_000 }).handOver, true);
    assert.equal(decided(tooLong).handOver, undefined);
    const kept = { ...tooLong, contextTokens: 90_000, settings: { freshSessionAt: 0 } };
    assert.equal(decided(kept).handOver, true, 'there is no way on in it, whatever its owner wants');
  });

  it('checks a session that is open elsewhere every ten minutes', () => {
    for (const transientInRow of [0, 5, 9]) {
      const change = decided({
        outcome: 'transient',
        reason: 'session-in-use',
        transientInRow,
        retryCount: 1,
      });
      const { status, retryCount, dueAt, resume } = change;
      assert.equal(change.transientInRow, transientInRow, 'none of the free ones is used up');
      assert.deepEqual(
        { status, retryCount, dueAt, resume, counts: isFailure(change) },
        { status: 'pending', retryCount: 1, dueAt: NOW + 10 * MINUTE, resume: 'elsewhere', counts: false },
      );
    }
  });

  it('does not count an attempt whose cause closed the gate for all, and runs it first afterwards', () => {
    for (const transientInRow of [0, 5, 9]) {
      const { status, retryCount, dueAt, resume, ...counts } = decide(
        { maxRetries: 3 },
        { retryCount: 1, transientInRow, lostInRow: 0 },
        { outcome: 'transient', reason: 'connection_failed' },
        { ...circumstances, isGateClosed: true },
      );
      assert.deepEqual(
        { status, retryCount, dueAt, resume, transientInRow: counts.transientInRow },
        { status: 'pending', retryCount: 1, dueAt: null, resume: 'interrupted', transientInRow },
      );
    }
  });

  it('counts the sixth transient failure in a row as an error, and not the first five', () => {
    for (const transientInRow of [0, 1, 2, 3, 4]) {
      const change = decided({ outcome: 'transient', transientInRow });
      assert.equal(change.retryCount, 0);
      assert.equal(change.transientInRow, transientInRow + 1);
      assert.equal(change.code, 1);
    }
    assert.equal(decided({ outcome: 'transient', transientInRow: 5 }).retryCount, 1);
  });

  it('drops an unusable session', () => {
    const { resume, retryCount } = decided({ outcome: 'transient', reason: 'session-unusable' });
    assert.deepEqual([resume, retryCount], [null, 0]);
  });

  it('counts no retry at a limit, waits until the reset, and resumes the session', () => {
    const resetAt = NOW + 4 * HOUR + 10 * MINUTE;
    const { status, retryCount, dueAt, dueCause, resume, code } = decided({
      outcome: 'limit',
      retryCount: 2,
      resetAt,
    });
    assert.deepEqual(
      { status, retryCount, dueAt, dueCause, resume, code },
      { status: 'pending', retryCount: 2, dueAt: resetAt, dueCause: 'limit', resume: 'limit', code: 2 },
    );
  });

  it('waits 4.5 hours after a limit without a believable reset', () => {
    for (const resetAt of [null, NOW - 31 * MINUTE, NOW + 9 * 24 * HOUR]) {
      assert.equal(decided({ outcome: 'limit', resetAt }).dueAt, NOW + 4.5 * HOUR);
    }
  });

  it('waits after a limit until the account’s gate opens, whatever reset this attempt got', () => {
    const closedUntil = NOW + MINUTE;
    const signal = { kind: 'five_hour', resetAt: NOW + HOUR, message: '' } as const;
    const state = { retryCount: 0, transientInRow: 0, lostInRow: 0 };
    const verdict = { outcome: 'limit', reason: 'five_hour', signal } as const;
    const change = decide({ maxRetries: 3 }, state, verdict, { ...circumstances, closedUntil });
    assert.equal(change.dueAt, closedUntil);
  });

  it('counts nothing for a blocked account', () => {
    const { status, retryCount, code } = decided({ outcome: 'blocked', retryCount: 1 });
    assert.deepEqual({ status, retryCount, code }, { status: 'pending', retryCount: 1, code: 2 });
  });

  it('fails a task at once after a permanent error', () => {
    const { status, retryCount, code } = decided({ outcome: 'permanent' });
    assert.deepEqual({ status, retryCount, code }, { status: 'failed', retryCount: 0, code: 3 });
  });

  it('cancels a cancelled attempt, and resumes one that stopped with its worker', () => {
    assert.equal(decided({ outcome: 'cancelled', reason: 'cancelled' }).status, 'cancelled');
    const stopped = decided({ outcome: 'cancelled', reason: 'stopped', retryCount: 1 });
    assert.deepEqual([stopped.status, stopped.resume, stopped.retryCount], ['pending', 'stopped', 1]);
  });

  it('counts lost attempts from the second in a row', () => {
    const first = decided({ outcome: 'lost' });
    const second = decided({ outcome: 'lost', lostInRow: 1 });
    assert.deepEqual([first.retryCount, first.lostInRow, first.resume], [0, 1, 'lost']);
    assert.deepEqual([second.retryCount, second.lostInRow, second.resume], [1, 2, 'lost']);
  });

  it('never gives a negative wait, more than one retry, or pending beyond the last retry', () => {
    const given = fc.record({
      outcome: fc.constantFrom(...OUTCOMES),
      maxRetries: fc.integer({ min: 1, max: 6 }),
      retryCount: fc.integer({ min: 0, max: 6 }),
      transientInRow: fc.integer({ min: 0, max: 8 }),
      lostInRow: fc.integer({ min: 0, max: 4 }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(given, (facts) => {
        const change = decided(facts);
        assert.ok(change.dueAt === null || change.dueAt >= NOW);
        assert.ok(change.retryCount <= facts.retryCount + 1);
        const countsUp = change.retryCount > facts.retryCount;
        if (countsUp && change.status === 'pending') assert.ok(change.retryCount < facts.maxRetries);
        if (change.givenUp) assert.equal(change.code, 3);
      }),
    );
  });

  it('is logged as a failure if it failed permanently, failed, or counted', () => {
    const failures: readonly Given[] = [
      { outcome: 'error' },
      { outcome: 'error', repeat: daily(), maxRetries: 1 },
      { outcome: 'permanent' },
      { outcome: 'transient', transientInRow: 5 },
      { outcome: 'lost', lostInRow: 1 },
    ];
    for (const given of failures) assert.ok(isFailure(decided(given)), JSON.stringify(given));
    for (const outcome of OUTCOMES) {
      const ought = outcome === 'error' || outcome === 'permanent';
      assert.equal(isFailure(decided({ outcome })), ought, outcome);
    }
  });
});
