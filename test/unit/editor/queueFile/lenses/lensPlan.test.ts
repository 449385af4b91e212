import assert from 'node:assert/strict';
import type { QueueViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import { planLenses, type PlannedLens } from '../../../../../src/editor/queueFile/lenses/planLenses';
import type { RowContext } from '../../../../../src/queue/row/rowContext';
import { composeCsv } from '../../../../support/queue/rows';
import { NOW, paint, runByUser, runByWorker } from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

const ONE = composeCsv([{ id: 1, prompt: 'Do 1' }]);
const ALL = [{ first: 0, last: Infinity }];
const READING: RowContext = { timeZone: 'UTC', folder: '/work', home: '/home/me', allowBypass: false };

/** In a workspace that is trusted. */
const plan = (text: string, viewModel: QueueViewModel): readonly PlannedLens[] =>
  planLenses(QueueDocument.parse(text), viewModel, { isTrusted: true, spans: ALL, rows: READING });

/** The lens above the only row, as the user reads it. */
function titleOf(row: Row, around: Around = {}): string {
  const lenses = plan(ONE, paint([row], around));
  assert.equal(lenses.length, 1);
  return lenses[0]?.title ?? '';
}

describe('The lens on a row of the queue file', () => {
  it('shows an icon, the state with its reason, and an ellipsis', () => {
    assert.equal(titleOf({}), '1st in line…');
    assert.equal(titleOf(runByWorker), '$(sync~spin)\u00a0Running since 18:00: worker w1…');
    assert.equal(titleOf(runByUser), '$(account)\u00a0Running since 18:00: you…');
    assert.equal(
      titleOf({ fields: { deadline: NOW - 1 } }),
      '$(watch)\u00a01st in line, due 17:59:59, late…',
    );
  });

  it('renders no icon of a prompt', () => {
    const title = titleOf({ state: { status: 'review', lastMessage: 'Wants $(play).' } });
    assert.equal(title, '$(eye)\u00a0Needs review: Wants $\u2060(play)…');
  });

  it('shows the tree instead of actions in an untrusted workspace', () => {
    const viewModel = paint([{ state: { status: 'review', lastOutcome: 'review' } }]);
    const planned = planLenses(QueueDocument.parse(ONE), viewModel, {
      isTrusted: false,
      spans: ALL,
      rows: READING,
    });
    assert.deepEqual(planned, [
      {
        line: 1,
        title: '$(eye)\u00a0Needs review',
        spoken: 'Task 1: Needs review.',
        hasActions: false,
        target: 1,
      },
    ]);
  });

  it('is above the row in the editor, also after it moved', () => {
    const text = composeCsv([
      { id: 3, prompt: 'Two\nlines' },
      { id: 1, prompt: 'Do 1' },
    ]);
    assert.deepEqual(
      plan(text, paint([{}, {}, {}])).map(({ target, line }) => [target, line]),
      [
        [3, 1],
        [1, 3],
      ],
    );
  });

  it('is on no row that is not yet a task of the queue', () => {
    const text = composeCsv([
      { id: 1, prompt: 'Known' },
      { id: 2, prompt: 'Just typed' },
    ]);
    assert.deepEqual(
      plan(text, paint([{}])).map(({ target }) => target),
      [1],
    );
    assert.deepEqual(plan('no,header\nof,a queue\n', paint([{}])), []);
    assert.deepEqual(plan('', paint([{}])), []);
  });

  it('is planned only for rows that start in the spans', () => {
    const rows = Array.from({ length: 9 }, (_, i) => ({ id: i + 1, prompt: 'Do it' }));
    const spans = [
      { first: 2, last: 3 },
      { first: 9, last: 20 },
    ];
    const planned = planLenses(QueueDocument.parse(composeCsv(rows)), paint(rows.map(() => ({}))), {
      isTrusted: true,
      spans,
      rows: READING,
    });
    assert.deepEqual(
      planned.map(({ line }) => line),
      [2, 3, 9],
    );
  });

  it('shows the first problem of a row that is not valid, and its place for the fixes', () => {
    const text = 'id,working_dir,prompt,priority\n1,.,Do,hihg\nx,.,Do,low\n';
    const where = { kind: 'file', line: 3, column: 1 } as const;
    const problems = [{ where, row: 3, message: 'The id is wrong.' }];
    const planned = plan(text, paint([{}], { problems }));
    assert.deepEqual(
      planned.map(({ line, target }) => [line, target]),
      [
        [1, { line: 1, character: 7 }],
        [2, { line: 2, character: 0 }],
      ],
    );
    assert.match(
      planned[0]?.title ?? '',
      /^\$\(warning\)\u00a0Invalid: The priority "hihg" is not known.*…$/,
    );
    const running = plan(text, paint([runByWorker]));
    assert.match(running[0]?.title ?? '', /Running/);
  });

  it('is absent while a new row is being typed', () => {
    assert.deepEqual(plan('id,working_dir,prompt\n7,.\n', paint([{}])), []);
  });

  it('shows a fault that only all rows together show', () => {
    const missing = { kind: 'missing-dependency', missing: 9 } as const;
    const where = { kind: 'file', line: 2, column: 1 } as const;
    const problems = [{ id: 1, where, row: 2, fault: missing }];
    const planned = plan(ONE, paint([], { problems }));
    assert.deepEqual(
      planned.map(({ title, target }) => [title, target]),
      [['$(warning)\u00a0Invalid: Depends on 9, which does not exist…', { line: 1, character: 25 }]],
    );
  });

  it('says on each row that its id is double, saved or not, and acts on no task', () => {
    const text = 'id,working_dir,prompt\n1,.,Do 1\n3,.,Do 3\n1,.,A copy\n';
    const shown = (viewModel: QueueViewModel) =>
      plan(text, viewModel).map(({ title, target }) => [title, target]);
    const double = '$(warning)\u00a0Invalid: Id 1 is on lines 2 and 4. Each row needs a unique id…';
    const expected = [
      [double, { line: 1, character: 0 }],
      ['3rd in line…', 3],
      [double, { line: 3, character: 0 }],
    ];
    const unsaved = paint([{}, {}, {}]);
    assert.deepEqual(shown(unsaved), expected);
    const places = [2, 4].map((line) => ({ kind: 'file', line, column: 1 }) as const);
    const problems = places.map((where) => ({
      ...{ id: 1, where, row: where.line },
      fault: { kind: 'duplicate-id', id: 1, places } as const,
    }));
    const saved = { ...unsaved, tasks: unsaved.tasks.slice(2), snapshot: { ...unsaved.snapshot, problems } };
    assert.deepEqual(shown(saved), expected);
    const running = paint([runByWorker, {}, {}]);
    assert.deepEqual(shown(running)[2], [double, { line: 3, character: 0 }]);
  });
});
