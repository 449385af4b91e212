import assert from 'node:assert/strict';
import { SHOWN } from '../../../../src/domain/reasons/reason';
import { countForUser, groupTasks, MOST_ROWS } from '../../../../src/editor/tree/taskGroups';
import type { GroupName } from '../../../../src/editor/tree/groupNames';
import type { TaskRow } from '../../../../src/editor/tree/taskRow';
import { HOUR, MINUTE, NOW, paint, runByUser, runByWorker } from '../../../support/queue/viewModels';
import type { Around, Row } from '../../../support/queue/viewModels';

const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };
const NO_NOTES: ReadonlyMap<number, string> = new Map();
const PROBLEM = {
  where: { kind: 'file', line: 7, column: 3 },
  message: 'Priority "urgent" is none of critical, high, medium, low.',
} as const;

/** The tree as the user reads it: a group and its rows. */
function read(rows: readonly Row[], around: Around = {}): Partial<Record<GroupName, string[]>> {
  const groups = groupTasks(paint(rows, around), NO_NOTES);
  return Object.fromEntries(groups.map(({ name, rows: shown }) => [name, shown.map(({ label }) => label)]));
}

/** The only row. */
function rowOf(row: Row, around: Around = {}, notes = NO_NOTES): TaskRow {
  const [found] = groupTasks(paint([row], around), notes).flatMap(({ rows }) => rows);
  assert.ok(found);
  return found;
}

