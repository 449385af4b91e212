import assert from 'node:assert/strict';
import { describeState } from '../../../../../src/editor/queueFile/lenses/stateSentence';
import { repeat } from '../../../../conformance/harness';
import { HOUR, NOW, paint, runByWorker } from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };

/** The sentence of the first of these rows. */
function sentence(rows: readonly Row[], around: Around = {}): string {
  const { tasks, world } = paint(rows, around);
  const [first] = tasks;
  assert.ok(first !== undefined);
  return describeState(first, world);
}

const one = (row: Row, around?: Around): string => sentence([row], around);

describe('The sentence on a row of the queue file', () => {
  it('names the place of a task that only waits for a free slot', () => {
    assert.equal(one({}), '1st in line');
    assert.equal(sentence([{}, runByWorker]), '1st in line');
    assert.match(sentence([{}, { ...runByWorker, lost: true }]), /^1st in line: worker w1 .*died/);
  });

  it('names all dependencies that are not met', () => {
    const after = (dependencies: readonly number[]): string =>
      sentence([
        { fields: { dependencies } },
        { state: { status: 'completed' } },
        ...Array.from({ length: 8 }, () => ({})),
      ]);
    assert.equal(after([4]), 'After 4');
    assert.equal(after([2, 4, 9]), 'After 4 and 9');
    assert.equal(after([4, 5, 9]), 'After 4, 5 and 9');
    assert.equal(after([3, 4, 5, 6, 7, 8, 9]), 'After 3, 4, 5, 6, 7 and 2 more');
    assert.equal(one({ fields: { dependencies: [9] } }), 'Depends on task 9, which does not exist');
  });

  it('names the time for which a task waits', () => {
    assert.equal(one({ state: { ownerScheduledAt: NOW + 2 * HOUR } }), 'Not before 20:00');
    assert.equal(
      one({
        fields: { repeat: repeat('24h') },
        state: { dueAt: NOW + 3 * HOUR, dueCause: 'repeat' },
      }),
      'Next time 21:00',
    );
    assert.equal(
      one({ state: { retryCount: 1, dueAt: NOW + 2 * HOUR, dueCause: 'retry' } }),
      'Next try 20:00, failed 1 of 3 attempts',
    );
  });

  it('says why a task needs the user', () => {
    assert.equal(one({}, UNTRUSTED), 'Not approved on this machine');
    const changed = { approvedRows: { trusted: false, approvals: new Set(['1:old']) } };
    assert.equal(one({}, changed), 'Not approved: changed since you approved it');
    assert.equal(
      one({ state: { reopened: true } }, UNTRUSTED),
      'Not approved: was finished; an edit of the file made it pending again',
    );
    assert.equal(
      one({ state: { status: 'review', lastMessage: 'Claude was refused an action.' } }),
      'Needs review: Claude was refused an action',
    );
    const question = { text: 'Keep it?', session: 's' };
    assert.equal(one({ state: { status: 'review', question } }), 'Needs an answer: Keep it?');
    assert.equal(
      one({ state: { status: 'failed', retryCount: 3, lastMessage: 'The check failed (npm test).' } }),
      'Failed after 3 attempts: The check failed (npm test)',
    );
    assert.equal(one({ state: { retryCount: 3 } }), 'Failed after 3 attempts');
    assert.equal(one({ state: { status: 'failed' } }), 'Failed');
  });

  it('says when a task was completed', () => {
    const completed = { status: 'completed', lastSuccessAt: NOW - 3 * HOUR } as const;
    assert.equal(one({ state: { ...completed, lastOutcome: 'success' } }), 'Completed 15:00');
    assert.equal(one({ state: { ...completed, lastOutcome: 'review' } }), 'Completed 15:00');
    assert.equal(one({ state: completed }), 'Completed', 'set by hand: only when it was read is known');
    assert.equal(one({ state: { status: 'completed', unconfirmed: true } }), 'Completed, not confirmed');
    assert.equal(one({ state: { status: 'completed', undone: true } }), 'Completed, undone');
    assert.equal(one({ state: { status: 'cancelled' } }), 'Cancelled');
  });

  it('names a deadline, and whether it can be met', () => {
    assert.equal(one({ fields: { deadline: NOW + 3 * HOUR } }), '1st in line, due 21:00');
    assert.equal(one({ fields: { deadline: NOW + 60_000 } }), '1st in line, due 18:01, at risk');
    assert.equal(one({ state: { firstSeenAt: NOW - 48 * HOUR } }), '1st in line, late');
  });

  it('is one line, and cut before it gets long', () => {
    const lastMessage = `First line\n${'and '.repeat(50)}`;
    assert.equal(one({ state: { status: 'review', lastMessage } }), 'Needs review: First line');
    const long = one({ state: { status: 'review', lastMessage: 'word '.repeat(50) } });
    assert.ok(long.length <= 100 && long.endsWith('word'), long);
  });
});
