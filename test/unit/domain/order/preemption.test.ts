import assert from 'node:assert/strict';
import type { Choice } from '../../../../src/domain/order/choice';
import { findPreemption, type WorkerRoom } from '../../../../src/domain/order/preemption';
import type { Claim, TaskState, TaskView } from '../../../../src/domain/queue/view';
import type { Settings } from '../../../../src/domain/settings/settings';
import type { Priority } from '../../../../src/domain/task/priority';
import type { Definition } from '../../../../src/domain/task/task';
import { PERSON, workerOf } from '../../../conformance/harness';
import { HOUR, MINUTE, NOW, taskOf, worldOf, type Differences } from '../surroundings';

/** A running task in a directory of its own. */
function running(id: number, priority: Priority, claim: Partial<Claim> = {}): TaskView {
  const task = taskOf(id, {}, { priority, workingDir: `/place/${id}` });
  const mark = `mark-${id}`;
  return {
    ...task,
    claim: {
      ...{ id, power: 'p', token: id, attempt: 1, owner: workerOf(1), at: NOW - HOUR, session: 's', mark },
      priority,
      ...claim,
    },
  };
}

const critical = (id: number, state: Partial<TaskState> = {}, fields: Partial<Definition> = {}): TaskView =>
  taskOf(id, state, { priority: 'critical', workingDir: `/place/${id}`, ...fields });

interface Circumstances extends Omit<Differences, 'settings'>, Partial<Omit<WorkerRoom, 'stoppable'>> {
  readonly settings?: Partial<Settings>;
  readonly choice?: Choice;
  /** Ids of the tasks whose attempts the worker may stop; absent: all. */
  readonly own?: readonly number[];
}

/** Returns the preemption as "stopped for urgent"; '' if there is none. */
function found(tasks: readonly TaskView[], more: Circumstances = {}): string {
  const { choice = {}, isFull = true, hasOthers = false, except = new Set(), settings, ...others } = more;
  const count = tasks.filter(({ claim }) => claim !== undefined).length;
  const world = worldOf(tasks, {
    ...others,
    settings: { preempt: 'critical', maxRunning: count, ...settings },
  });
  const own = more.own ?? tasks.map(({ definition }) => definition.id);
  const stoppable = new Set(own.map((id) => `mark-${id}`));
  const preemption = findPreemption(world, choice, { stoppable, isFull, hasOthers, except });
  if (preemption === null) return '';
  const { stopped, urgent, isLastResort } = preemption;
  return `${stopped.id} for ${urgent}${isLastResort ? ', as a last resort' : ''}`;
}

