import assert from 'node:assert/strict';
import type { GateBlock } from '../../../../src/domain/gate/gate';
import { observeNotices } from '../../../../src/domain/queue/observeNotices';
import type { Hold, QueueView } from '../../../../src/domain/queue/view';
import { NOW, taskOf, worldOf } from '../surroundings';

const SIGNED_OUT: GateBlock = { kind: 'sign-in', until: null, since: NOW - 1, message: 'Please run /login' };

const noticesOf = (block: GateBlock): unknown[] =>
  observeNotices({ ...worldOf([taskOf(1)]), gate: { closures: [block], usage: [] } }, []);

describe('The notice of a closed gate', () => {
  it('is due while tasks wait for the user', () => {
    assert.deepEqual(noticesOf(SIGNED_OUT), [{ kind: 'blocked', gate: 'sign-in', since: NOW - 1 }]);
  });

  it('is not due for a gate that an attempt has passed since', () => {
    assert.deepEqual(noticesOf({ ...SIGNED_OUT, proven: { at: NOW, begunAt: NOW } }), []);
  });

  it('is not due for a gate that the user opened', () => {
    assert.deepEqual(noticesOf({ ...SIGNED_OUT, probed: true }), []);
  });
});

describe('The notice that the queue paused itself', () => {
  const BY_BOUND: Hold = { by: 'bounds', why: '', bound: { kind: 'tasks', count: 3 }, at: NOW - 5 };
  const APPROVED = { trusted: true, approvals: new Set<string>() };
  const streak = {
    outcome: 'error',
    reason: 'exit-1',
    message: 'No disk.',
    ids: [1, 2, 3],
    since: NOW - 10,
  } as const;

  const stopsOf = (queue: Partial<QueueView>, tasks = [taskOf(1)]): unknown[] =>
    observeNotices({ ...worldOf(tasks, { queue }), approvedRows: APPROVED }, []);

  it('is due at a limit of a run, once for each pause', () => {
    assert.deepEqual(stopsOf({ holds: [BY_BOUND] }), [{ kind: 'stopped', cause: 'bound', after: NOW - 5 }]);
  });

  it('is due after the same failures in a row, once for all of them', () => {
    const expected = [{ kind: 'stopped', cause: 'failures', after: NOW - 10 }];
    assert.deepEqual(stopsOf({ streak }), expected);
    assert.deepEqual(stopsOf({ streak: { ...streak, ids: [1, 2, 3, 4] }, starts: [NOW] }), expected);
  });

  it('is due at the end of a night whose last task reached the limit', () => {
    assert.equal(stopsOf({ holds: [BY_BOUND] }, [taskOf(1, { status: 'completed' })]).length, 1);
  });

  it('is not due if the user paused it', () => {
    assert.deepEqual(stopsOf({ holds: [{ ...BY_BOUND, by: 'person' }] }), []);
  });
});
