import assert from 'node:assert/strict';
import {
  describeInLine,
  describeNotice,
  describeTogether,
} from '../../../../src/app/present/notices/noticeTexts';
import type { Notice } from '../../../../src/domain/queue/notices';
import { HOUR, NOW, paint } from '../../../support/queue/viewModels';

const look = paint([
  { fields: { prompt: 'First line\nsecond' }, state: { lastMessage: 'Claude was refused Bash.' } },
  {},
  {},
]);

const end = (kind: 'needs-answer' | 'review' | 'failed', id: number): Notice => ({
  ...{ kind, id, power: 'p', attempt: 1 },
});

const DONE: Notice = {
  ...{ kind: 'all-done', since: NOW - 2 * HOUR, until: NOW },
  ...{ completed: 5, failed: 1, review: 0, left: 2, costUsd: 1.5 },
};

describe('The text of a notice', () => {
  it('names the task, its prompt and how its attempt ended', () => {
    assert.deepEqual(describeNotice(end('review', 1), look), {
      title: 'Task 1 needs review',
      message: 'Prompt: First line · Claude was refused Bash.',
    });
  });

  it('works for a task whose row was removed', () => {
    assert.equal(describeInLine(end('failed', 9), look), 'Task 9 failed permanently. Its row was removed.');
  });

  it('does not count completed tasks if all were cancelled', () => {
    const cancelled = { ...DONE, completed: 0, failed: 0, cancelled: 1, left: 0 };
    assert.equal(describeInLine(cancelled, look), 'Queue finished: 1 cancelled. Cost $1.50, duration 2 h.');
  });

  it('sums up completed tasks', () => {
    assert.equal(
      describeInLine(DONE, look),
      'Queue finished: 5 completed, 1 failed. Cost $1.50, duration 2 h. 2 tasks cannot start until you act.',
    );
  });

  it('says "at least" where the cost of some attempts is not known', () => {
    assert.match(
      describeInLine({ ...DONE, isCostOpen: true }, look),
      /Cost at least \$1\.50, duration 2 h\./,
    );
  });

  it('of a worker that died asks for a start only where no other worker runs', () => {
    const died: Notice = { kind: 'worker-died', worker: 'w9', process: { pid: 9, startedAt: 'x' } };
    assert.equal(
      describeInLine(died, look),
      'Worker w9 died. Its process ended unexpectedly. Start the queue again to continue.',
    );
    assert.equal(
      describeInLine(died, paint([{}], { workers: 1 })),
      'Worker w9 died. Its process ended unexpectedly. The queue continues with worker w1.',
    );
    const stopping = paint([{}], { workers: 1 });
    const stop = { how: 'after-task', at: 0 } as const;
    const owners = stopping.snapshot.workers.map(({ owner }) => owner);
    assert.match(
      describeInLine(died, { ...stopping, snapshot: { ...stopping.snapshot, stop, stopping: owners } }),
      /Start the queue again to continue\.$/,
    );
  });

  it('of a worker that died on another machine names that', () => {
    const process = { pid: 9, startedAt: 'x' };
    const died: Notice = { kind: 'worker-died', worker: 'w9', machine: 'nas/4f', process };
    const reader = { ...look, world: { ...look.world, machine: 'laptop/7a' } };
    assert.match(describeInLine(died, reader), /^Worker w9 on nas died\. /);
    assert.match(describeInLine({ ...died, machine: 'laptop/7a' }, reader), /^Worker w9 died\. /);
  });

  it('names several tasks in one sentence', () => {
    const notices = [end('review', 1), end('failed', 2), end('review', 3), DONE];
    assert.equal(
      describeTogether(notices, look),
      '3 tasks need attention: 1 and 3 in review, 2 failed. Queue finished: 5 completed, 1 failed.',
    );
  });

  it('contains no secret of a prompt', () => {
    const secret = 'sk-ant-0123456789abcdefghij';
    const world = paint([{ fields: { prompt: `Use ${secret}` } }]);
    assert.doesNotMatch(describeInLine(end('review', 1), world), new RegExp(secret));
  });
});
