import assert from 'node:assert/strict';
import type { TreeRow } from '../../../../../src/editor/tree/rows/treeRow';
import { rowsOf } from '../../../../support/editor/treeGroups';
import { HOUR, MINUTE, NOW, paint, runByUser, runByWorker } from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };
const PROBLEM = {
  where: { kind: 'file', line: 7, column: 3 },
  row: 7,
  message: 'Priority "urgent" is none of critical, high, medium, low.',
} as const;

/** The only row. */
function rowOf(row: Row, around: Around = {}, surroundings: Parameters<typeof rowsOf>[1] = {}): TreeRow {
  const [found] = rowsOf(paint([row], around), surroundings);
  assert.ok(found);
  return found;
}

const labelOf = (...args: Parameters<typeof rowOf>): string => rowOf(...args).label;

describe('A row of the tree', () => {
  it('has its reason first, then its id and the first line of its prompt, cut if it is long', () => {
    const row = rowOf({ fields: { prompt: 'Write tests\nand run them' } });
    assert.deepEqual([row.label, row.description], ['1st', '1  Write tests']);
    const { description } = rowOf({ fields: { prompt: 'x'.repeat(100) } });
    assert.equal(description, `1  ${'x'.repeat(59)}…`);
  });

  it('keeps its key while its state changes, and has its line in the file', () => {
    const rows = [rowOf({}), rowOf(runByWorker), rowOf({ state: { status: 'completed' } })];
    assert.deepEqual([...new Set(rows.map(({ key }) => key))], ['task-1']);
    const [, second] = rowsOf(paint([{}, {}]));
    assert.deepEqual([rowOf({}).line, second?.line], [2, 4]);
  });

  it('shows for how long it runs: in seconds, and from one minute in minutes', () => {
    const since = (at: number): string => labelOf({ ...runByWorker, at });
    assert.equal(since(NOW - 3 * MINUTE - 40_400), '3 min');
    assert.equal(since(NOW - 2_999), '2 s');
    // The clocks of two machines differ.
    assert.equal(since(NOW + 5_000), '0 s');
    assert.equal(since(NOW - HOUR - 5 * MINUTE), '1 h 5 min');
    assert.equal(labelOf({ ...runByUser, at: NOW - HOUR }), 'you, 1 h');
    const later = { around: { now: NOW + MINUTE } };
    assert.equal(labelOf({ ...runByWorker, at: NOW }, {}, later), '1 min');
  });

  it('shows the start that a forecast expects in place of its place in line, unless it is next', () => {
    const labels = (starts: ReadonlyMap<number, number>): string[] =>
      rowsOf(paint([{}, {}, {}]), { around: { starts } }).map(({ label }) => label);
    const soon = [1, 2, 3].map((id) => [id, NOW + id * HOUR] as const);
    assert.deepEqual(labels(new Map(soon)), ['1st', 'about 20:00', 'about 21:00']);
    assert.deepEqual(labels(new Map([[2, NOW - MINUTE]])), ['1st', '2nd', '3rd'], 'the time has passed');
    const [, second] = rowsOf(paint([{}, {}]), { around: { starts: new Map(soon) } });
    assert.equal(second?.forecast, 'starts about 20:00');
  });

  it('keeps its reason, and has a forecast for the hover, while it waits for another', () => {
    const after = { fields: { dependencies: [1] } };
    const [first, blocked] = rowsOf(paint([{}, after]), { around: { starts: new Map([[2, NOW + HOUR]]) } });
    assert.deepEqual([first?.forecast, blocked?.label], [undefined, 'after 1']);
    assert.equal(blocked?.forecast, 'starts about 19:00');
  });

  it('shows below it what Claude does now, or what the session of the user waits for', () => {
    const live = { around: { live: new Map([[1, 'Edit src/$(eye)/round.ts']]) } };
    const [below] = rowOf(runByWorker, {}, live).children ?? [];
    assert.deepEqual(
      [below?.label, below?.command?.command],
      ['Edit src/$\u2060(eye)/round.ts', 'showAttempt'],
    );
    const noted = rowOf(runByUser, {}, { around: { notes: new Map([[1, 'Claude asks for a permission']]) } });
    assert.deepEqual(
      noted.children?.map(({ label }) => label),
      ['Claude asks for a permission'],
    );
    assert.equal(rowOf(runByWorker).children, undefined);
  });

  it('shows its place among the tasks that only wait for a slot', () => {
    const waiting: Row[] = [{}, { fields: { priority: 'high' } }];
    const describe = (rows: readonly Row[]): string[] =>
      rowsOf(paint(rows)).map(({ taskId, label }) => `${String(taskId)}: ${label}`);
    assert.deepEqual(describe(waiting), ['2: 1st', '1: 2nd']);
    assert.deepEqual(describe([...waiting, runByWorker]).slice(1), ['2: 1st', '1: 2nd']);
    assert.equal(labelOf({ state: { resume: 'limit', session: 's' } }), '1st, resumes');
  });

  it('shows that the worker died that keeps the slot', () => {
    const rows = rowsOf(paint([{ fields: { priority: 'high' } }, { ...runByWorker, lost: true }]));
    assert.deepEqual(
      rows.map(({ taskId, label }) => [taskId, label]),
      [
        [1, 'worker died'],
        [2, 'worker died'],
      ],
    );
  });

  it('says of a late task and of one at risk that it is, in words, by its icon and by its mark', () => {
    const waits = (ms: number): TreeRow => rowOf({ state: { firstSeenAt: NOW - ms } });
    assert.deepEqual([waits(HOUR).label, waits(HOUR).mark], ['1st', undefined]);
    const atRisk = waits(2 * HOUR - 4 * MINUTE);
    assert.deepEqual([atRisk.label, atRisk.icon?.[0], atRisk.mark], ['1st, at risk', 'clockface', 'at-risk']);
    const late = waits(2 * HOUR + MINUTE);
    assert.deepEqual([late.label, late.icon?.[0], late.mark], ['1st, late', 'warning', 'late']);
    assert.equal(late.details?.[2], 'Late: it should have ended by 17:59.');
    const due = rowOf({ fields: { deadline: NOW + 5 * MINUTE } });
    assert.equal(due.label, '1st, due 18:05');
    const row = rowOf({ fields: { deadline: NOW + HOUR }, state: { ownerScheduledAt: NOW - HOUR } });
    assert.equal(row.details?.[2], 'Due 19:00.');
  });

  it('shows in few words why it waits', () => {
    assert.equal(labelOf({ state: { ownerScheduledAt: NOW + HOUR } }), '19:00');
    assert.equal(labelOf({ state: { ownerScheduledAt: NOW + 30 * HOUR } }), 'Sun 00:00');
    assert.equal(labelOf({ state: { ownerScheduledAt: NOW + 300 * HOUR } }), '2026-12-03');
    assert.equal(labelOf({ state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry' } }), 'retry 19:00');
    assert.equal(labelOf({ fields: { dependencies: [9] } }), 'stuck on 9');
    assert.equal(labelOf({ fields: { model: 'opus' } }, { block: { model: 'opus' } }), 'resets 20:01');
    const blocked = rowsOf(paint([{ fields: { dependencies: [2, 3, 4, 5] } }, {}, {}, {}, {}]));
    assert.equal(blocked.at(-1)?.label, 'after 2, 3 +2');
  });

  it('shows in few words what the user has to decide', () => {
    assert.equal(labelOf({ state: { status: 'failed' } }), 'failed');
    assert.equal(labelOf({ state: { retryCount: 3 } }), 'failed');
    assert.equal(labelOf({ state: { status: 'review' } }), 'review');
    assert.equal(labelOf({ state: { status: 'review', refused: true } }), 'refused');
    const question = { text: 'Which one?', session: 's' };
    assert.equal(labelOf({ state: { status: 'review', question } }), 'question');
    assert.equal(labelOf({}, UNTRUSTED), 'not approved');
    assert.equal(labelOf({ state: { reopened: true } }, UNTRUSTED), 'reopened');
    const changed = { approvedRows: { trusted: false, approvals: new Set(['1:old']) } };
    assert.equal(labelOf({}, changed), 'row changed');
    assert.equal(rowOf({ state: { status: 'failed' } }).mark, 'failed');
  });

  it('shows in few words how it ended', () => {
    assert.equal(labelOf({ state: { status: 'completed' } }), 'done');
    assert.equal(labelOf({ state: { status: 'completed', unconfirmed: true } }), 'not confirmed');
    assert.equal(labelOf({ state: { status: 'completed', unconfirmed: true, undone: true } }), 'undone');
    assert.equal(labelOf({ state: { status: 'cancelled' } }), 'cancelled');
  });

  it('is spoken with its state, its task and its priority', () => {
    const { spoken } = rowOf({ fields: { priority: 'high' } });
    assert.equal(spoken, '1st in line, task 1: Do 1. Priority high');
  });

  it('has the text of its hover in its details', () => {
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
      '1  Do 1',
      'Running since 18:00: worker w1.',
      'Late: it should have ended by 2026-11-17 14:00.',
      'Attempts: attempt 2 is running, 1 of 2 failed',
      'Last end: error: Tests failed.',
      'Row: low priority, counts as high, after 4, 5, in /place/1',
    ]);
  });

  it('of an invalid row with several problems, also on several lines, shows the first, and all in its details', () => {
    const where = { kind: 'file', line: 9, column: 2 } as const;
    const second = { where, row: 7, message: 'Unknown status.' };
    const rows = rowsOf(paint([], { problems: [PROBLEM, second] }));
    assert.deepEqual(
      rows.map(({ description, details }) => [description, details]),
      [[`${PROBLEM.message} (+1)`, [PROBLEM.message, 'Unknown status.']]],
    );
  });

  it('of an invalid line shows where and why, and is no task', () => {
    const [row] = rowsOf(paint([], { problems: [PROBLEM] }));
    assert.deepEqual(
      [row?.key, row?.taskId, row?.label, row?.description, row?.line, row?.traits],
      ['invalid-7', null, 'line 7', PROBLEM.message, 7, ['invalid']],
    );
  });

  it('of an invalid row opens the cell, also below its first line', () => {
    const where = { kind: 'file', line: 9, column: 2 } as const;
    const [row] = rowsOf(paint([], { problems: [{ ...PROBLEM, where }] }));
    assert.deepEqual([row?.line, row?.command?.arguments], [7, [{ line: 9, column: 2 }]]);
  });
});

describe('The actions of a row', () => {
  const offers = (row: Row, around?: Around): string | undefined => rowOf(row, around).traits?.join(' ');

  it('are to run it, alone or in a terminal, if only time or order blocks it', () => {
    assert.equal(offers({}), 'task pending runnable approved cancellable unfinished movable removable');
    assert.equal(
      offers({ state: { ownerScheduledAt: NOW + HOUR } }),
      'task pending runnable approved cancellable unfinished removable',
    );
    assert.equal(
      offers({}, { held: 'by hand' }),
      'task pending runnable approved cancellable unfinished movable removable',
    );
    assert.equal(
      offers({ fields: { dependencies: [9] } }),
      'task pending approved cancellable unfinished removable',
    );
  });

  it('are approval before it runs', () => {
    assert.equal(offers({}, UNTRUSTED), 'task pending runnable unapproved cancellable unfinished removable');
  });

  it('are a decision once it is in review, failed or done', () => {
    assert.equal(
      offers({ state: { status: 'review', lastOutcome: 'review' } }),
      'task approved review commentable retriable cancellable output unfinished removable acceptable read',
    );
    assert.equal(
      offers({ state: { status: 'failed', lastOutcome: 'error' } }),
      'task approved commentable retriable cancellable output unfinished removable read',
    );
    // Failed by its number of attempts alone.
    assert.equal(
      offers({ state: { retryCount: 3 } }),
      'task approved retriable cancellable unfinished removable',
    );
    assert.equal(
      offers({ state: { status: 'completed', lastOutcome: 'success' } }),
      'task commentable retriable output removable read',
    );
    assert.equal(offers({ state: { status: 'cancelled' } }), 'task retriable removable');
    assert.equal(
      offers({ state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry', lastOutcome: 'error' } }),
      'task pending runnable approved commentable retriable cancellable output unfinished removable read',
    );
  });

  it('have an action to show changed files, and a button for it once the task has ended', () => {
    const changed = { changed: true } as const;
    assert.equal(
      offers({ state: { status: 'review', lastOutcome: 'review', ...changed } }),
      'task approved review commentable retriable cancellable undoable changes output unfinished removable acceptable compared',
    );
    assert.equal(
      offers({ state: { status: 'completed', lastOutcome: 'success', ...changed } }),
      'task commentable retriable undoable changes output removable compared read',
    );
    assert.equal(
      offers({ state: { lastOutcome: 'limit', ...changed } }, { held: 'by hand' }),
      'task pending runnable approved commentable cancellable undoable changes output unfinished movable removable read',
    );
  });

  it('do not include an archived output', () => {
    assert.equal(
      offers({ state: { status: 'completed', lastOutcome: 'success', changed: true, untold: true } }),
      'task retriable removable',
    );
  });

  it('are to watch and to cancel it while a worker runs it, and its outcome while the user has it', () => {
    assert.equal(offers(runByWorker), 'task approved cancellable output unfinished read');
    assert.equal(offers(runByUser), 'task inHand unfinished');
  });
});
