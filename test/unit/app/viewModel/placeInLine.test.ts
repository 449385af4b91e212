import assert from 'node:assert/strict';
import { composeViewModel } from '../../../../src/app/viewModel/queueViewModel';
import type { Pools } from '../../../../src/domain/order/pools';
import type { Claim, TaskView } from '../../../../src/domain/queue/view';
import { PERSON, workerOf } from '../../../conformance/harness';
import { NOW, taskOf, worldOf } from '../../domain/surroundings';

const POOLS: Pools = new Map([
  ['fast', { priorities: ['critical', 'high'], min: 1, max: 1 }],
  ['low', { priorities: ['low'], min: 1, max: 1 }],
]);

const NOTHING_ELSE = {
  revision: 1,
  problems: [],
  columns: [],
  places: new Map<number, never>(),
  stop: null,
  stopping: [],
  isUntouched: false,
  emptied: 0,
  timer: null,
  died: [],
  outbox: [],
  callbacks: [],
};

function runIn(pool: string, task: TaskView): TaskView {
  const { id } = task.definition;
  const owner = { ...workerOf(id), pool };
  const claim: Claim = { id, power: 'p', token: id, attempt: 1, owner, at: NOW, session: 's', mark: 'm' };
  return { ...task, claim };
}

/** The same task, whose worker has died. */
function left(task: TaskView): TaskView {
  return { ...task, ...(task.claim === undefined ? {} : { claim: { ...task.claim, ownerDied: true } }) };
}

function reasons(tasks: readonly TaskView[], maxRunning: number): string[] {
  const { queue, ...around } = worldOf(tasks, { settings: { maxRunning, pools: POOLS } });
  const workers = ['fast', 'low'].map((pool, index) => ({
    owner: { ...workerOf(index), pool },
    since: NOW,
  }));
  const snapshot = { ...queue, ...NOTHING_ELSE, workers };
  return composeViewModel(snapshot, around).tasks.map(({ reason }) => `${reason.state}: ${reason.text}`);
}

describe('The reason of a task that a pool takes', () => {
  it('is its place in line if maxRunning tasks run', () => {
    const tasks = [
      runIn('fast', taskOf(1, {}, { priority: 'high' })),
      taskOf(2, {}, { priority: 'low' }),
      taskOf(3, {}, { priority: 'low' }),
      taskOf(4, {}, { priority: 'critical' }),
    ];
    assert.deepEqual(reasons(tasks, 1).slice(1), [
      'waiting: 1st in line for pool low (1 of 1 running)',
      'waiting: 2nd in line for pool low (1 of 1 running)',
      'waiting: 1st in line for pool fast (1 of 1 running)',
    ]);
  });

  it('does not count a task that the user has as running', () => {
    const running = runIn('fast', taskOf(1, {}, { priority: 'high' }));
    const byUser = runIn('low', taskOf(2, {}, { priority: 'low' }));
    const claim = byUser.claim === undefined ? {} : { claim: { ...byUser.claim, owner: PERSON } };
    assert.deepEqual(
      reasons([running, { ...byUser, ...claim }, taskOf(3, {}, { priority: 'low' })], 1).slice(2),
      ['waiting: 1st in line for pool low (1 of 1 running)'],
    );
  });

  it('is its place in line if the slots of its pool are busy', () => {
    const tasks = [
      runIn('low', taskOf(1, {}, { priority: 'low' })),
      taskOf(2, {}, { priority: 'low' }),
      taskOf(3, {}, { priority: 'high' }),
    ];
    assert.deepEqual(reasons(tasks, 4).slice(1), [
      'ready: 1st in line for pool low (1 of 1 running)',
      'ready: ',
    ]);
  });
});

describe('The reason of a task that waits for a slot of several', () => {
  it('is the number of running tasks, not a process number', () => {
    const tasks = [runIn('fast', taskOf(1)), runIn('low', taskOf(2)), taskOf(3)];
    const { queue, ...around } = worldOf(tasks, { settings: { maxRunning: 2 } });
    const snapshot = { ...queue, ...NOTHING_ELSE, workers: [] };
    assert.equal(composeViewModel(snapshot, around).tasks[2]?.reason.text, '2 of 2 running');
  });

  it('does not count the task of a worker that died as running', () => {
    const tasks = [runIn('fast', taskOf(1)), left(runIn('low', taskOf(2))), taskOf(3)];
    const { queue, ...around } = worldOf(tasks, { settings: { maxRunning: 2 } });
    const snapshot = { ...queue, ...NOTHING_ELSE, workers: [] };
    assert.equal(
      composeViewModel(snapshot, around).tasks[2]?.reason.text,
      '1 of 2 running, 1 left by a worker that died',
    );
  });
});
