import assert from 'node:assert/strict';
import type { Notice } from '../../../../src/domain/queue/notices';
import {
  collectUntil,
  NOTICE_SETTINGS,
  planNotification,
  type NoticePlan,
} from '../../../../src/editor/status/noticePlan';
import manifest from '../../../../package.json';
import { MINUTE, NOW, paint } from '../../../support/queue/viewModels';

const look = paint([{}, {}, {}]);

const end = (kind: 'needs-answer' | 'review' | 'failed', id: number): Notice => ({
  ...{ kind, id, power: 'p', attempt: 1 },
});
const DIED: Notice = { kind: 'worker-died', worker: '12', process: { pid: 12, startedAt: 'x' } };

function plan(...notices: readonly Notice[]): NoticePlan | null {
  return planNotification(notices, look, () => true);
}

const titles = (planned: NoticePlan | null): string[] => (planned?.buttons ?? []).map(({ title }) => title);

const DONE: Notice = {
  ...{ kind: 'all-done', since: NOW, until: NOW + MINUTE },
  ...{ completed: 1, failed: 0, review: 0, left: 0, costUsd: 0 },
};

describe('A notification', () => {
  it('about one task offers its actions', () => {
    assert.deepEqual(titles(plan(end('review', 1))), ['Accept', 'Show Attempt', 'Show Queue']);
    assert.deepEqual(titles(plan(end('failed', 1))), ['Retry', 'Show Attempt', 'Show Queue']);
    assert.deepEqual(titles(plan(end('needs-answer', 1))), ['Answer…', 'Show Attempt', 'Show Queue']);
    assert.deepEqual(titles(plan(DIED)), ['Start…', 'Show Queue']);
    assert.deepEqual(titles(plan(DONE)), ['Show Report', 'Show Queue']);
    const blocked = plan({ kind: 'blocked', gate: 'sign-in', since: 1 });
    assert.deepEqual(titles(blocked), ['Sign In…', 'Resume Queue', 'Show Queue']);
    const stopped = plan({ kind: 'stopped', cause: 'failures', after: 1 });
    assert.deepEqual(titles(stopped), ['Resume Queue', 'Show Report', 'Show Queue']);
    assert.equal(stopped?.severity, 'error');
    assert.equal(plan({ kind: 'stopped', cause: 'bound', after: 1 })?.severity, 'information');
  });

  it('about a review offers the changes in place of the output, if there are some', () => {
    const changed = paint([{ state: { status: 'review', changed: true } }]);
    const planned = planNotification([end('review', 1)], changed, () => true);
    assert.deepEqual(titles(planned), ['Accept', 'Show Changes', 'Show Queue']);
  });

  it('about several events is one, with their numbers', () => {
    const planned = plan(end('review', 1), end('review', 2), end('failed', 3), DIED);
    assert.equal(planned?.message, '3 tasks need attention: 1 and 2 in review, 3 failed. Worker 12 died.');
    assert.deepEqual(titles(planned), ['Start…', 'Review Next', 'Show Tasks']);
  });

  it('about one task and the end of the queue has the actions of the task', () => {
    const planned = plan(end('failed', 1), DONE);
    assert.match(planned?.message ?? '', /^Task 1 failed permanently\. .* Queue finished: 1 completed\.$/);
    assert.deepEqual(titles(planned), ['Retry', 'Show Attempt', 'Show Report', 'Show Queue']);
    assert.deepEqual(titles(plan(DONE, DIED)), ['Start…', 'Show Report', 'Show Queue']);
  });

  it('about several tasks opens the one that harms most, and the tasks', () => {
    const planned = plan(end('needs-answer', 1), end('review', 2), end('failed', 3));
    assert.deepEqual(planned?.buttons, [
      { title: 'Review Next', command: 'showAttempt', taskId: 3 },
      { title: 'Show Tasks', command: 'showQueue' },
    ]);
    const late = plan(
      { kind: 'late', id: 1, power: 'p', by: NOW },
      { kind: 'late', id: 2, power: 'p', by: NOW },
    );
    assert.deepEqual(titles(late), ['Show Tasks']);
  });

  it('is an error if nothing runs until the user acts', () => {
    const severities = [[DIED, end('review', 1)], [end('failed', 1)], [DONE, end('failed', 1)], [DONE]].map(
      (notices) => plan(...notices)?.severity,
    );
    assert.deepEqual(severities, ['error', 'warning', 'warning', 'information']);
  });

  it('is not shown if its kind is turned off', () => {
    const notices = [end('review', 1), end('failed', 2)];
    const planned = planNotification(notices, look, (kind) => kind !== 'review');
    assert.match(planned?.message ?? '', /^Task 2 failed permanently/);
    assert.equal(
      planNotification(notices, look, () => false),
      null,
    );
  });

  it('has a setting for each kind', () => {
    const setting = manifest.contributes.configuration.properties['claudeQueue.notifications'];
    assert.deepEqual(Object.keys(setting.properties), Object.values(NOTICE_SETTINGS));
    assert.deepEqual(Object.keys(setting.default), Object.values(NOTICE_SETTINGS));
  });
});

describe('Notices about tasks', () => {
  const ALL = (): boolean => true;
  const raised = (notice: Notice, msAgo: number) => ({ notice, at: NOW - msAgo });

  it('are collected for a minute from the first one on', () => {
    const [first, second] = [raised(end('review', 1), 40_000), raised(end('failed', 2), 0)];
    assert.equal(collectUntil([first, second], look, ALL), NOW + 20_000);
    assert.equal(collectUntil([raised(end('review', 1), MINUTE), second], look, ALL), null);
    assert.equal(collectUntil([], look, ALL), null);
  });

  it('do not wait where something stops all tasks, or the queue is done', () => {
    for (const notice of [DIED, DONE]) {
      const due = [raised(end('review', 1), 0), { notice, at: null }];
      assert.equal(collectUntil(due, look, ALL), null);
      assert.equal(
        collectUntil(due, look, (kind) => kind === 'review'),
        NOW + MINUTE,
        'its kind is turned off',
      );
    }
  });

  it('count a deadline from the time at which it was at risk or missed', () => {
    const { atRiskBefore } = look.world.settings;
    const late = { kind: 'late', id: 1, power: 'p', by: NOW - 10_000 } as const;
    const atRisk = { ...late, kind: 'at-risk', by: NOW + atRiskBefore - 20_000 } as const;
    assert.equal(collectUntil([{ notice: late, at: null }], look, ALL), NOW + 50_000);
    assert.equal(collectUntil([{ notice: atRisk, at: null }], look, ALL), NOW + 40_000);
  });

  it('do not wait for the clock of another machine', () => {
    assert.equal(collectUntil([raised(end('review', 1), -MINUTE)], look, ALL), null);
  });
});
