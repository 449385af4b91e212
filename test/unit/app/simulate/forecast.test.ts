import assert from 'node:assert/strict';
import { sumUp } from '../../../../src/app/simulate/forecast';
import { OPEN_GATE } from '../../../../src/domain/gate/gate';
import { attempt, HOUR, MINUTE, NOW } from '../../../support/queue/attempts';
import { paint } from '../../../support/queue/viewModels';

describe('A forecast', () => {
  it('has the deadlines of the rows', () => {
    const [one, other] = paint([{}, {}]).tasks;
    assert.ok(one !== undefined && other !== undefined);
    const { task } = one;
    const deadline = NOW + 3 * HOUR;
    const due = { ...one, task: { ...task, definition: { ...task.definition, deadline } } };
    const { tasks } = sumUp([due, other], [], {
      ...{ from: NOW, until: NOW + 24 * HOUR, problems: 0, assumedWorker: null },
      ...{ isTimeKnown: true, isUsageKnown: true },
    });
    assert.deepEqual(
      tasks.map((each) => each.deadline),
      [deadline, null],
    );
  });

  it('completes a task when its last attempt ends, not when an earlier one fails', () => {
    const { tasks, snapshot } = paint([{ state: { status: 'completed' } }]);
    const failed = attempt({ outcome: 'error', reason: 'timeout' });
    const done = attempt({ number: 2, startedAt: NOW + HOUR, endedAt: NOW + HOUR + MINUTE });
    const night = { attempts: [failed, done], end: snapshot, gate: OPEN_GATE, overdue: new Set<number>() };
    const forecast = sumUp(tasks, [night], {
      ...{ from: NOW, until: NOW + 24 * HOUR, problems: 0, assumedWorker: null },
      ...{ isTimeKnown: true, isUsageKnown: true },
    });
    assert.deepEqual(forecast.tasks[0]?.end, { p50: done.endedAt, p80: done.endedAt });
  });
});
