import assert from 'node:assert/strict';
import { MANIFEST } from '../../../../../scripts/texts/manifest';
import { possibleActions } from '../../../../../src/app/viewModel/possibleActions';
import { listTaskCommands } from '../../../../../src/editor/queueFile/lenses/likelyActions';
import { listCommands } from '../../../../../src/editor/state/listedCommands';
import { HOUR, NOW, paint, runByUser, runByWorker } from '../../../../support/queue/viewModels';
import type { Around, Row } from '../../../../support/queue/viewModels';

const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };

/** Every kind of task. */
const ROWS: readonly (readonly [row: Row, around?: Around])[] = [
  [{}],
  [{}, UNTRUSTED],
  [{ state: { ownerScheduledAt: NOW + HOUR } }],
  [{ state: { retryCount: 1, dueAt: NOW + HOUR, dueCause: 'retry', lastOutcome: 'error' } }],
  [{}, { held: 'by hand' }],
  [{ fields: { dependencies: [9] } }],
  [runByWorker],
  [runByUser],
  [{ state: { status: 'review', refused: true, changed: true, lastOutcome: 'review' } }],
  [{ state: { status: 'review', question: { text: 'Keep it?', session: 's' } } }],
  [{ state: { status: 'failed', lastOutcome: 'error' } }],
  [{ state: { status: 'completed', changed: true, lastOutcome: 'success' } }],
  [{ state: { status: 'cancelled' } }],
];

const verbsOf = (row: Row, around?: Around) => {
  const [shown] = paint([row], around).tasks;
  assert.ok(shown !== undefined);
  return { shown, verbs: listTaskCommands(shown, listCommands(MANIFEST)) };
};

/** The commands of the only row, likely ones before a bar. */
function commandsOf(row: Row, around?: Around): string {
  const { verbs } = verbsOf(row, around);
  const name = (isLikely: boolean): string =>
    verbs
      .filter((verb) => verb.isLikely === isLikely)
      .map(({ command }) => command)
      .join(' ');
  return `${name(true)} | ${name(false)}`;
}

describe('The actions of a row of the queue file', () => {
  it('are the likely ones first, then all others that are possible', () => {
    assert.equal(
      commandsOf({}),
      'runTask runTaskInteractively | withdrawApproval cancel editTask changePriority moveUp moveDown remove',
    );
    assert.equal(
      commandsOf({}, UNTRUSTED),
      'approve runTask runTaskInteractively | cancel editTask changePriority remove',
    );
    assert.equal(
      commandsOf(runByWorker),
      'showAttempt showOutput | showWork withdrawApproval cancel editTask changePriority',
    );
    assert.equal(commandsOf(runByUser), 'markDone markFailed giveBack | editTask changePriority');
    assert.equal(
      commandsOf({ state: { status: 'review' } }),
      'accept retry | withdrawApproval cancel editTask changePriority remove',
    );
    const asking = { status: 'review', question: { text: 'Keep it?', session: 's' } } as const;
    assert.equal(
      commandsOf({ state: asking }),
      'answer accept retry | withdrawApproval cancel editTask changePriority remove',
    );
    const refused = { status: 'review', refused: true, changed: true } as const;
    assert.equal(
      commandsOf({ state: refused }),
      'showChanges accept allowTools retry | undoChanges withdrawApproval cancel editTask changePriority remove',
    );
    assert.equal(
      commandsOf({ state: { status: 'failed' } }),
      'retry | withdrawApproval cancel editTask changePriority remove',
    );
    assert.equal(commandsOf({ state: { status: 'cancelled' } }), 'retry | editTask remove');
    assert.equal(
      commandsOf({ state: { status: 'completed', changed: true, lastOutcome: 'success' } }),
      'showChanges comment showAttempt showOutput | retry undoChanges editTask remove',
    );
  });

  it('leave out nothing that is possible, and have each command once', () => {
    for (const [row, around] of ROWS) {
      const { shown, verbs } = verbsOf(row, around);
      const commands = verbs.map(({ command }) => command).filter((command) => command !== 'showWork');
      assert.equal(new Set(commands).size, commands.length);
      const possible = possibleActions(shown);
      const more: readonly number[] = [
        possible.has('handBack') ? 2 : 0,
        possible.has('move') ? 1 : 0,
        possible.has('showOutput') ? 1 : 0,
      ];
      assert.equal(
        commands.length,
        more.reduce((sum, each) => sum + each, possible.size),
        commands.join(),
      );
    }
  });

  it('have the titles and icons of the manifest', () => {
    for (const [row, around] of ROWS)
      for (const { command, title, icon } of verbsOf(row, around).verbs) {
        const entry = MANIFEST.contributes.commands.find((one) => one.command === `claudeQueue.${command}`);
        assert.deepEqual([entry?.title, entry?.icon], [title, `$(${icon ?? ''})`]);
      }
  });
});
