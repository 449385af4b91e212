import assert from 'node:assert/strict';
import { listReviews } from '../../../../src/app/viewModel/report/reviews';
import type { Review } from '../../../../src/app/viewModel/report/risk';
import { VERIFIED } from '../../../../src/domain/task/attempt';
import { askToAccept, reviewItems } from '../../../../src/editor/commands/review/reviewTexts';
import { listTaskCommands } from '../../../../src/editor/queueFile/lenses/likelyActions';
import { attempt } from '../../../support/queue/attempts';
import { paint, type Row } from '../../../support/queue/viewModels';

const row = (prompt: string): Row => ({
  state: { status: 'completed', lastOutcome: 'success', unreviewed: true, changed: true },
  fields: { prompt },
});

/** Unreviewed tasks whose check passed, each with one changed line. */
const reviewsOf = (rows: readonly Row[]): readonly Review[] => {
  const diff = { files: 1, insertions: 1, deletions: 0 };
  const attempts = rows.map((_, index) =>
    attempt({ id: index + 1, power: 'p', reason: VERIFIED, diff, changedTests: true }),
  );
  return listReviews(paint(rows), attempts);
};

describe('The list of unreviewed tasks', () => {
  it('names each task, its risk and what is known of its work, without icons from a prompt', () => {
    const [item] = reviewItems(reviewsOf([row('Fix $(trash) it\nand more')]));
    assert.ok(item !== undefined);
    assert.doesNotMatch(item.label, /\$\(trash\)/);
    assert.match(item.label, /^1 {2}Fix /);
    assert.deepEqual(
      [item.description, item.detail],
      ['checked', 'Its check passed · changed: +1 -0 in 1 file'],
    );
  });
});

describe('The question whether to accept verified tasks', () => {
  it('lists them, and counts those for which it has no room', () => {
    const one = askToAccept(reviewsOf([row('Fix it')]));
    assert.equal(one.message, 'Accept 1 task?');
    assert.match(one.detail, /at most 50 lines changed in each\.\n\n1 {2}Fix it \(\+1 -0 in 1 file\)$/);
    const many = askToAccept(reviewsOf(Array.from({ length: 23 }, () => row('Fix it'))));
    assert.equal(many.message, 'Accept 23 tasks?');
    assert.match(many.detail, /\n20 {2}Fix it [^\n]*\nand 3 more$/);
  });
});

describe('A completed task that nobody accepted', () => {
  it('can be accepted in one step, and not once it is accepted', () => {
    const likely = ({ unreviewed }: { readonly unreviewed?: true }): readonly string[] => {
      const { state, ...rest } = row('Fix it');
      const { unreviewed: _, ...others } = { ...state };
      const [shown] = paint([{ ...rest, state: { ...others, ...(unreviewed ? { unreviewed } : {}) } }]).tasks;
      assert.ok(shown !== undefined);
      return listTaskCommands(shown, new Map()).flatMap(({ command, isLikely }) =>
        isLikely ? [command] : [],
      );
    };
    assert.deepEqual(likely({ unreviewed: true }), [
      'showChanges',
      'accept',
      'comment',
      'showAttempt',
      'showOutput',
    ]);
    assert.deepEqual(likely({}), ['showChanges', 'comment', 'showAttempt', 'showOutput']);
  });
});
