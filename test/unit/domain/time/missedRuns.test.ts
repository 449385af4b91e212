import assert from 'node:assert/strict';
import { formatMissed } from '../../../../src/app/present/reasons/amounts';
import { findMissed, type MissedRuns } from '../../../../src/domain/time/missedRuns';
import { defaults, type Settings } from '../../../../src/domain/settings/settings';
import type { TaskState } from '../../../../src/domain/queue/view';
import { repeat } from '../../../conformance/harness';
import { DAY, HOUR, MINUTE, NOW, taskOf, worldOf } from '../surroundings';
import { explainAsText } from '../../../support/queue/shownReason';

interface Case {
  readonly every?: string;
  /** Time since it was due. */
  readonly agoMs: number;
  readonly policy?: Settings['missedRuns'];
  readonly max?: number;
  readonly state?: Partial<TaskState>;
  readonly now?: number;
  readonly timeZone?: string;
}

function missed(given: Case): MissedRuns | null {
  const { every = 'daily', agoMs, policy = 'once', max = 3, now = NOW, timeZone = 'UTC' } = given;
  const state = { dueAt: now - agoMs, dueCause: 'repeat', ...given.state } as const;
  const settings = { ...defaults, missedRuns: policy, missedRunsMax: max };
  const found = findMissed(taskOf(1, state, { repeat: repeat(every) }), { now, timeZone, settings });
  if (found === null) return null;
  // test/generated/occurrences.test.ts checks the fields that records of due times keep.
  const { lastAt: _last, caughtUp: _those, ...settled } = found;
  return settled;
}

