import assert from 'node:assert/strict';
import type { QueueViewModel } from '../../../../../src/app/viewModel/queueViewModel';
import { QueueDocument } from '../../../../../src/editor/queueFile/document/queueDocument';
import { planLenses, type PlannedLens } from '../../../../../src/editor/queueFile/lenses/rowLenses';
import { composeCsv } from '../../../../support/queue/rows';
import { NOW, paint, runByUser, runByWorker } from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

const ONE = composeCsv([{ id: 1, prompt: 'Do 1' }]);
const ALL = [{ first: 0, last: Infinity }];

/** In a workspace that is trusted. */
const plan = (text: string, viewModel: QueueViewModel): readonly PlannedLens[] =>
  planLenses(QueueDocument.parse(text), viewModel, { isTrusted: true, spans: ALL });

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
    const planned = planLenses(QueueDocument.parse(ONE), viewModel, { isTrusted: false, spans: ALL });
    assert.deepEqual(planned, [{ line: 1, title: '$(eye)\u00a0Needs review', hasActions: false, taskId: 1 }]);
  });

  it('is above the row in the editor, also after it moved', () => {
    const text = composeCsv([
      { id: 3, prompt: 'Two\nlines' },
      { id: 1, prompt: 'Do 1' },
    ]);
    assert.deepEqual(
      plan(text, paint([{}, {}, {}])).map(({ taskId, line }) => [taskId, line]),
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
      plan(text, paint([{}])).map(({ taskId }) => taskId),
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
    });
    assert.deepEqual(
      planned.map(({ line }) => line),
      [2, 3, 9],
    );
  });
});
