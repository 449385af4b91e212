import assert from 'node:assert/strict';
import { liftHolds, placeHold, findFullHold } from '../../../../src/domain/queue/pauses';
import { PRIORITIES, type Priority } from '../../../../src/domain/task/priority';
import type { Hold } from '../../../../src/domain/queue/view';
import { apply } from '../../../../src/queue/model/state/apply';
import { emptyState } from '../../../../src/queue/model/state/queueState';
import { NOW, taskOf, worldOf } from '../surroundings';
import { explainAsText } from '../../../support/queue/shownReason';

const hold = (why: string, priorities?: readonly Priority[], by: Hold['by'] = 'person'): Hold => ({
  by,
  why,
  at: NOW,
  ...(priorities === undefined ? {} : { priorities }),
});

/** Each hold with its priorities, as text. */
const reported = (holds: readonly Hold[]): string[] =>
  holds.map(({ why, priorities }) => `${why}: ${priorities?.join(' ') ?? 'all'}`);

describe('A pause', () => {
  it('of all replaces the one before, and keeps those of some priorities', () => {
    const holds = [hold('lunch'), hold('quiet', ['low'])];
    assert.deepEqual(reported(placeHold(holds, hold('dinner'))), ['quiet: low', 'dinner: all']);
  });

  it('of some priorities removes these from earlier pauses', () => {
    const holds = [hold('lunch'), hold('quiet', ['low', 'medium'])];
    assert.deepEqual(reported(placeHold(holds, hold('later', ['low', 'high']))), [
      'lunch: all',
      'quiet: medium',
      'later: low high',
    ]);
  });

  it('of each priority by name is one of all, and is ended so too', () => {
    const holds = placeHold([], hold('lunch', PRIORITIES));
    assert.equal(findFullHold(holds)?.why, 'lunch');
    assert.deepEqual(liftHolds(holds, { priorities: PRIORITIES }), []);
  });

  it('by bounds is separate from that of the user', () => {
    const holds = placeHold([hold('lunch')], hold('3 tasks', undefined, 'bounds'));
    assert.deepEqual(reported(holds), ['lunch: all', '3 tasks: all']);
    assert.deepEqual(reported(liftHolds(holds, { by: 'bounds' })), ['lunch: all']);
  });

  it('by a second bound leaves that of the first', () => {
    const first = placeHold([], hold('3 tasks', undefined, 'bounds'));
    assert.equal(placeHold(first, hold('--until', undefined, 'bounds')), first);
  });

  it('is ended with all others, or only for some priorities', () => {
    const holds = [hold('lunch'), hold('quiet', ['low', 'medium'])];
    assert.deepEqual(liftHolds(holds, {}), []);
    assert.deepEqual(reported(liftHolds(holds, { priorities: ['low'] })), ['lunch: all', 'quiet: medium']);
    assert.deepEqual(reported(liftHolds(holds, { priorities: ['low', 'medium', 'high'] })), ['lunch: all']);
  });

  it('of some priorities does not pause the whole queue', () => {
    assert.equal(findFullHold([hold('quiet', ['low'])]), null);
    assert.equal(findFullHold([hold('quiet', ['low']), hold('lunch')])?.why, 'lunch');
  });

  it('is the reason of the tasks that it blocks, by the priority of their rows', () => {
    const why = (priority: Priority, holds: readonly Hold[]): string => {
      const task = taskOf(1, { firstSeenAt: 0 }, { priority });
      return explainAsText(task, worldOf([task], { queue: { holds } })).text;
    };
    assert.equal(why('low', [hold('lunch')]), 'the queue is paused (lunch)');
    assert.equal(why('low', [hold('by day', ['medium', 'low'])]), 'medium, low tasks are paused (by day)');
    assert.equal(why('high', [hold('by day', ['medium', 'low'])]), '');
  });

  it('does not block a task that the user names', () => {
    const task = taskOf(1);
    const world = worldOf([task], { queue: { holds: [hold('lunch'), hold('x', ['medium'])] } });
    assert.equal(explainAsText(task, world, { time: true }).state, 'ready');
  });

  it('of an older journal with only a reason is that of the user for all', () => {
    const state = emptyState();
    apply(state, { kind: 'held', why: 'lunch', at: NOW });
    assert.deepEqual(state.holds, [hold('lunch')]);
    apply(state, { kind: 'resumed', at: NOW });
    assert.deepEqual(state.holds, []);
  });
});
