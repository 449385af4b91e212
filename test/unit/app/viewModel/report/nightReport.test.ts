import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeMadeWay } from '../../../../../src/app/present/report/nightTexts';
import {
  describeAttemptCounts,
  describeCost,
  describeTaskCounts,
  formatChanges,
  summarizeReport,
} from '../../../../../src/app/present/report/reportTexts';
import { reportTasks } from '../../../../../src/app/viewModel/report/reportedTask';
import { needsAction, RISKS } from '../../../../../src/app/viewModel/report/risk';
import { OUTCOMES, type Attempt, type Outcome } from '../../../../../src/domain/task/attempt';
import type { TaskState } from '../../../../../src/domain/queue/view';
import { setTranslations } from '../../../../../src/platform/text/translate';
import { fuzzed } from '../../../../support/fuzz';
import { ran, reportOf } from '../../../../support/night/reports';
import { HOUR, MINUTE, NOW } from '../../../../support/queue/attempts';
import { runByWorker, type Around, type Row } from '../../../../support/queue/viewModels';

const DAY = 24 * HOUR;

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

const STATUSES = ['pending', 'review', 'completed', 'failed', 'cancelled'] as const;

const states: fc.Arbitrary<Row> = fc.record({
  state: fc.record({
    status: fc.constantFrom(...STATUSES),
    dueCause: fc.constantFrom<TaskState['dueCause']>(null, 'repeat', 'retry'),
    lastOutcome: fc.constantFrom(...OUTCOMES),
  }),
});

const rowsWithOwners: fc.Arbitrary<Row> = fc.oneof(
  { weight: 8, arbitrary: states },
  { weight: 1, arbitrary: fc.constant(runByWorker) },
  { weight: 1, arbitrary: fc.constant<Row>({ ...runByWorker, lost: true }) },
);

const histories = fc.record({
  rows: fc.array(rowsWithOwners, { maxLength: 8 }),
  attempts: fc.array(
    fc
      .record({
        id: fc.integer({ min: 1, max: 10 }),
        power: fc.constantFrom('p', 'p', 'p', 'q'),
        outcome: fc.constantFrom(...OUTCOMES),
        reason: fc.constantFrom('done', 'verified', 'by-hand', 'five_hour'),
        from: fc.integer({ min: 1, max: 3_000 }),
        minutes: fc.integer({ min: 0, max: 300 }),
        cost: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
        files: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
      })
      .map(({ id, power, outcome, reason, from, minutes, cost, files }) =>
        ran(from, Math.max(from - minutes, 0), {
          ...{ id, power, outcome, reason },
          ...(cost === undefined ? {} : { costUsd: cost }),
          ...(files === undefined ? {} : { diff: { files, insertions: files, deletions: files } }),
        }),
      ),
    { maxLength: 25 },
  ),
});

describe('The first sentence of a report', () => {
  it('counts the rows that cannot be read', () => {
    const problem = { message: 'Wrong.', row: 3, where: { kind: 'file', line: 3, column: 1 } } as const;
    const failed: Row = { state: { status: 'failed' } };
    const summaryOf = (rows: readonly Row[], around: Around = {}): string =>
      summarizeReport(reportOf(rows, [], { workers: 1, ...around }));
    assert.equal(summaryOf([{}]), 'Nothing needs attention');
    assert.equal(summaryOf([{}], { problems: [problem] }), '1 row cannot be read');
    assert.equal(
      summaryOf([failed], { problems: [problem, { ...problem, row: 5 }] }),
      '2 rows cannot be read, 1 task needs attention',
    );
  });

  it('starts with a capital in a language that has the number last', () => {
    setTranslations({ '{0} tasks need attention': 'задач, требующих внимания: {0}' });
    try {
      const failed: Row = { state: { status: 'failed' } };
      const report = reportOf([failed, failed], [], { workers: 1 });
      assert.equal(summarizeReport(report), 'Задач, требующих внимания: 2');
    } finally {
      setTranslations({});
    }
  });
});

