import assert from 'node:assert/strict';
import { findMissingWorkers } from '../../../../src/domain/queue/missingWorker';

const NOW = Date.parse('2026-11-20T18:00:00Z');

it('A timer whose times cannot be read keeps no due task from being reported', () => {
  const timer = { by: 'crontab', crons: ['@reboot'], since: 0, startedAt: null };
  const facts = { claims: [], workers: 0, timer, dueIds: [1], nextDueAt: null, now: NOW, timeZone: 'UTC' };
  assert.deepEqual(findMissingWorkers(facts).found, [{ kind: 'no-worker', ids: [1] }]);
});