describe('For a critical task without room', () => {
  it('nothing is stopped by default', () => {
    assert.equal(found([running(1, 'low'), critical(9)], { settings: { preempt: 'off' } }), '');
    assert.equal(found([running(1, 'low'), critical(9)]), '1 for 9');
  });

  it('the attempt with the lowest class is stopped, whatever its row', () => {
    assert.equal(
      found([running(1, 'high'), running(2, 'medium'), running(3, 'low'), critical(9)]),
      '3 for 9',
    );
    const promoted = running(3, 'low', { priority: 'high', promotedFrom: 'low' });
    assert.equal(found([running(1, 'high'), running(2, 'medium'), promoted, critical(9)]), '2 for 9');
  });

  it('the attempt that started last is stopped among those of one class', () => {
    const late = { at: NOW - MINUTE };
    assert.equal(
      found([running(1, 'low'), running(2, 'low', late), running(3, 'low'), critical(9)]),
      '2 for 9',
    );
  });

  it('a leftover task is stopped before a low one', () => {
    const spare = running(1, 'critical', { priority: 'low' });
    const leftover = { ...spare, definition: { ...spare.definition, tags: ['spare'] } };
    assert.equal(found([leftover, running(2, 'low', { at: NOW }), critical(9)]), '1 for 9');
  });

  it('no critical attempt is stopped, and none whose row was made critical meanwhile', () => {
    assert.equal(found([running(1, 'critical'), critical(9)]), '');
    assert.equal(found([running(1, 'critical', { priority: 'low' }), critical(9)]), '');
  });

  it('no attempt of the user, of another worker or of a dead one is stopped', () => {
    const own = running(1, 'medium');
    assert.equal(
      found([own, running(2, 'low', { owner: PERSON }), critical(9)], { settings: { maxRunning: 1 } }),
      '1 for 9',
    );
    assert.equal(found([running(1, 'low'), critical(9)], { own: [] }), '');
    assert.equal(found([own, running(2, 'low', { ownerDied: true }), critical(9)]), '1 for 9');
  });

  it('nothing is stopped while a slot and its directory are free', () => {
    assert.equal(found([running(1, 'low'), critical(9)], { settings: { maxRunning: 2 }, isFull: false }), '');
  });

  it('the attempt in its directory is stopped, even if another one has a lower class', () => {
    const inTheWay = running(1, 'high', { workingDir: '/place/9' });
    const free = { settings: { maxRunning: 3 }, isFull: false };
    assert.equal(found([inTheWay, running(2, 'low'), critical(9)], free), '1 for 9');
    assert.equal(found([inTheWay, running(2, 'low'), critical(9)], { ...free, own: [2] }), '');
  });

  it('nothing is stopped if that would not give it room', () => {
    const tasks = [running(1, 'low'), running(2, 'low'), critical(9)];
    assert.equal(found(tasks, { settings: { maxRunning: 1 } }), '');
  });

  it('nothing is stopped if something else keeps it from starting', () => {
    const low = running(1, 'low');
    const hold = { by: 'person', why: '', at: NOW } as const;
    const starts = Array.from({ length: 20 }, () => NOW - MINUTE);
    const quietHours = [{ from: 0, to: 1440, days: [1] }];
    assert.equal(found([low, critical(9, {}, { dependencies: [1] })]), '', 'a dependency');
    assert.equal(found([low, critical(9, { ownerScheduledAt: NOW + 1 })]), '', 'its time');
    assert.equal(found([low, critical(9, { retryCount: 3 })]), '', 'its retries are used up');
    assert.equal(found([low, critical(9)], { queue: { holds: [hold] } }), '', 'a pause');
    assert.equal(found([low, critical(9)], { queue: { starts } }), '', 'the budget of attempts');
    assert.equal(
      found([low, critical(9)], { choice: { priorities: ['low'] } }),
      '',
      'the pool of the worker',
    );
    assert.equal(found([low, critical(9)], { settings: { quietHours } }), '', 'quiet hours');
    assert.equal(found([low, taskOf(9, {}, { priority: 'high' })]), '', 'it is not critical');
    const leftover = critical(9, {}, { tags: ['spare'] });
    assert.equal(found([low, leftover]), '', 'it takes only leftover capacity');
  });

  it('one of several goes first: the first in order for which something can be stopped', () => {
    const low = running(1, 'low');
    assert.equal(found([low, critical(8), critical(9)]), '1 for 8');
    assert.equal(found([low, critical(8), critical(9)], { except: new Set([8]) }), '1 for 9');
    const occupied = running(2, 'critical', { workingDir: '/place/8' });
    assert.equal(found([low, occupied, critical(8), critical(9)]), '1 for 9');
  });

  it('another worker goes first if it has a slot, or an attempt that is rather to be stopped', () => {
    const last = ', as a last resort';
    const room = { settings: { maxRunning: 5 } };
    assert.equal(found([running(1, 'low'), critical(9)], { ...room, hasOthers: true }), `1 for 9${last}`);
    assert.equal(found([running(1, 'low'), critical(9)], { ...room, hasOthers: false }), '1 for 9');
    const others = running(2, 'low', { owner: workerOf(2) });
    assert.equal(found([running(1, 'medium'), others, critical(9)], { own: [1] }), `1 for 9${last}`);
    assert.equal(
      found([running(1, 'low'), running(2, 'medium', { owner: workerOf(2) }), critical(9)], { own: [1] }),
      '1 for 9',
    );
  });

  it('an attempt that is being cancelled goes first', () => {
    const cancelled = running(2, 'high', { cancelled: true });
    assert.equal(found([running(1, 'low'), cancelled, critical(9)]), '1 for 9, as a last resort');
  });
});
