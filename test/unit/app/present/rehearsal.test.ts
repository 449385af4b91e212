import assert from 'node:assert/strict';
import type { QueueViewModel } from '../../../../src/app/viewModel/queueViewModel';
import { listTonight, rehearse, type RehearsalFacts } from '../../../../src/app/checks/rehearsal';
import { describeDoubts, groupRehearsed } from '../../../../src/app/present/rehearsal';
import type { Attempt } from '../../../../src/domain/task/attempt';
import { approvalOf } from '../../../../src/domain/task/approval';
import { HOUR, NOW, paint, runByWorker } from '../../../support/queue/viewModels';

const FACTS: RehearsalFacts = { attempts: [], mode: 'acceptEdits', grants: new Map(), untrusted: new Set() };

function ran(more: Partial<Attempt> = {}): Attempt {
  return {
    id: 1,
    number: 1,
    power: 'power-1',
    session: null,
    startedAt: NOW - HOUR,
    endedAt: NOW,
    outcome: 'success',
    reason: 'done',
    message: '',
    code: 0,
    permissions: { mode: 'acceptEdits', tools: [] },
    ...more,
  };
}

const one = (fields = {}): QueueViewModel => paint([{ fields, state: { power: 'power-1' } }]);
const hasRun = (attempt: Attempt, facts: Partial<RehearsalFacts> = {}, fields = {}): boolean | undefined =>
  rehearse(listTonight(one(fields)), { ...FACTS, attempts: [attempt], ...facts })[0]?.hasRun;

describe('A rehearsal of the night', () => {
  it('covers tasks that can run within a day, approved or not, and no others', () => {
    const viewModel = paint(
      [
        {},
        { state: { ownerScheduledAt: NOW + HOUR } },
        { state: { ownerScheduledAt: NOW + 48 * HOUR } },
        { state: { status: 'review' } },
        { state: { status: 'completed' } },
        { fields: { dependencies: [1] } },
        runByWorker,
        { state: { power: 'unseen' } },
      ],
      {
        approvedRows: {
          trusted: false,
          approvals: new Set([1, 2, 3, 4, 5, 6, 7].map((id) => approvalOf({ id, power: 'p' }))),
        },
      },
    );
    const rehearsed = rehearse(listTonight(viewModel), FACTS);
    assert.deepEqual(
      rehearsed.map(({ shown, isApproved }) => [shown.task.definition.id, isApproved]),
      [
        [1, true],
        [2, true],
        [6, true],
        [8, false],
      ],
    );
  });

  it('lists tasks that never ran as they are, with their permissions', () => {
    assert.equal(hasRun(ran()), true);
    assert.equal(hasRun(ran({ outcome: 'review' })), true);
    assert.equal(hasRun(ran({ power: 'as it was before' })), false);
    assert.equal(hasRun(ran(), { mode: 'auto' }), false);
    assert.equal(hasRun(ran(), { grants: new Map([['1:power-1', ['Bash(make)']]]) }), false);
    assert.equal(hasRun(ran(), {}, { allowedTools: ['Bash'] }), false);
    const wider = ran({ permissions: { mode: 'acceptEdits', tools: ['Edit', 'Bash', 'Bash(make)'] } });
    const grants = new Map([['1:power-1', ['Bash(make)']]]);
    assert.equal(hasRun(wider, { grants }, { allowedTools: ['Bash', 'Edit'] }), true);
  });

  it('says of a task that was only stopped that it never finished, not that it never ran', () => {
    const [found] = rehearse(listTonight(one()), { ...FACTS, attempts: [ran({ outcome: 'cancelled' })] });
    assert.ok(found);
    assert.deepEqual(describeDoubts(found), ['never finished with its present permissions']);
    assert.match(groupRehearsed([found])[0]?.title ?? '', /^Never finished/);
  });

  it('does not count an attempt that did no work', () => {
    assert.equal(hasRun(ran({ outcome: 'limit' })), false);
    assert.equal(hasRun(ran({ outcome: 'lost' })), false);
  });

  it('lists actions that were refused the last time and are not allowed since', () => {
    const make = { tool: 'Bash', detail: 'make', rule: 'Bash(make)' };
    const pipe = { tool: 'Bash', detail: 'a | b', noRule: 'judged by its parts' };
    const attempts = [ran({ outcome: 'review', denials: [make, pipe], number: 2 }), ran({ denials: [] })];
    const refused = (grants: RehearsalFacts['grants']): unknown =>
      rehearse(listTonight(one()), { ...FACTS, attempts, grants })[0]?.refused;
    assert.deepEqual(refused(new Map()), [make, pipe]);
    assert.deepEqual(refused(new Map([['1:power-1', ['Bash(make)']]])), [pipe]);
  });
});
