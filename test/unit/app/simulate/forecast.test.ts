import assert from 'node:assert/strict';
import { sumUp } from '../../../../src/app/simulate/forecast';
import { HOUR, NOW, paint } from '../../../support/queue/viewModels';

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
});
