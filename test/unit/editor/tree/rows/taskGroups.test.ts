import assert from 'node:assert/strict';
import { SHOWN_STATES } from '../../../../../src/domain/reasons/reason';
import { countForUser } from '../../../../../src/editor/tree/rows/taskGroups';
import {
  FIRST_ROWS,
  MORE_ROWS,
  showMoreIn,
  DEFAULT_OPTIONS,
} from '../../../../../src/editor/tree/rows/treeOptions';
import { groupsOf, rowsOf } from '../../../../support/editor/treeGroups';
import {
  HOUR,
  INVALID_SETTING,
  NOW,
  paint,
  runByUser,
  runByWorker,
} from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };
const PROBLEM = {
  where: { kind: 'file', line: 7, column: 3 },
  row: 7,
  message: 'Priority "urgent" is none of critical, high, medium, low.',
} as const;

type Options = Parameters<typeof groupsOf>[1];

/** The tree as the user reads it: the titles of the groups with the ids of their tasks. */
function read(rows: readonly Row[], around: Around = {}, options: Options = {}): Record<string, unknown> {
  const groups = groupsOf(paint(rows, around), options);
  return Object.fromEntries(
    groups.map(({ label, children = [] }) => [label, children.map(({ taskId }) => taskId)]),
  );
}

const DONE: Row = { state: { status: 'completed' } };