describe('The report of a random history', () => {
  it('has each attempt and each task in exactly one count', () => {
    fc.assert(
      fc.property(histories, ({ rows, attempts }) => {
        const report = reportOf(rows, attempts);
        const own = attempts.filter(({ endedAt }) => endedAt >= NOW - DAY);
        assert.equal(sum(Object.values(report.sums.outcomes)), own.length);
        assert.equal(sum(report.tasks.map((task) => task.attempts.length)), own.length);
        const ids = new Set(report.tasks.map(({ id }) => id));
        const onlyEarlier = report.tasks.filter(
          ({ id, end }) =>
            end === 'changed' && !report.tasks.some((one) => one.id === id && one.view !== null),
        );
        assert.equal(sum(report.ends.map(({ count }) => count)), ids.size - onlyEarlier.length);
        const keys = report.tasks.map(({ id, view }) => `${String(id)} ${String(view !== null)}`);
        assert.equal(new Set(keys).size, report.tasks.length);
        const inQueue = report.tasks.filter(({ view }) => view !== null).length;
        assert.equal(inQueue + report.before, rows.length);
        const claims = rows.filter(({ owner }) => owner !== undefined).length;
        assert.equal(report.unended.running + report.unended.died, claims);
      }),
      fuzzed(300, 5_000),
    );
  });

  it('orders what needs the user by risk, and names each task at most once', () => {
    fc.assert(
      fc.property(histories, ({ rows, attempts }) => {
        const { needs } = reportOf(rows, attempts);
        const ranks = needs.map(({ risk }) => RISKS.indexOf(risk));
        assert.deepEqual(
          ranks,
          ranks.toSorted((one, other) => one - other),
        );
        assert.equal(new Set(needs.map(({ task }) => task.id)).size, needs.length);
      }),
      fuzzed(300, 5_000),
    );
  });

  it('leaves no time of the period out: something ran, or it is in one gap, or too short for one', () => {
    fc.assert(
      fc.property(histories, ({ rows, attempts }) => {
        const { gaps } = reportOf(rows, attempts);
        const known = attempts.filter(({ reason }) => reason !== 'by-hand');
        for (const { from, to, causes, isOpen } of gaps) {
          assert.ok(to - from >= 10 * MINUTE && from >= NOW - DAY && to <= NOW);
          assert.ok(known.every(({ startedAt, endedAt }) => endedAt <= from || startedAt >= to));
          assert.ok(isOpen || causes.length > 0);
        }
        for (const [index, { from }] of gaps.entries())
          assert.ok(index === 0 || (gaps[index - 1]?.to ?? 0) <= from);
      }),
      fuzzed(300, 5_000),
    );
  });
});

