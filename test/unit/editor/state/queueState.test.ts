import assert from 'node:assert/strict';
import {
  endsUnseen,
  followOutage,
  lastKnownOf,
  viewModelOf,
  type QueueState,
  type UnreadState,
} from '../../../../src/editor/state/queueState';
import { HOUR, NOW, paint, ready } from '../../../support/queue/viewModels';

const AWAY = { kind: 'failing', message: 'Redis does not answer.', files: [], redis: 'away' } as const;

/** The state after these reads fail, one hour after another. */
function follow(before: QueueState, ...reads: readonly UnreadState[]): QueueState {
  return reads.reduce<QueueState>(
    (state, read, index) => followOutage(state, read, { now: NOW + index * HOUR, timeZone: 'Asia/Tokyo' }),
    before,
  );
}

describe('The state of a queue in Redis that cannot be read', () => {
  const known = ready(paint([{}]));

  it('keeps what was read last, and the time of the first failure', () => {
    const state = follow(known, AWAY, { ...AWAY, redis: 'refused' }, AWAY);
    assert.equal(lastKnownOf(state), known);
    assert.ok(state.kind === 'failing');
    assert.deepEqual([state.outage?.since, state.outage?.moment.now], [NOW, NOW + 2 * HOUR]);
  });

  it('has no view model, so that nothing acts on what is only last known', () => {
    assert.equal(viewModelOf(follow(known, AWAY)), null);
  });

  it("has the queue's time zone; that of the machine if nothing was read", () => {
    const zones = [follow(known, AWAY), follow({ kind: 'opening' }, AWAY)].map((state) =>
      state.kind === 'failing' ? state.outage?.moment.timeZone : null,
    );
    assert.deepEqual(zones, ['UTC', 'Asia/Tokyo']);
  });

  it('knows nothing if nothing was read', () => {
    assert.equal(lastKnownOf(follow({ kind: 'opening' }, AWAY, AWAY)), null);
  });

  it('counts a later outage from its own start', () => {
    const again = followOutage(known, AWAY, { now: NOW + HOUR, timeZone: 'UTC' });
    assert.equal(again.kind === 'failing' ? again.outage?.since : null, NOW + HOUR);
  });
});

it('The state of a queue in a file that cannot be read shows nothing of before', () => {
  const failing = { kind: 'failing', message: 'It is locked.', files: [] } as const;
  assert.equal(follow(ready(paint([{}])), failing), failing);
  assert.deepEqual(follow(ready(paint([{}])), { kind: 'missing' }), { kind: 'missing' });
});

it('A state ends without a sign while Redis is away, or a worker runs although the queue cannot be read', () => {
  const gone = { kind: 'missing', isGone: true } as const;
  const failing = { kind: 'failing', message: 'It is no CSV.', files: [] } as const;
  const workers = ['worker 1'];
  const states: QueueState[] = [AWAY, { ...gone, workers }, { ...failing, workers }];
  const others: QueueState[] = [
    { ...AWAY, redis: 'refused' },
    gone,
    { ...failing, workers: [] },
    ready(paint([{}])),
    { kind: 'opening' },
  ];
  assert.deepEqual(states.map(endsUnseen), [true, true, true]);
  assert.deepEqual(others.map(endsUnseen), [false, false, false, false, false]);
});
