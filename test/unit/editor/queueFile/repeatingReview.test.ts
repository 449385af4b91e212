import assert from 'node:assert/strict';
import { possibleActions, runsByItself } from '../../../../src/app/viewModel/possibleActions';
import { listTonight } from '../../../../src/app/checks/rehearsal';
import { listTaskCommands } from '../../../../src/editor/queueFile/lenses/likelyActions';
import { describeStatus } from '../../../../src/editor/status/statusBarText';
import { countForUser } from '../../../../src/editor/tree/rows/taskGroups';
import { repeat } from '../../../conformance/harness';
import { HOUR, NOW, paint, ready, type Row } from '../../../support/queue/viewModels';
import { groupsOf } from '../../../support/editor/treeGroups';

const DAILY: Row = {
  fields: { repeat: repeat('24h') },
  state: {
    status: 'pending',
    lastOutcome: 'review',
    lastMessage: 'Claude was refused an action: Bash npm publish.',
    refused: true,
    dueAt: NOW + 20 * HOUR,
    dueCause: 'repeat',
  },
};

describe('A repeating task whose last run ended in review', () => {
  const viewModel = paint([DAILY, { fields: { dependencies: [1] } }]);
  const [daily, dependent] = viewModel.tasks;
  assert.ok(daily !== undefined && dependent !== undefined);

  it('is shown as review, with the cause and its next time', () => {
    assert.equal(daily.reason.state, 'review');
    assert.equal(
      daily.reason.text,
      'Claude was refused an action: Bash npm publish; next time 2026-11-21 14:00',
    );
    assert.equal(daily.reason.until, NOW + 20 * HOUR);
  });

  it('is among what needs review in the tree and is counted', () => {
    const groups = groupsOf(viewModel);
    assert.deepEqual(
      groups.find(({ key }) => key === 'group-attention')?.children?.map(({ taskId }) => taskId),
      [1],
    );
    assert.equal(countForUser(viewModel), 1);
    assert.match(describeStatus(ready(viewModel))?.text ?? '', /\$\(bell\) 1$/);
  });

  it('can be accepted, allowed and retried, in the menu of its lens too', () => {
    const possible = possibleActions(daily);
    for (const action of ['accept', 'allow', 'retry'] as const) assert.ok(possible.has(action), action);
    assert.deepEqual(
      listTaskCommands(daily, new Map())
        .filter(({ isLikely }) => isLikely)
        .map(({ command }) => command),
      ['accept', 'comment', 'allowTools', 'retry', 'showAttempt', 'showOutput'],
    );
  });

  it('is shown as in review in the reason of its dependents', () => {
    assert.deepEqual([dependent.reason.state, dependent.reason.text], ['blocked', 'waits for 1 (review)']);
  });

  it('still runs at its next time by itself', () => {
    assert.ok(runsByItself(daily));
    assert.deepEqual(
      listTonight(viewModel).map(({ task }) => task.definition.id),
      [1, 2],
    );
    const due = paint([{ ...DAILY, state: { ...DAILY.state, dueAt: NOW - 1 } }]);
    assert.equal(due.next, 1);
  });

  it('is shown as running while its next run lasts', () => {
    const claim = paint([{ ...DAILY, owner: { kind: 'person', machine: 'here' } }]);
    assert.equal(claim.tasks[0]?.reason.state, 'running');
  });
});
