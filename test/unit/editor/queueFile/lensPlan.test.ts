import assert from 'node:assert/strict';
import type { QueueViewModel } from '../../../../src/app/viewModel/queueViewModel';
import { planLenses, type PlannedLens } from '../../../../src/editor/queueFile/rowLenses';
import { composeCsv } from '../../../support/queue/rows';
import { HOUR, NOW, paint, runByUser, runByWorker } from '../../../support/queue/viewModels';
import type { Around, Row } from '../../../support/queue/viewModels';

const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };
const ONE = composeCsv([{ id: 1, prompt: 'Do 1' }]);

/** In a workspace that is trusted. */
const plan = (text: string, viewModel: QueueViewModel): readonly PlannedLens[] =>
  planLenses(text, viewModel, true);

/** The lenses above the only row, as the user reads them. */
function lenses(row: Row, around: Around = {}): string[] {
  return plan(ONE, paint([row], around)).map(({ title, command }) => `${title} → ${command ?? 'tree'}`);
}

describe('The lenses on a row of the queue file', () => {
  it('show first the state of the task, and open the tree or its output', () => {
    assert.equal(lenses({})[0], 'ready → tree');
    assert.equal(lenses(runByWorker)[0], '$(sync~spin)\u00a0running: worker w1 → showOutput');
    assert.equal(lenses(runByUser)[0], '$(account)\u00a0running: you → tree');
    assert.deepEqual(lenses({ state: { status: 'completed', lastOutcome: 'success' } }), [
      '$(pass)\u00a0completed → showOutput',
    ]);
    assert.deepEqual(lenses({ fields: { dependencies: [9] } }), [
      '$(error)\u00a0stuck: depends on task 9, which does not exist → tree',
    ]);
  });

  it('offer likely actions', () => {
    const offered = (row: Row, around?: Around): string[] => lenses(row, around).slice(1);
    const run = ['Run → runTask', 'Run Interactively → runTaskInteractively'];
    assert.deepEqual(offered({}), run);
    assert.deepEqual(offered({ state: { ownerScheduledAt: NOW + HOUR } }), run);
    assert.deepEqual(offered({ state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry' } }), run);
    assert.deepEqual(offered({}, UNTRUSTED), ['Approve → approve', ...run]);
    assert.deepEqual(offered(runByWorker), ['Show Worker Terminal → showWork', 'Cancel → cancel']);
    assert.deepEqual(offered(runByUser), [
      'Done → markDone',
      'Failed → markFailed',
      'Return to Queue → giveBack',
    ]);
    assert.deepEqual(offered({ state: { status: 'review' } }), ['Accept → accept', 'Retry → retry']);
    const asking = { status: 'review', question: { text: 'Keep it?', session: 's' } } as const;
    assert.equal(offered({ state: asking })[0], 'Answer… → answer');
    const refused = { status: 'review', refused: true } as const;
    assert.deepEqual(offered({ state: refused }), [
      'Accept → accept',
      'Allow and Retry… → allowTools',
      'Retry → retry',
    ]);
    const changed = { status: 'review', changed: true } as const;
    assert.equal(offered({ state: changed })[0], 'Show Changes → showChanges');
    assert.deepEqual(offered({ state: { status: 'failed' } }), ['Retry → retry']);
    for (const status of ['completed', 'cancelled'] as const)
      assert.deepEqual(offered({ state: { status } }), []);
    assert.deepEqual(offered({ state: { status: 'completed', changed: true } }), [
      'Show Changes → showChanges',
    ]);
    assert.deepEqual(offered({}, { held: 'by hand' }), run);
    assert.deepEqual(offered({ ...runByWorker, lost: true }), []);
    assert.deepEqual(offered({ fields: { dependencies: [9] } }), []);
  });

  it('render no icon of a prompt', () => {
    const [state] = lenses({ state: { status: 'review', lastMessage: 'Wants $(play).' } });
    assert.equal(state, '$(eye)\u00a0review: Wants $\u2060(play). → tree');
  });

  it('show only the state in an untrusted workspace', () => {
    const reported = planLenses(ONE, paint([{ state: { status: 'review', lastOutcome: 'review' } }]), false);
    assert.deepEqual(reported, [{ line: 1, title: '$(eye)\u00a0review', command: null, taskId: 1 }]);
  });

  it('are above the row in the editor, also after it moved', () => {
    const text = composeCsv([
      { id: 3, prompt: 'Two\nlines' },
      { id: 1, prompt: 'Do 1' },
    ]);
    const planned = plan(text, paint([{}, {}, {}]));
    const lines = new Map(planned.map(({ taskId, line }) => [taskId, line]));
    assert.deepEqual(
      [...lines],
      [
        [3, 1],
        [1, 3],
      ],
    );
  });

  it('are on no row that is not yet a task of the queue', () => {
    const text = composeCsv([
      { id: 1, prompt: 'Known' },
      { id: 2, prompt: 'Just typed' },
    ]);
    assert.deepEqual([...new Set(plan(text, paint([{}])).map(({ taskId }) => taskId))], [1]);
    assert.deepEqual(plan('no,header\nof,a queue\n', paint([{}])), []);
    assert.deepEqual(plan('', paint([{}])), []);
  });

  it('are left out in a file with too many rows', () => {
    const rows = (length: number): string =>
      composeCsv(Array.from({ length }, (_, i) => ({ id: i + 1, prompt: 'Do it' })));
    assert.notEqual(plan(rows(2_000), paint([{}])).length, 0);
    assert.deepEqual(plan(rows(2_001), paint([{}])), []);
  });
});
