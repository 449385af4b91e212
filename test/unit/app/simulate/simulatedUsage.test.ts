import assert from 'node:assert/strict';
import { SimulatedUsage } from '../../../../src/app/simulate/simulatedUsage';
import { OPEN_GATE, type WindowUsage } from '../../../../src/domain/gate/limits';
import { HOUR, NOW } from '../../../support/queue/attempts';

/** Usage of an account whose 5-hour window is so full, and ends in two hours. */
function filled(utilization: number, window: WindowUsage['window'] = 'five_hour'): SimulatedUsage {
  const report = { window, utilization, resetAt: NOW + 2 * HOUR, asOf: NOW };
  return new SimulatedUsage({ ...OPEN_GATE, usage: [report] }, NOW);
}

describe('Simulated usage windows', () => {
  it('fill up with what attempts use, until one reaches the limit in its middle', () => {
    const usage = filled(0.5);
    assert.equal(usage.use({ five_hour: 0.25 }, HOUR, NOW), null);
    assert.equal(usage.at(NOW)[0]?.utilization, 0.75);
    assert.deepEqual(usage.use({ five_hour: 0.5 }, HOUR, NOW), {
      kind: 'five_hour',
      done: 0.5,
      resetAt: NOW + 2 * HOUR,
    });
  });

  it('stop an attempt at once while they are full', () => {
    const usage = filled(1);
    assert.equal(usage.use({ five_hour: 0.1 }, HOUR, NOW)?.done, 0);
  });

  it('open with the first attempt after a reset, for their whole length', () => {
    const usage = filled(1);
    const later = NOW + 3 * HOUR;
    assert.deepEqual(usage.at(later), []);
    assert.equal(usage.use({ five_hour: 0.1 }, HOUR, later), null);
    assert.deepEqual(usage.at(later), [{ window: 'five_hour', utilization: 0.1, resetAt: later + 5 * HOUR }]);
  });

  it('do not count the part of an attempt that comes after their reset', () => {
    const usage = filled(0);
    assert.equal(usage.use({ five_hour: 0.8 }, 4 * HOUR, NOW), null);
    assert.equal(usage.at(NOW)[0]?.utilization, 0.4);
  });

  it('name the limit that is reached first', () => {
    const usage = filled(0.9, 'seven_day');
    assert.equal(usage.use({ five_hour: 2, seven_day: 0.5 }, HOUR, NOW)?.kind, 'seven_day');
  });

  it('stay as they are for an attempt of which nothing is known', () => {
    const usage = filled(0.9);
    assert.equal(usage.use({}, HOUR, NOW), null);
    assert.equal(usage.at(NOW)[0]?.utilization, 0.9);
  });
});
