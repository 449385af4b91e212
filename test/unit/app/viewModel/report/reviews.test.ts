import assert from 'node:assert/strict';
import { describeNeed } from '../../../../../src/app/present/report/needTexts';
import { formatChanges } from '../../../../../src/app/present/report/reportTexts';
import { measureAccepted } from '../../../../../src/app/viewModel/report/accepted';
import { composeNightReport } from '../../../../../src/app/viewModel/report/nightReport';
import {
  isVerifiedAndSmall,
  listReviews,
  rankReviews,
  SMALL_LINES,
} from '../../../../../src/app/viewModel/report/reviews';
import type { Review } from '../../../../../src/app/viewModel/report/risk';
import { VERIFIED, type Attempt } from '../../../../../src/domain/task/attempt';
import { attempt, HOUR, MINUTE, NOW, WORKER_DIED } from '../../../../support/queue/attempts';
import { paint, runByWorker, type Row } from '../../../../support/queue/viewModels';

const SUCCEEDED: Row = { state: { status: 'completed', lastOutcome: 'success', unreviewed: true } };
const IN_REVIEW: Row = { state: { status: 'review', lastOutcome: 'review', lastMessage: 'Half of it.' } };

const changed = (insertions: number, deletions = 0, files = 1): Pick<Attempt, 'diff'> => ({
  diff: { files, insertions, deletions },
});

/** Attempts of tasks in order, each of the row as it is. */
const ran = (...ends: readonly Partial<Attempt>[]): Attempt[] =>
  ends.map((end, index) => attempt({ id: index + 1, power: 'p', ...end }));

const reviewsOf = (rows: readonly Row[], attempts: readonly Attempt[]): readonly Review[] =>
  listReviews(paint(rows), attempts.toReversed());

describe('The unreviewed tasks', () => {
  it('are those in review and those that succeeded, but none that runs or was accepted', () => {
    const rows = [
      IN_REVIEW,
      SUCCEEDED,
      { ...SUCCEEDED, ...runByWorker },
      { state: { status: 'completed' } },
    ] as const;
    assert.deepEqual(
      reviewsOf(rows, ran({ outcome: 'review' }, {}, {}, {})).map(({ task }) => [task.id, task.end]),
      [
        [1, 'review'],
        [2, 'unchecked'],
      ],
    );
  });

  it('are ordered by risk, then by refused actions, a change without a test, and its size', () => {
    const checked = { reason: VERIFIED };
    const attempts = ran(
      { ...checked, ...changed(5), changedTests: true },
      { ...checked, ...changed(3), changedTests: false },
      { ...checked, ...changed(4), changedTests: false },
      { ...checked, ...changed(1), changedTests: true, denials: [{ tool: 'Bash', detail: 'rm' }] },
      changed(1),
      { ...checked, ...changed(400) },
      { outcome: 'review', ...changed(1) },
    );
    const rows = [...Array.from({ length: 6 }, () => SUCCEEDED), IN_REVIEW];
    const reviews = reviewsOf(rows, attempts);
    assert.deepEqual(
      reviews.map(({ task, risk }) => [task.id, risk]),
      [[7, 'review'], [6, 'large'], [5, 'unchecked'], ...[4, 3, 2, 1].map((id) => [id, null])],
    );
    const untested = reviews.filter((review) => describeNeed(review).includes('no test changed'));
    assert.deepEqual(
      untested.map(({ task }) => task.id),
      [3, 2],
    );
  });

  it('do not say that no test changed where a diff leaves files out or is not known', () => {
    const untested = { ...changed(3), changedTests: false };
    const partial = { ...untested, isDiffPartial: true } as const;
    const of = (...attempts: readonly Partial<Attempt>[]): string[] =>
      reviewsOf(
        [IN_REVIEW],
        attempts.map((one) => attempt({ power: 'p', outcome: 'review', ...one })),
      ).flatMap((review) => describeNeed(review).filter((text) => text.includes('test')));
    const unknown = ['not known whether a test changed'];
    assert.deepEqual(of(untested), ['no test changed']);
    assert.deepEqual([of(partial), of(partial, untested), of({}, untested)], [unknown, unknown, unknown]);
    assert.deepEqual(
      [of({ ...partial, changedTests: true }), of({ ...partial, ...changed(0, 0, 0) })],
      [[], []],
    );
  });

  it('have their places by risk only in review: refused actions first, then an untested and a larger change', () => {
    const review = { outcome: 'review' } as const;
    const attempts = ran(
      { ...review, ...changed(300), changedTests: true },
      { ...review, ...changed(2), changedTests: true },
      { ...review, ...changed(1), changedTests: false },
      changed(900),
      { ...review, denials: [{ tool: 'Bash', detail: 'rm' }] },
    );
    const refused: Row = { state: { ...IN_REVIEW.state, refused: true } };
    const viewModel = paint([IN_REVIEW, IN_REVIEW, IN_REVIEW, SUCCEEDED, refused]);
    assert.deepEqual([...rankReviews(viewModel, attempts.toReversed()).keys()], [5, 3, 1, 2]);
  });

  it('have the attempts since the last success of the row as it is', () => {
    const attempts = [
      attempt({ number: 1, power: 'p', ...changed(100) }),
      attempt({ number: 2, power: 'other', outcome: 'error', ...changed(50) }),
      attempt({ number: 3, power: 'p', outcome: 'error', ...changed(2) }),
      attempt({ number: 4, power: 'p', ...changed(1) }),
    ];
    const [review] = reviewsOf([SUCCEEDED], attempts);
    assert.deepEqual(
      [review?.task.attempts.map(({ number }) => number), review?.task.diff],
      [[3, 4], { files: 2, insertions: 3, deletions: 0 }],
    );
  });

  it('have a change that is not known where something is left out of a diff', () => {
    const attempts = ran(
      { ...changed(0, 0, 0), isDiffPartial: true },
      { ...changed(1), isDiffPartial: true },
      changed(0, 0, 0),
    );
    const reviews = reviewsOf([SUCCEEDED, SUCCEEDED, SUCCEEDED], attempts);
    assert.deepEqual(
      reviews.map(({ task, risk }) => [task.id, risk, formatChanges(task)]),
      [
        [2, 'unchecked', 'at least +1 -0 in 1 file'],
        [1, 'unchecked', 'unknown'],
        [3, null, 'nothing'],
      ],
    );
  });

  it('are listed also where their attempts were archived', () => {
    const [review] = reviewsOf([SUCCEEDED], []);
    assert.deepEqual([review?.task.id, review?.task.end, review?.risk], [1, 'unchecked', 'unchecked']);
  });

  it('can be accepted without a look only if verified, small, and with nothing refused or unknown', () => {
    const checked = { reason: VERIFIED };
    const attempts = ran(
      { ...checked, ...changed(30, 20) },
      { ...checked, ...changed(30, 21) },
      changed(1),
      checked,
      { ...checked, ...changed(1), denials: [{ tool: 'Bash', detail: 'rm' }] },
      { ...checked, ...changed(0, 0, 0) },
      { outcome: 'review', ...checked, ...changed(1) },
      { ...checked, ...changed(0, 0, 0), isDiffPartial: true },
      { ...checked, ...changed(1), isDiffPartial: true },
    );
    const rows = [...Array.from({ length: 6 }, () => SUCCEEDED), IN_REVIEW, SUCCEEDED, SUCCEEDED];
    const small = reviewsOf(rows, attempts).filter((review) => isVerifiedAndSmall(review, SMALL_LINES));
    assert.deepEqual(small.map(({ task }) => task.id).sort(), [1, 6]);
  });
});

