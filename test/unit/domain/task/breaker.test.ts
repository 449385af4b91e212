import assert from 'node:assert/strict';
import { BY_HAND, type Outcome } from '../../../../src/domain/task/attempt';
import type { ShownReason } from '../../../../src/app/present/reasons/reason';
import { continueStreak, isBroken } from '../../../../src/domain/task/streak';
import { LONGEST_STREAK } from '../../../../src/domain/settings/settingList';
import type { FailureStreak } from '../../../../src/domain/queue/view';
import { taskOf, worldOf } from '../surroundings';
import { explainAsText } from '../../../support/queue/shownReason';

type End = readonly [id: number, outcome: Outcome, reason?: string];

function after(...ends: readonly End[]): FailureStreak | null {
  return ends.reduce<FailureStreak | null>(
    (streak, [id, outcome, reason = 'exit-1'], endedAt) =>
      continueStreak(streak, { id, outcome, reason, message: `Task ${String(id)} failed.`, endedAt }),
    null,
  );
}

function why(streak: FailureStreak | null, breakerFailures = 3): ShownReason {
  const task = taskOf(1);
  return explainAsText(task, worldOf([task], { queue: { streak }, settings: { breakerFailures } }));
}

const FAILED: readonly End[] = [
  [4, 'error'],
  [7, 'error'],
  [9, 'error'],
];

describe('The same failure of several tasks in a row', () => {
  it('blocks every task until the user resumes, and names the failed tasks and the failure', () => {
    const reason = why(after(...FAILED));
    assert.deepEqual(
      [reason.state, reason.waitsFor, reason.text],
      [
        'waiting',
        'person',
        'the same failure in 3 tasks in a row (4, 7, 9), the last: Task 9 failed; fix it, then run "resume"',
      ],
    );
  });

  it('has the end of the first of them, also after further ones', () => {
    assert.equal(after([1, 'success'], ...FAILED)?.since, 1);
    assert.equal(after(...FAILED, [4, 'error'], [10, 'error'])?.since, 0);
    assert.equal(after(...FAILED, [8, 'error', 'timeout'])?.since, 3);
  });

  it('is not one task that fails repeatedly', () => {
    assert.equal(why(after([4, 'error'], [4, 'error'], [4, 'error'], [7, 'error'])).state, 'ready');
  });

  it('is counted from 0 after a success, a review, or another failure', () => {
    for (const between of [
      [8, 'success'],
      [8, 'review'],
      [8, 'error', 'timeout'],
      [8, 'permanent', '400'],
    ] as const) {
      assert.equal(why(after([4, 'error'], [7, 'error'], between, [9, 'error'])).state, 'ready', between[1]);
    }
  });

  it('is not interrupted by limits, network failures and lost workers', () => {
    for (const outcome of ['limit', 'blocked', 'transient', 'cancelled', 'lost'] as const) {
      const streak = after([4, 'error'], [7, 'error'], [8, outcome], [9, 'error']);
      assert.deepEqual(streak?.ids, [4, 7, 9], outcome);
    }
  });

  it('does not count decisions of the user about their own task', () => {
    const streak = after([4, 'error'], [5, 'error', BY_HAND], [7, 'error'], [8, 'error', BY_HAND]);
    assert.deepEqual(streak?.ids, [4, 7]);
  });

  it('counts permanent failures too', () => {
    const refused: readonly End[] = [1, 2, 3].map((id) => [id, 'permanent', '400']);
    assert.equal(why(after(...refused)).state, 'waiting');
  });

  it('does not count errors of one row, and is not interrupted by them', () => {
    for (const reason of [
      'bad-working-dir',
      'unusable-words',
      'cwd_unavailable',
      'prompt_too_long',
      'model_not_found',
      'refusal',
      'error_max_turns',
      'error_max_budget_usd',
    ]) {
      const own: readonly End[] = [1, 2, 3].map((id) => [id, 'permanent', reason]);
      assert.equal(after(...own), null, reason);
      const streak = after([4, 'error'], [7, 'error'], ...own, [9, 'error']);
      assert.deepEqual(streak?.ids, [4, 7, 9], reason);
    }
  });

  it('pauses at the configured number, or never', () => {
    assert.equal(why(after(...FAILED), 4).state, 'ready');
    assert.equal(why(after(...FAILED), 2).state, 'waiting');
    assert.equal(why(after(...FAILED), 0).state, 'ready');
  });

  it('does not block a task that the user names', () => {
    const task = taskOf(1);
    const world = worldOf([task], { queue: { streak: after(...FAILED) } });
    assert.equal(explainAsText(task, world, { time: true }).state, 'ready');
  });

  it('names a few of many tasks, and stores a limited number', () => {
    const many = after(...Array.from({ length: 150 }, (_, id): End => [id + 1, 'error']));
    assert.equal(many?.ids.length, LONGEST_STREAK);
    assert.equal(isBroken(many, { breakerFailures: LONGEST_STREAK }), true);
    assert.match(why(many).text, /in 100 tasks in a row \(51, 52, 53, 54, 55 and 95 more\)/);
  });
});
