import assert from 'node:assert/strict';
import type { Notice } from '../../../../src/domain/queue/notices';
import { NOTICE_SETTINGS, planNotification, type NoticePlan } from '../../../../src/editor/status/noticePlan';
import manifest from '../../../../package.json';
import { paint } from '../../../support/queue/viewModels';

const look = paint([{}, {}, {}]);

const end = (kind: 'needs-answer' | 'review' | 'failed', id: number): Notice => ({
  ...{ kind, id, power: 'p', attempt: 1 },
});
const DIED: Notice = { kind: 'worker-died', worker: '12', process: { pid: 12, startedAt: 'x' } };

function plan(...notices: readonly Notice[]): NoticePlan | null {
  return planNotification(notices, look, () => true);
}

const titles = (planned: NoticePlan | null): string[] => (planned?.buttons ?? []).map(({ title }) => title);

describe('A notification', () => {
  it('about one task offers its actions', () => {
    assert.deepEqual(titles(plan(end('review', 1))), ['Accept', 'Show Attempt', 'Show Queue']);
    assert.deepEqual(titles(plan(end('failed', 1))), ['Retry', 'Show Attempt', 'Show Queue']);
    assert.deepEqual(titles(plan(end('needs-answer', 1))), ['Answer…', 'Show Attempt', 'Show Queue']);
    assert.deepEqual(titles(plan(DIED)), ['Start…', 'Show Queue']);
    const blocked = plan({ kind: 'blocked', gate: 'sign-in', since: 1 });
    assert.deepEqual(titles(blocked), ['Sign In…', 'Resume Queue', 'Show Queue']);
  });

  it('about a review offers the changes in place of the output, if there are some', () => {
    const changed = paint([{ state: { status: 'review', changed: true } }]);
    const planned = planNotification([end('review', 1)], changed, () => true);
    assert.deepEqual(titles(planned), ['Accept', 'Show Changes', 'Show Queue']);
  });

  it('about several events is one, with their numbers', () => {
    const planned = plan(end('review', 1), end('review', 2), end('failed', 3), DIED);
    assert.equal(planned?.message, '3 tasks need attention: 2 in review, 1 failed. Worker 12 died.');
    assert.deepEqual(titles(planned), ['Show Queue']);
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

  it('renders no icon of a prompt', () => {
    const named = paint([{ fields: { prompt: 'Use $(zap) now' } }]);
    const planned = planNotification([end('review', 1)], named, () => true);
    assert.doesNotMatch(planned?.message ?? '', /\$\(zap\)/);
  });

  it('has a setting for each kind', () => {
    const setting = manifest.contributes.configuration.properties['claudeQueue.notifications'];
    assert.deepEqual(Object.keys(setting.properties), Object.values(NOTICE_SETTINGS));
    assert.deepEqual(Object.keys(setting.default), Object.values(NOTICE_SETTINGS));
  });
});