describe('The report of a night', () => {
  it('has a running task whose row was removed', () => {
    const [task] = reportTasks([], [], new Set(), [7]);
    assert.deepEqual([task?.id, task?.end], [7, 'removed']);
  });

  it('adds the parts of its sentences up', () => {
    const report = reportOf(
      [{ state: { status: 'completed' } }, {}, runByWorker],
      [ran(60, 50, { reason: 'verified', costUsd: 1 }), ran(40, 30, { id: 2, outcome: 'error' })],
    );
    assert.equal(describeTaskCounts(report), '3 tasks = 1 done and checked + 1 running + 1 to be continued.');
    assert.equal(describeAttemptCounts(report), '3 attempts = 1 success + 1 error + 1 running.');
    assert.equal(describeCost(report), 'Cost: at least $1.00; unknown for 1 of 2 attempts.');
  });

  it('does not count what is over and did not run in the period, and says when the last attempt ended', () => {
    const report = reportOf([{ state: { status: 'completed' } }], [ran(2_000, 1_900)]);
    assert.equal(describeTaskCounts(report), 'No tasks. (1 ended, with no known attempt in this time.)');
    assert.match(describeAttemptCounts(report), /^No attempts\. The last one ended at 2026-11-19 10:20\.$/);
    assert.equal(describeCost(report), null);
  });

  it('can follow more attempts than a call can have arguments', () => {
    const many = Array.from({ length: 150_000 }, () => ran(2_000, 1_990));
    const report = reportOf([{}], [...many, ran(600, 590)]);
    assert.equal(report.lastBefore, NOW - 1_990 * MINUTE);
    assert.equal(report.gaps.length, 2);
  });

  it('counts a repeating task that failed as failed until its next time', () => {
    const state = { status: 'pending', dueCause: 'repeat', dueAt: NOW + HOUR, lastOutcome: 'error' } as const;
    for (const outcome of ['error', 'permanent', 'lost', 'transient'] as const) {
      const { tasks, needs } = reportOf([{ state }], [ran(60, 50, { outcome, code: 3 })]);
      assert.deepEqual(
        [tasks.map(({ end }) => end), needs.map(({ risk }) => risk)],
        [['failed'], ['failed']],
      );
    }
    const { tasks } = reportOf([{ state }], [ran(60, 50, { outcome: 'lost', code: 1 })]);
    assert.equal(tasks[0]?.end, 'continues');
  });

  it('counts a finished task that the user made pending as waiting, unless it continues in its session', () => {
    const endsOf = (resume: 'comment' | null, outcome: Outcome): (string | undefined)[] =>
      reportOf([{ state: { status: 'pending', resume } }], [ran(60, 50, { outcome })]).tasks.map(
        ({ end }) => end,
      );
    assert.deepEqual(endsOf(null, 'success'), ['waiting']);
    assert.deepEqual(endsOf(null, 'permanent'), ['waiting']);
    assert.deepEqual(endsOf('comment', 'success'), ['continues']);
    assert.deepEqual(endsOf(null, 'transient'), ['continues']);
  });

  it('counts a repeating task that the user accepted as accepted until its next time', () => {
    const state = {
      status: 'pending',
      dueCause: 'repeat',
      dueAt: NOW + HOUR,
      lastOutcome: 'success',
    } as const;
    const { tasks } = reportOf([{ state }], [ran(60, 50, { outcome: 'review', acceptedAt: NOW })]);
    assert.equal(tasks[0]?.end, 'accepted');
  });

  it('has the next start of a worker after a limit, not what the user did by hand meanwhile', () => {
    const { limits } = reportOf(
      [{}, { state: { status: 'completed' } }],
      [
        ran(90, 80, { outcome: 'limit', reason: 'five_hour' }),
        ran(70, 60, { id: 2, reason: 'by-hand' }),
        ran(20, 10, { reason: 'done' }),
      ],
    );
    assert.equal(limits[0]?.resumedAt, NOW - 20 * MINUTE);
  });

  it('has the running attempt as the next start after a limit', () => {
    const { limits } = reportOf(
      [{ ...runByWorker, at: NOW - 5 * MINUTE }],
      [ran(90, 80, { outcome: 'limit', reason: 'five_hour' })],
    );
    assert.equal(limits[0]?.resumedAt, NOW - 5 * MINUTE);
  });
});