describe('A repeating task that could not run in time', () => {
  it('has missed nothing while it is at most an hour late', () => {
    assert.equal(missed({ agoMs: HOUR }), null);
    assert.notEqual(missed({ agoMs: HOUR + 1 }), null);
  });

  it('has missed nothing if it does not wait for its next time', () => {
    assert.equal(missed({ agoMs: 3 * DAY, state: { dueCause: 'limit' } }), null);
    assert.equal(missed({ agoMs: 3 * DAY, state: { dueCause: 'retry' } }), null);
    assert.equal(missed({ agoMs: 0, state: { dueAt: null, dueCause: null } }), null);
  });

  it('runs once for all missed times, which are counted', () => {
    assert.deepEqual(missed({ agoMs: 2 * HOUR }), { count: 1, dueAt: NOW - 2 * HOUR });
    assert.deepEqual(missed({ agoMs: 3 * DAY + HOUR }), { count: 4, dueAt: NOW - 3 * DAY - HOUR });
  });

  it('skips them all with missedRuns: skip, and runs at its next time', () => {
    assert.deepEqual(missed({ agoMs: 3 * DAY + 2 * HOUR, policy: 'skip' }), {
      count: 4,
      dueAt: NOW + 22 * HOUR,
    });
  });

  it('skips none that is at most an hour late, whether or not a worker looked before', () => {
    assert.deepEqual(missed({ agoMs: 3 * DAY, policy: 'skip' }), { count: 3, dueAt: NOW });
    assert.deepEqual(missed({ agoMs: 3 * DAY + HOUR, policy: 'skip' }), { count: 3, dueAt: NOW - HOUR });
    assert.deepEqual(missed({ agoMs: 90 * MINUTE, every: '30m', policy: 'skip' }), {
      count: 1,
      dueAt: NOW - HOUR,
    });
  });

  it('waits for its next time if they are skipped, with the same reason before and after', () => {
    const reported = (own: Partial<TaskState>): string => {
      const task = taskOf(1, { dueCause: 'repeat', ...own }, { repeat: repeat('daily') });
      const { state, text, until } = explainAsText(
        task,
        worldOf([task], { settings: { missedRuns: 'skip' } }),
      );
      return `${state}: ${text}${until === undefined ? '' : ` (${String((until - NOW) / HOUR)} h)`}`;
    };
    assert.equal(reported({ dueAt: NOW - HOUR }), 'ready: ');
    const inTheMorning = 'next time 2026-03-03 08:00 (22 h)';
    assert.equal(reported({ dueAt: NOW - 2 * HOUR }), `scheduled: missed once, skipped; ${inTheMorning}`);
    const settled = { dueAt: NOW + 22 * HOUR, missed: 29 };
    assert.equal(reported(settled), `scheduled: missed 29 times, skipped; ${inTheMorning}`);
    assert.equal(reported({ ...settled, missed: 0 }), `scheduled: ${inTheMorning}`);
    assert.equal(
      reported({ dueAt: NOW - 26 * HOUR, missed: 2 }),
      `scheduled: missed 4 times, skipped; ${inTheMorning}`,
    );
  });

  it('that is late again skips again, and counts all skipped times', () => {
    const again = missed({ agoMs: 2 * HOUR, policy: 'skip', state: { missed: 4 } });
    assert.deepEqual(again, { count: 5, dueAt: NOW + 22 * HOUR });
  });

  it('runs once for each of them with missedRuns: all, up to a number', () => {
    assert.deepEqual(missed({ agoMs: DAY + HOUR, policy: 'all' }), {
      count: 2,
      dueAt: NOW - DAY - HOUR,
      owedRuns: 1,
    });
    assert.equal(missed({ agoMs: 9 * DAY + HOUR, policy: 'all' })?.owedRuns, 2, 'three runs in all');
    assert.equal(missed({ agoMs: 9 * DAY + HOUR, policy: 'all', max: 20 })?.owedRuns, 9);
    assert.equal(missed({ agoMs: 2 * HOUR, policy: 'all' })?.owedRuns, 0);
  });

  it('is settled once, and again only after one more time', () => {
    for (const policy of ['once', 'all'] as const) {
      const late = { agoMs: 2 * DAY + HOUR, policy, max: 9 };
      assert.equal(missed({ ...late, state: { missed: 3, owedRuns: 2 } }), null, policy);
      const later = missed({ ...late, agoMs: 3 * DAY + HOUR, state: { missed: 3, owedRuns: 2 } });
      assert.deepEqual([later?.count, later?.owedRuns], [4, policy === 'all' ? 3 : undefined]);
    }
  });

  it('keeps its catch-up runs when it misses more', () => {
    assert.equal(
      missed({ agoMs: DAY + HOUR, policy: 'all', max: 9, state: { owedRuns: 2 } })?.owedRuns,
      3,
      'the run that is due makes up for one of the two',
    );
  });

  it('follows a cron expression, also over a change of the clocks', () => {
    const morning = { every: '0 9 * * 1-5', timeZone: 'Europe/Berlin' };
    const now = Date.parse('2026-03-31T10:00Z');
    const friday = Date.parse('2026-03-27T08:00Z');
    assert.deepEqual(missed({ ...morning, now, agoMs: now - friday, policy: 'skip' }), {
      count: 3,
      dueAt: Date.parse('2026-04-01T07:00Z'),
    });
  });

  it('that could have run every minute for a year is not counted to the end', () => {
    const year = missed({ every: '* * * * *', agoMs: 365 * DAY, policy: 'skip' });
    assert.deepEqual(year, { count: 1000, dueAt: NOW - HOUR });
    assert.deepEqual([999, 1000].map(formatMissed), ['999', 'at least 1000']);
  });
});

describe('The next time of a repeating task that was set while the clock was ahead', () => {
  const ahead = (every: string, dueAt: number): number | undefined => {
    const task = taskOf(1, { dueAt, dueCause: 'repeat' }, { repeat: repeat(every) });
    return explainAsText(task, worldOf([task])).until;
  };

  it('is no further away than one turn, at the same time of day', () => {
    assert.equal(ahead('daily', NOW + 365 * DAY + HOUR), NOW + HOUR);
    assert.equal(ahead('0 9 * * *', NOW + 365 * DAY - HOUR), NOW + 23 * HOUR);
  });

  it('is by the new repetition if the row repeats more often now', () => {
    assert.equal(ahead('0 * * * *', NOW + 3 * DAY), NOW + HOUR);
    assert.equal(ahead('2h', NOW + 3 * DAY), NOW + 2 * HOUR);
  });

  it('is kept where it is less than two turns away', () => {
    assert.equal(ahead('daily', NOW + 47 * HOUR), NOW + 47 * HOUR);
    assert.equal(ahead('0 9 * * *', NOW + 47 * HOUR), NOW + 47 * HOUR);
  });
});