describe('The tree of tasks', () => {
  it('has running tasks first, then ready, waiting, those that need the user, and ended ones', () => {
    const rows: Row[] = [
      { state: { status: 'completed' } },
      { state: { status: 'review' } },
      { state: { ownerScheduledAt: NOW + HOUR } },
      {},
      runByUser,
    ];
    const found = groupTasks(paint(rows), NO_NOTES);
    assert.deepEqual(
      found.map(({ name, rows: [row] }) => [name, row?.taskId]),
      [
        ['running', 5],
        ['ready', 4],
        ['waiting', 3],
        ['review', 2],
        ['done', 1],
      ],
    );
  });

  it('has no empty group, and none for a queue without tasks', () => {
    assert.deepEqual(read([]), {});
    assert.deepEqual(read([{}]), { ready: ['1  Do 1'] });
  });

  it('shows the first rows of a large group, and counts all of them', () => {
    const many = Array.from({ length: MOST_ROWS + 1 }, () => ({}));
    const [ready] = groupTasks(paint(many), NO_NOTES);
    assert.deepEqual(
      [ready?.size, ready?.rows.length, ready?.rows[0]?.taskId],
      [MOST_ROWS + 1, MOST_ROWS, 1],
    );
  });

  it('has the tasks that wait for a slot in the order of their users’ turns, before those that wait for a time', () => {
    const rows: Row[] = [
      { state: { ownerScheduledAt: NOW + HOUR } },
      { fields: { user: 'ann' } },
      { fields: { user: 'ann', priority: 'high' } },
      { fields: { user: 'bob', priority: 'low' } },
    ];
    assert.deepEqual(read(rows), {
      ready: ['3  Do 3', '4  Do 4', '2  Do 2'],
      waiting: ['1  Do 1'],
    });
  });

  it('keeps the order of the file where nothing waits for a slot', () => {
    const done = { state: { status: 'completed' } } as const;
    assert.deepEqual(read([done, {}, done]).done, ['1  Do 1', '3  Do 3']);
  });

  it('has a group for every state', () => {
    const places: Readonly<Record<string, readonly [group: string, row: Row, around?: Around]>> = {
      running: ['running', runByWorker],
      ready: ['ready', {}],
      scheduled: ['waiting', { state: { ownerScheduledAt: NOW + HOUR } }],
      retrying: ['waiting', { state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry' } }],
      waiting: ['waiting', {}, { held: 'by hand' }],
      unapproved: ['review', {}, UNTRUSTED],
      stuck: ['review', { fields: { dependencies: [9] } }],
      review: ['review', { state: { status: 'review' } }],
      dead: ['review', { state: { status: 'failed' } }],
      completed: ['done', { state: { status: 'completed' } }],
      cancelled: ['done', { state: { status: 'cancelled' } }],
    };
    for (const [shown, [group, row, around]] of Object.entries(places)) {
      assert.equal(rowOf(row, around).shown, shown);
      assert.deepEqual(Object.keys(read([row], around)), [group], shown);
    }
    assert.deepEqual(read([{ fields: { dependencies: [2] } }, {}]).waiting, ['1  Do 1']);
    const reported = [...Object.keys(places), 'blocked', 'invalid'];
    assert.deepEqual([...reported].sort(), [...SHOWN].sort());
  });

  it('counts what needs the user, including invalid rows', () => {
    const rows: Row[] = [{}, { state: { status: 'review' } }, { state: { status: 'failed' } }];
    assert.equal(countForUser(paint(rows, { problems: [PROBLEM] })), 3);
    assert.equal(countForUser(paint([{}])), 0);
  });
});

describe('A row of the tree', () => {
  it('is labelled with its id and the first line of its prompt, cut if it is long', () => {
    assert.equal(rowOf({ fields: { prompt: 'Write tests\nand run them' } }).label, '1  Write tests');
    const { label } = rowOf({ fields: { prompt: 'x'.repeat(100) } });
    assert.equal(label, `1  ${'x'.repeat(59)}…`);
  });

  it('keeps its key while its state changes, and has its line in the file', () => {
    const rows = [rowOf({}), rowOf(runByWorker), rowOf({ state: { status: 'completed' } })];
    assert.deepEqual([...new Set(rows.map(({ key }) => key))], ['task-1']);
    const [, second] = groupTasks(paint([{}, {}]), NO_NOTES).flatMap((group) => group.rows);
    assert.deepEqual([rowOf({}).line, second?.line], [2, 4]);
  });

  it('shows its user and for how long it runs, in whole seconds', () => {
    const since = (at: number): string => rowOf({ ...runByWorker, at }).description;
    assert.equal(since(NOW - 3 * MINUTE - 400), '3 min · worker w1');
    assert.equal(since(NOW - 2_999), '2 s · worker w1');
    // The clocks of two machines differ.
    assert.equal(since(NOW + 5_000), '0 s · worker w1');
    assert.equal(rowOf({ ...runByUser, at: NOW - HOUR }).description, '1 h · you');
  });

  it('shows first in which terminal the user works on it', () => {
    const row = rowOf(runByUser, {}, new Map([[1, 'Claude asks for a permission']]));
    assert.equal(row.description, 'Claude asks for a permission');
    assert.deepEqual(row.details.slice(0, 2), ['Claude asks for a permission', 'running: you']);
  });

  it('shows its place among the tasks that only wait for a slot, and its promoted priority', () => {
    const waiting: Row[] = [{}, { fields: { priority: 'high' } }];
    const describe = (rows: readonly Row[]): string[] =>
      groupTasks(paint(rows), NO_NOTES)
        .flatMap((group) => group.rows)
        .map(({ taskId, description }) => `${String(taskId)}: ${description}`);
    assert.deepEqual(describe(waiting), ['2: 1st · high', '1: 2nd · medium']);
    const isFull = describe([...waiting, runByWorker]);
    assert.deepEqual(isFull.slice(1), ['2: 1st · high', '1: 2nd · medium']);
    const [whoDied] = describe([...waiting, { ...runByWorker, lost: true }]);
    assert.match(whoDied ?? '', /^2: worker w1 died while running 3/);
    assert.equal(rowOf({ state: { firstSeenAt: NOW - 30 * HOUR } }).description, '1st · medium → high !!');
  });

  it('marks late tasks and tasks at risk, with the time', () => {
    const waits = (ms: number): TaskRow => rowOf({ state: { firstSeenAt: NOW - ms } });
    assert.equal(waits(HOUR).description, '1st · medium');
    assert.equal(waits(2 * HOUR - 4 * MINUTE).description, '1st · medium !');
    assert.equal(waits(2 * HOUR + MINUTE).description, '1st · medium !!');
    assert.equal(waits(2 * HOUR + MINUTE).details.at(-1), 'service time 17:59, violated (!!)');
    const row = rowOf({ fields: { deadline: NOW + HOUR }, state: { ownerScheduledAt: NOW - HOUR } });
    assert.equal(row.details.at(-1), 'deadline 19:00');
  });

  it('shows the reason why it waits, with its state only if the group does not show it', () => {
    const described = (row: Row, around?: Around): string => rowOf(row, around).description;
    assert.equal(described({ state: { ownerScheduledAt: NOW + HOUR } }), 'not before 19:00');
    assert.equal(
      described({ fields: { dependencies: [9] } }),
      'stuck: depends on task 9, which does not exist',
    );
    assert.equal(described({}, { held: 'by hand' }), 'the queue is paused (by hand)');
    assert.equal(described({ state: { status: 'review', lastMessage: 'Denied Bash.' } }), 'Denied Bash.');
    assert.equal(described({ state: { status: 'completed' } }), 'completed');
    assert.equal(described({}, UNTRUSTED), 'medium');
    assert.match(described({ state: { reopened: true } }, UNTRUSTED), /^unapproved: was finished; an edit/);
  });

  it('has the facts for a decision in its details', () => {
    const { details } = rowOf({
      ...runByWorker,
      fields: { priority: 'low', dependencies: [4, 5], maxRetries: 2 },
      state: {
        retryCount: 1,
        lastOutcome: 'error',
        lastMessage: 'Tests failed.',
        firstSeenAt: NOW - 100 * HOUR,
      },
    });
    assert.deepEqual(details, [
      'running: worker w1',
      'priority low, counts as high · 1 of 2 failed attempts',
      'in /place/1',
      'attempt 2',
      'after 4, 5',
      'service time 2026-11-17 14:00, violated (!!)',
    ]);
    // While its output is there, the details of the last attempt are shown on request.
    const state = { lastOutcome: 'success', status: 'completed' } as const;
    const reported = ['completed', 'priority medium · 0 of 3 failed attempts', 'in /place/1'];
    assert.deepEqual(rowOf({ state }).details, reported);
    const archived = rowOf({ state: { ...state, untold: true } }).details;
    assert.deepEqual(archived, [...reported, 'last attempt: success']);
  });

  it('of an invalid line shows where and why, and is no task', () => {
    const [row] = groupTasks(paint([], { problems: [PROBLEM] }), NO_NOTES).flatMap(({ rows }) => rows);
    assert.deepEqual(row, {
      key: 'line-7-3',
      taskId: null,
      shown: 'invalid',
      label: 'Line 7',
      description: PROBLEM.message,
      details: [PROBLEM.message],
      traits: ['invalid'],
      line: 7,
    });
  });
});

describe('The actions of a row', () => {
  const offers = (row: Row, around?: Around): string => rowOf(row, around).traits.join(' ');

  it('are to run it, alone or in a terminal, if only time or order blocks it', () => {
    assert.equal(offers({}), 'task pending runnable cancellable');
    assert.equal(offers({ state: { ownerScheduledAt: NOW + HOUR } }), 'task pending runnable cancellable');
    assert.equal(offers({}, { held: 'by hand' }), 'task pending runnable cancellable');
    assert.equal(offers({ fields: { dependencies: [9] } }), 'task pending cancellable');
  });

  it('are approval before it runs', () => {
    assert.equal(offers({}, UNTRUSTED), 'task pending runnable unapproved cancellable');
  });

  it('are a decision once it is in review, failed or done', () => {
    assert.equal(
      offers({ state: { status: 'review', lastOutcome: 'review' } }),
      'task review retriable cancellable output acceptable read',
    );
    assert.equal(
      offers({ state: { status: 'failed', lastOutcome: 'error' } }),
      'task retriable cancellable output read',
    );
    // Failed by its number of attempts alone.
    assert.equal(offers({ state: { retryCount: 3 } }), 'task retriable cancellable');
    assert.equal(
      offers({ state: { status: 'completed', lastOutcome: 'success' } }),
      'task retriable output read',
    );
    assert.equal(offers({ state: { status: 'cancelled' } }), 'task retriable');
    assert.equal(
      offers({ state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry', lastOutcome: 'error' } }),
      'task pending runnable retriable cancellable output read',
    );
  });

  it('have an action to show changed files, and a button for it once the task has ended', () => {
    const changed = { changed: true } as const;
    assert.equal(
      offers({ state: { status: 'review', lastOutcome: 'review', ...changed } }),
      'task review retriable cancellable changes output acceptable compared',
    );
    assert.equal(
      offers({ state: { status: 'completed', lastOutcome: 'success', ...changed } }),
      'task retriable changes output compared read',
    );
    assert.equal(
      offers({ state: { lastOutcome: 'limit', ...changed } }, { held: 'by hand' }),
      'task pending runnable cancellable changes output read',
    );
  });

  it('do not include an archived output', () => {
    assert.equal(
      offers({ state: { status: 'completed', lastOutcome: 'success', changed: true, untold: true } }),
      'task retriable',
    );
  });

  it('are to watch and to cancel it while a worker runs it, and its outcome while the user has it', () => {
    assert.equal(offers(runByWorker), 'task cancellable output read');
    assert.equal(offers(runByUser), 'task inHand');
  });
});