describe('The groups of the tree', () => {
  it('are what needs attention, then running, next, waiting and ended tasks', () => {
    const rows: Row[] = [
      DONE,
      { state: { status: 'review' } },
      { state: { ownerScheduledAt: NOW + HOUR } },
      {},
      runByUser,
    ];
    assert.deepEqual(Object.entries(read(rows)), [
      ['Needs Attention', [2]],
      ['Running', [5]],
      ['Next', [4]],
      ['Waiting', [3]],
      ['Done', [1]],
    ]);
  });

  it('are none for a queue without tasks', () => {
    assert.deepEqual(read([]), {});
  });

  it('have the most harmful first among those that need attention', () => {
    const rows: Row[] = [
      { state: { status: 'review' } },
      { fields: { dependencies: [9] } },
      { state: { status: 'failed' } },
    ];
    assert.deepEqual(read(rows), { 'Needs Attention': [3, 2, 1] });
  });

  it('have the riskier of two tasks in review first, after those that failed', () => {
    const inReview: Row = { state: { status: 'review' } };
    const rows: Row[] = [inReview, inReview, { state: { status: 'failed' } }];
    const byRisk = new Map([
      [2, 0],
      [1, 1],
    ]);
    assert.deepEqual(read(rows, {}, { around: { byRisk } }), { 'Needs Attention': [3, 2, 1] });
    assert.deepEqual(read(rows), { 'Needs Attention': [3, 1, 2] });
  });

  it('have the tasks that wait for a slot in the order of their users’ turns', () => {
    const rows: Row[] = [
      { state: { ownerScheduledAt: NOW + HOUR } },
      { fields: { user: 'ann' } },
      { fields: { user: 'ann', priority: 'high' } },
      { fields: { user: 'bob', priority: 'low' } },
    ];
    assert.deepEqual(read(rows), { Next: [3, 4, 2], Waiting: [1] });
  });

  it('have waiting tasks by what they wait for: few tasks before many, then the soonest time', () => {
    const rows: Row[] = [
      { state: { ownerScheduledAt: NOW + 2 * HOUR } },
      { state: { ownerScheduledAt: NOW + HOUR } },
      { fields: { dependencies: [1, 2] } },
      { fields: { dependencies: [1] } },
    ];
    assert.deepEqual(read(rows), { Waiting: [4, 3, 2, 1] });
  });

  it('have the task that succeeded last first among those that ended', () => {
    const endedAt = (at: number): Row => ({ state: { status: 'completed', lastSuccessAt: at } });
    assert.deepEqual(read([endedAt(NOW - HOUR), endedAt(NOW), DONE]), { Done: [2, 1, 3] });
  });

  it('keep what is next in its order while the whole queue is stopped, and say when it continues', () => {
    const rows: Row[] = [{}, { fields: { priority: 'high' } }];
    const describe = (around: Around): unknown => {
      const [group] = groupsOf(paint(rows, around));
      return [group?.label, group?.description, group?.children?.map(({ label, taskId }) => [label, taskId])];
    };
    const next = [
      ['1st', 2],
      ['2nd', 1],
    ];
    assert.deepEqual(describe({}), ['Next', '2', next]);
    assert.deepEqual(describe({ held: 'lunch' }), ['Next', '2, once you resume', next]);
    assert.deepEqual(describe({ settingProblems: [INVALID_SETTING] }), [
      'Next',
      '2, once the settings are valid',
      next,
    ]);
    assert.deepEqual(describe({ block: { until: NOW + HOUR } }), ['Next', '2, from 19:01', next]);
    const signedOut = { block: { kind: 'sign-in', until: null } } as const;
    assert.deepEqual(describe(signedOut), ['Next', '2, once you sign in', next]);
  });

  it('do not count a task as next whose model alone is at its limit', () => {
    const rows: Row[] = [{ fields: { model: 'opus' } }, { fields: { model: 'haiku' } }];
    assert.deepEqual(read(rows, { block: { model: 'opus', until: NOW + HOUR } }), {
      Next: [2],
      Waiting: [1],
    });
  });

  it('show the first rows of a large group, count all, and show more on request', () => {
    const viewModel = paint(Array.from({ length: FIRST_ROWS + 7 }, () => ({})));
    const [next] = groupsOf(viewModel);
    assert.deepEqual([next?.description, next?.children?.length], ['107', FIRST_ROWS + 1]);
    const rest = next?.children?.at(-1);
    assert.deepEqual([rest?.label, rest?.command?.command], ['Show 7 More', 'showMore']);
    const options = showMoreIn(DEFAULT_OPTIONS, 'group-next');
    assert.equal(options.limits.get('group-next'), FIRST_ROWS + MORE_ROWS);
    assert.equal(groupsOf(viewModel, { options })[0]?.children?.length, FIRST_ROWS + 7);
  });

  it('have a place for every state', () => {
    const places: Readonly<Record<string, readonly [group: string, row: Row, around?: Around]>> = {
      running: ['Running', runByWorker],
      ready: ['Next', {}],
      scheduled: ['Waiting', { state: { ownerScheduledAt: NOW + HOUR } }],
      retrying: ['Waiting', { state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry' } }],
      waiting: ['Next', {}, { held: 'by hand' }],
      unapproved: ['Needs Attention', {}, UNTRUSTED],
      stuck: ['Needs Attention', { fields: { dependencies: [9] } }],
      review: ['Needs Attention', { state: { status: 'review' } }],
      dead: ['Needs Attention', { state: { status: 'failed' } }],
      completed: ['Done', DONE],
      cancelled: ['Done', { state: { status: 'cancelled' } }],
    };
    for (const [shown, [group, row, around]] of Object.entries(places)) {
      assert.equal(paint([row], around).tasks[0]?.reason.state, shown);
      assert.deepEqual(Object.keys(read([row], around)), [group], shown);
    }
    assert.deepEqual(read([{ fields: { dependencies: [2] } }, {}])['Waiting'], [1]);
    const reported = [...Object.keys(places), 'blocked', 'invalid'];
    assert.deepEqual([...reported].sort(), [...SHOWN_STATES].sort());
  });

  it('by priority, user or folder keep what needs attention on top, and count what is done', () => {
    const rows: Row[] = [
      { fields: { user: 'ken', priority: 'low' } },
      { fields: { user: 'aiko', priority: 'high' } },
      { ...DONE, fields: { user: 'aiko', priority: 'high' } },
      { state: { status: 'failed' }, fields: { user: 'ken' } },
      {},
    ];
    const by = (grouping: 'priority' | 'user' | 'folder'): unknown =>
      groupsOf(paint(rows), { options: { grouping } }).map(({ label, description, children = [] }) => [
        label,
        description,
        children.map(({ taskId }) => taskId),
      ]);
    assert.deepEqual(by('user'), [
      ['Needs Attention', '1', [4]],
      ['No user', '1', [5]],
      ['aiko', '2, 1 done', [2, 3]],
      ['ken', '1', [1]],
    ]);
    assert.deepEqual(by('priority'), [
      ['Needs Attention', '1', [4]],
      ['high', '2, 1 done', [2, 3]],
      ['medium', '1', [5]],
      ['low', '1', [1]],
    ]);
    assert.deepEqual(read(rows, {}, { options: { grouping: 'folder' } })['/place/5'], [5]);
  });

  it('have only the tasks of the filter, with the places that they have among all', () => {
    const rows: Row[] = [{}, { fields: { prompt: 'Fix the race', tags: ['api'] } }];
    const filtered = (filter: string): unknown =>
      rowsOf(paint(rows, { problems: [PROBLEM] }), { options: { filter } }).map(({ label, taskId }) => [
        label,
        taskId,
      ]);
    assert.deepEqual(filtered('RACE'), [['2nd', 2]]);
    assert.deepEqual(filtered('tag:api state:ready'), [['2nd', 2]]);
    assert.deepEqual(filtered('tag:web'), []);
  });

  it('count what needs the user, including invalid rows', () => {
    const rows: Row[] = [{}, { state: { status: 'review' } }, { state: { status: 'failed' } }];
    assert.equal(countForUser(paint(rows, { problems: [PROBLEM, { ...PROBLEM, message: 'And more.' }] })), 3);
    assert.equal(countForUser(paint([{}])), 0);
  });
});