describe('Accepted work', () => {
  const accepted = (id: number, afterMs: number, more: Partial<Attempt> = {}): Attempt =>
    attempt({
      id,
      startedAt: NOW,
      endedAt: NOW + 10 * MINUTE,
      acceptedAt: NOW + 10 * MINUTE + afterMs,
      ...more,
    });

  it('has the median time until it was accepted, and the mean time of its attempts', () => {
    const failed = attempt({ id: 2, outcome: 'error', endedAt: NOW + 20 * MINUTE });
    const attempts = [accepted(3, 8 * HOUR), accepted(2, 4 * MINUTE), failed, accepted(1, 2 * MINUTE)];
    assert.deepEqual(measureAccepted(attempts, NOW), {
      tasks: 3,
      waitedMs: 4 * MINUTE,
      attemptsMs: (50 * MINUTE) / 3,
    });
  });

  it('does not count the attempts of another row that had the id of its task', () => {
    const other = attempt({ power: 'other', outcome: 'error', endedAt: NOW + 5 * HOUR });
    assert.equal(measureAccepted([accepted(1, 0), other], NOW)?.attemptsMs, 10 * MINUTE);
  });

  it('has no time of an attempt whose worker died', () => {
    const lost = attempt({ ...WORKER_DIED, endedAt: NOW + 13 * HOUR });
    assert.equal(measureAccepted([accepted(1, 0), lost], NOW)?.attemptsMs, 10 * MINUTE);
  });

  it('is of the period in which it was accepted, whenever it ran', () => {
    const attempts = [accepted(2, HOUR), accepted(1, 0)];
    assert.equal(measureAccepted(attempts, NOW + HOUR)?.tasks, 1);
    assert.equal(measureAccepted(attempts, NOW + 2 * HOUR), null);
  });

  it('is no longer worth a look in the report', () => {
    const view = paint([{ state: { status: 'completed', lastOutcome: 'success' } }]);
    const needsOf = (more: Partial<Attempt>): number =>
      composeNightReport(view, [...ran({ ...changed(1_000), ...more })], NOW - HOUR).needs.length;
    assert.deepEqual([needsOf({}), needsOf({ acceptedAt: NOW })], [1, 0]);
  });
});
