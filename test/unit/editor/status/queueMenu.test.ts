import assert from 'node:assert/strict';
import type { RowProblem } from '../../../../src/domain/problem';
import { planMenu, type MenuEntry } from '../../../../src/editor/status/queueMenu';
import { HOUR, lost, NOW, paint, ready, runByWorker } from '../../../support/queue/viewModels';
import type { Around, Row } from '../../../support/queue/viewModels';

const WITH_FILE = { isTrusted: true, hasFile: true };
const UNTRUSTED = { approvedRows: { trusted: false, approvals: new Set<string>() } };

/** The commands of the sections, each with its task. */
function plan(rows: readonly Row[], around: Around = {}): Record<string, string[]> {
  const sections: Record<string, string[]> = {};
  for (const { section, command, taskId } of planMenu(ready(paint(rows, around)), WITH_FILE))
    (sections[section] ??= []).push(taskId === undefined ? command : `${command} ${String(taskId)}`);
  return sections;
}

describe('The menu of the status bar', () => {
  it('starts and pauses a queue without a worker', () => {
    assert.deepEqual(plan([{}]), {
      now: ['start', 'hold'],
      queue: ['addTask', 'openQueueFile', 'showReport', 'rehearse', 'schedule', 'showLog'],
    });
  });

  it('shows and stops what runs', () => {
    assert.deepEqual(plan([runByWorker], { workers: 1 })['now'], [
      'showAttempt 1',
      'showWork',
      'stop',
      'hold',
    ]);
  });

  it('has the way out of what stops everything first, each once', () => {
    const signedOut = { kind: 'sign-in', until: null } as const;
    assert.deepEqual(plan([{}], { block: signedOut, workers: 1 })['now'], [
      'signIn',
      'resume',
      'stop',
      'hold',
    ]);
    assert.deepEqual(plan([{}], { block: { until: NOW + HOUR }, workers: 1 })['now'], [
      'tryNow',
      'stop',
      'hold',
    ]);
    assert.deepEqual(plan([{}], { held: 'lunch', workers: 1 })['now'], ['resume', 'stop']);
  });

  it('has the tasks that need attention, the most harmful first, and all approvals together', () => {
    const rows: Row[] = [{ state: { status: 'review' } }, { state: { status: 'failed' } }, {}, {}];
    assert.deepEqual(plan(rows, UNTRUSTED)['attention'], [
      'showActions 2',
      'showActions 1',
      'review',
      'approve',
    ]);
    const labels = planMenu(ready(paint(rows, UNTRUSTED)), WITH_FILE).flatMap(({ label = [] }) => label);
    assert.deepEqual(labels, ['Task 2 Failed…', 'Review Task 1…']);
  });

  it('has the rows that cannot be read, which count as needing attention', () => {
    const problemAt = (line: number): RowProblem => ({
      message: 'The id "x" is not a whole number.',
      where: { kind: 'file', line, column: 1 },
      row: line,
    });
    const entriesOf = (problems: readonly RowProblem[], hasFile = true): readonly MenuEntry[] =>
      planMenu(ready(paint([{}], { problems })), { isTrusted: true, hasFile }).filter(
        ({ section }) => section === 'attention',
      );
    assert.deepEqual(entriesOf([problemAt(3), problemAt(3), problemAt(5)]), [
      { section: 'attention', command: 'openQueueFile', description: '2 rows cannot be read' },
    ]);
    assert.equal(entriesOf([problemAt(3)])[0]?.description, '1 row cannot be read');
    assert.deepEqual(entriesOf([problemAt(3)], false), []);
  });

  it('has the review of all unreviewed tasks, if there is one', () => {
    const done: Row = { state: { status: 'completed', lastOutcome: 'success', unreviewed: true } };
    assert.deepEqual(plan([done, done])['attention'], ['review']);
    const [entry] = planMenu(ready(paint([done, done])), WITH_FILE).filter(
      ({ command }) => command === 'review',
    );
    assert.equal(entry?.description, '2 unreviewed');
  });

  it('creates a queue where there is none', () => {
    const [entry, ...others] = planMenu({ kind: 'missing' }, WITH_FILE);
    assert.deepEqual([entry?.command, others], ['createQueue', []]);
  });

  it('only reads in an untrusted workspace, or where the queue cannot be read', () => {
    const commandsOf = (...args: Parameters<typeof planMenu>): string[] =>
      planMenu(...args).map(({ command }) => command);
    const viewModel = paint([{}, { state: { status: 'failed' } }]);
    assert.deepEqual(commandsOf(ready(viewModel), { isTrusted: false, hasFile: true }), [
      'openQueueFile',
      'showLog',
    ]);
    assert.deepEqual(commandsOf({ kind: 'missing' }, { isTrusted: false, hasFile: true }), []);
    assert.deepEqual(commandsOf(lost(viewModel), { isTrusted: true, hasFile: false }), ['showLog']);
  });
});
