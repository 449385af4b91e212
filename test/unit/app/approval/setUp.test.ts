import assert from 'node:assert/strict';
import { describeForApproval, describeRow } from '../../../../src/app/approval/approval';
import { findChange } from '../../../../src/app/approval/approvedChanges';
import { describeUnseenSetUps, isSetUpSeen, listSeenSetUps } from '../../../../src/app/approval/setUp';
import { approvable, approvalOf } from '../../../../src/domain/task/approval';
import type { Definition } from '../../../../src/domain/task/task';
import { paint } from '../../../support/queue/viewModels';

const CHECKED = { verify: ['npm', 'test'], verifyBefore: ['npm', 'ci'] } as const;

function tasksOf(rows: readonly Partial<Definition>[]) {
  return paint(rows.map((fields) => ({ fields }))).tasks;
}

describe('The set-up of a check', () => {
  it('is shown before approval', () => {
    const [one, none] = tasksOf([CHECKED, { ...CHECKED, verifyBefore: [] }]);
    assert.ok(one !== undefined && none !== undefined);
    const how = 'checked by npm test; the check also runs on the files before';
    assert.ok(describeForApproval(one).includes(`${how}, set up by npm ci:`));
    assert.ok(describeForApproval(none).includes(`${how}:`));
  });

  it('is shown as a change of the check since its approval', () => {
    const [old, now] = [{ verify: CHECKED.verify }, CHECKED].map((row) => tasksOf([row])[0]);
    assert.ok(old !== undefined && now !== undefined);
    const approved = new Map([[old.task.definition.id, describeRow(old.task)]]);
    assert.deepEqual(findChange(now, { approved, origins: new Map() }), {
      kind: 'changed',
      cells: [
        {
          column: 'verify',
          before: '["npm","test"]',
          now: '["npm","test"]\nthe check also runs on the files before, set up by npm ci',
        },
      ],
    });
  });

  it('is seen where another row with the same one is approved, or where there is none', () => {
    const tasks = tasksOf([CHECKED, { ...CHECKED, verifyBefore: ['other'] }]).map(({ task }) => task);
    const [one] = tasks;
    assert.ok(one !== undefined);
    const approvals = new Set([approvalOf(approvable(one.definition, one.state.power))]);
    const nothing = { tasks, approved: { trusted: false, approvals: new Set<string>() } };
    const seen = { tasks, approved: { trusted: false, approvals } };
    assert.equal(isSetUpSeen(CHECKED, listSeenSetUps(nothing)), false);
    assert.equal(isSetUpSeen(CHECKED, listSeenSetUps(seen)), true);
    assert.equal(isSetUpSeen({ verifyBefore: ['other'] }, listSeenSetUps(seen)), false);
    assert.equal(isSetUpSeen({ verifyBefore: [] }, listSeenSetUps(nothing)), true);
    assert.equal(isSetUpSeen({}, listSeenSetUps(nothing)), true);
    assert.deepEqual(describeUnseenSetUps([1, 2], seen), [
      "Task 2 needs approval: its check is set up by other, which the queue's settings name and you have not approved yet.",
    ]);
    assert.deepEqual(describeUnseenSetUps([1, 2], { ...seen, approved: { trusted: true, approvals } }), []);
  });
});