describe('The risk of a task', () => {
  const completed = { state: { status: 'completed' } } as const;
  const diff = (files: number, lines: number): Pick<Attempt, 'diff'> => ({
    diff: { files, insertions: lines, deletions: 0 },
  });
  const risksOf = (row: Row, more: Partial<Attempt>): readonly string[] =>
    reportOf([row], [ran(60, 50, more)]).needs.map(({ risk }) => risk);

  it('is none for a small change whose check passed', () => {
    assert.deepEqual(risksOf(completed, { reason: 'verified', ...diff(19, 399) }), []);
  });

  it('is that of an unproven end where the check passed before as well', () => {
    const withBefore = (result: 'passed' | 'failed' | 'unknown'): Partial<Attempt> => ({
      ...{ reason: 'verified', ...diff(1, 1) },
      check: {
        ...{ result: 'passed', exitCode: 0, ms: 1, output: '' },
        before: { result, exitCode: 0, ms: 1, output: '' },
      },
    });
    assert.deepEqual(risksOf(completed, withBefore('passed')), ['unproven']);
    assert.deepEqual(risksOf(completed, withBefore('failed')), []);
    assert.deepEqual(risksOf(completed, withBefore('unknown')), []);
    assert.deepEqual(risksOf(completed, { ...withBefore('passed'), ...diff(20, 1) }), ['large']);
  });

  it('is that of a large change from 20 files, or 400 lines', () => {
    assert.deepEqual(risksOf(completed, { reason: 'verified', ...diff(20, 1) }), ['large']);
    assert.deepEqual(risksOf(completed, { reason: 'verified', ...diff(1, 400) }), ['large']);
  });

  it('is that of an unchecked change also where its size is unknown, and none where nothing changed', () => {
    assert.deepEqual(risksOf(completed, {}), ['unchecked']);
    assert.deepEqual(risksOf(completed, diff(1, 1)), ['unchecked']);
    assert.deepEqual(risksOf(completed, diff(0, 0)), []);
  });

  it('is that of an unconfirmed end where Claude reported nothing', () => {
    assert.deepEqual(risksOf({ state: { status: 'completed', unconfirmed: true } }, diff(0, 0)), [
      'unconfirmed',
    ]);
  });

  it('puts the failure first for which more tasks wait', () => {
    const failed: Row = { state: { status: 'failed', lastOutcome: 'error' } };
    const rows: readonly Row[] = [failed, failed, { fields: { dependencies: [2] } }];
    const { needs } = reportOf(rows, []);
    assert.deepEqual(
      needs.map(({ task, risk, dependents }) => [task.id, risk, dependents]),
      [
        [2, 'failed', [3]],
        [1, 'failed', []],
        [3, 'stuck', []],
      ],
    );
  });

  it('needs an action unless the work is done', () => {
    assert.deepEqual(
      RISKS.filter((risk) => !needsAction(risk)),
      ['large', 'unconfirmed', 'unproven', 'unchecked'],
    );
  });
});

describe('The report of a task whose changes were undone', () => {
  it('says so, and leaves its changes out of the sums', () => {
    const diff = { files: 2, insertions: 12, deletions: 3 };
    const row: Row = { state: { status: 'completed', undone: true } };
    const undone = reportOf([row], [ran(30, 20, { diff, undoneAt: NOW })]);
    assert.deepEqual(
      undone.tasks.map(({ end, diff: left }) => [end, left]),
      [['undone', null]],
    );
    assert.equal(describeTaskCounts(undone), '1 task = 1 undone.');
    assert.deepEqual(undone.tasks.map(formatChanges), ['undone']);
    assert.deepEqual(undone.needs, []);
    const again = reportOf(
      [{ state: { status: 'completed' } }],
      [ran(30, 20, { diff, undoneAt: NOW }), ran(15, 10, { number: 2, diff: { ...diff, files: 1 } })],
    );
    assert.deepEqual(again.tasks.map(formatChanges), ['+12 -3 in 1 file']);
  });
});

describe('The report of a night with a critical task', () => {
  it('lists the attempts that made way, oldest first', () => {
    const stopped = { outcome: 'cancelled', reason: 'made-way', note: { kind: 'made-way', for: 9 } } as const;
    const report = reportOf(
      [],
      [ran(90, 80, { id: 1, ...stopped }), ran(80, 70, { id: 9 }), ran(60, 50, { id: 2, ...stopped })],
    );
    assert.deepEqual(
      report.madeWay.map(({ id, for: other }) => [id, other]),
      [
        [1, 9],
        [2, 9],
      ],
    );
    assert.match(describeMadeWay(report)[0] ?? '', /: task 1 made way for 9\.$/);
  });
});
