import assert from 'node:assert/strict';
import { findMissingWorkers, TIMER_GRACE_MS } from '../../../../src/domain/queue/missingWorker';

const NOW = Date.parse('2026-11-20T18:00:00Z');

it('A timer whose times cannot be read keeps no due task from being reported', () => {
  const timer = { by: 'crontab', crons: ['@reboot'], since: 0, startedAt: null };
  const facts = {
    claims: [],
    workers: [],
    timer,
    dueIds: [1],
    nextDueAt: null,
    now: NOW,
    timeZone: 'UTC',
  };
  assert.deepEqual(findMissingWorkers(facts).found, [{ kind: 'no-worker', ids: [1] }]);
});

describe('A due task of a queue with a timer', () => {
  const START = NOW - 60 * 60_000;
  const timer = { by: 'crontab', crons: ['0 */6 * * *'], since: START - 1, startedAt: START };
  const facts = { claims: [], workers: [], dueIds: [1], nextDueAt: null, timeZone: 'UTC' };
  const found = (noWorkerSince: number | null, now: number, workers = 0): unknown => {
    const own = noWorkerSince === null ? timer : { ...timer, noWorkerSince };
    const dueIds = workers > 0 ? [] : facts.dueIds;
    return findMissingWorkers({ ...facts, timer: own, now, workers: Array<object>(workers).fill({}), dueIds })
      .found;
  };

  it('waits for the next start if the last worker started', () => {
    assert.deepEqual(found(null, START + 30 * 60_000), []);
  });

  it('is reported five minutes after a start whose worker did not register', () => {
    assert.deepEqual(found(START, START + TIMER_GRACE_MS - 1), []);
    assert.deepEqual(found(START, START + TIMER_GRACE_MS), [{ kind: 'no-worker', ids: [1] }]);
    assert.deepEqual(found(START, START + TIMER_GRACE_MS, 1), [], 'another worker runs');
    const { lookAgainAt } = findMissingWorkers({
      ...facts,
      timer: { ...timer, noWorkerSince: START },
      now: START,
    });
    assert.equal(lookAgainAt, START + TIMER_GRACE_MS);
  });
});

describe('A timer that starts no second worker', () => {
  const STARTED = NOW - 3 * 60 * 60_000;
  const timer = { by: 'systemd', crons: ['*/15 * * * *'], since: STARTED - 1, startedAt: STARTED };
  const facts = { claims: [], dueIds: [], nextDueAt: null, timeZone: 'UTC' };

  it('is not late while the worker that it started runs', () => {
    const found = (byTimer?: true): unknown =>
      findMissingWorkers({ ...facts, timer, now: NOW, workers: [byTimer === true ? { byTimer } : {}] }).found;
    assert.deepEqual(found(true), []);
    const late = { kind: 'timer-late', timer, expectedAt: STARTED + 15 * 60_000 };
    assert.deepEqual(found(), [late], 'a worker that the user started');
  });

  it('is expected to start the next one after that has ended', () => {
    const ended = { ...timer, ranUntil: NOW - 1 };
    const found = (now: number): unknown =>
      findMissingWorkers({ ...facts, timer: ended, now, workers: [] }).found;
    assert.deepEqual(found(NOW + TIMER_GRACE_MS), []);
    assert.deepEqual(found(NOW + TIMER_GRACE_MS + 1), [
      { kind: 'timer-late', timer: ended, expectedAt: NOW },
    ]);
  });
});

describe('A due task of a queue with workers', () => {
  const facts = { claims: [], timer: null, nextDueAt: null, now: NOW, timeZone: 'UTC' };

  it('is reported if none of them takes it', () => {
    const { found } = findMissingWorkers({ ...facts, workers: [{}], dueIds: [2] });
    assert.deepEqual(found, [{ kind: 'no-worker', ids: [2], others: true }]);
    assert.deepEqual(findMissingWorkers({ ...facts, workers: [{}], dueIds: [] }).found, []);
  });
});
