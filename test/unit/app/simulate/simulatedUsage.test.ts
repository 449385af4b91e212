import assert from 'node:assert/strict';
import { SimulatedUsage } from '../../../../src/app/simulate/simulatedUsage';
import { OPEN_GATE, type WindowUsage } from '../../../../src/domain/gate/gate';
import { HOUR, NOW } from '../../../support/queue/attempts';

/** Usage of an account whose 5-hour window is so full, and ends in two hours. */
function filled(utilization: number, window: WindowUsage['window'] = 'five_hour'): SimulatedUsage {
  const report = { window, utilization, resetAt: NOW + 2 * HOUR, asOf: NOW };
  return new SimulatedUsage({ ...OPEN_GATE, usage: [report] }, NOW);
}

const nothing = (): void => undefined;

describe('Simulated usage windows', () => {
  it('fill up at a steady rate while an attempt runs', () => {
    const usage = filled(0.5);
    const share = usage.start({ five_hour: 0.25 }, HOUR, NOW, nothing);
    assert.equal(usage.at(NOW + HOUR / 2)[0]?.utilization, 0.625);
    usage.end(share, NOW + HOUR);
    assert.equal(usage.at(NOW + 1.5 * HOUR)[0]?.utilization, 0.75);
  });

  it('reach the limit sooner with each attempt that runs at the same time, and stop all of them', () => {
    const usage = filled(0.5);
    const one = usage.start({ five_hour: 0.5 }, HOUR, NOW, nothing);
    assert.equal(usage.nextChange(NOW), NOW + HOUR);
    const other = usage.start({ five_hour: 0.5 }, HOUR, NOW, nothing);
    const full = NOW + HOUR / 2;
    assert.equal(usage.nextChange(NOW), full);
    const limit = { kind: 'five_hour', resetAt: NOW + 2 * HOUR };
    assert.deepEqual([usage.limitOf(one, full), usage.limitOf(other, full)], [limit, limit]);
  });

  it('report to the attempts that run that another started or ended', () => {
    const usage = filled(0);
    let changes = 0;
    usage.start({ five_hour: 0.1 }, HOUR, NOW, () => (changes += 1));
    const other = usage.start({ five_hour: 0.1 }, HOUR, NOW, nothing);
    usage.end(other, NOW);
    assert.equal(changes, 2);
  });

  it('open with the first attempt after a reset, for their whole length', () => {
    const usage = filled(1);
    const later = NOW + 3 * HOUR;
    assert.deepEqual(usage.at(later), []);
    usage.start({ five_hour: 0.1 }, HOUR, later, nothing);
    assert.deepEqual(usage.at(later), [{ window: 'five_hour', utilization: 0, resetAt: later + 5 * HOUR }]);
  });

  it('open again at their reset if an attempt runs then', () => {
    const usage = filled(0.2);
    usage.start({ five_hour: 0.8 }, 4 * HOUR, NOW, nothing);
    assert.equal(usage.nextChange(NOW), NOW + 2 * HOUR);
    const [window] = usage.at(NOW + 3 * HOUR);
    assert.deepEqual([window?.utilization.toFixed(6), window?.resetAt], ['0.200000', NOW + 7 * HOUR]);
  });

  it('are as long as the account has them', () => {
    const usage = new SimulatedUsage(OPEN_GATE, NOW, { five_hour: 1000, seven_day: 2000 });
    usage.start({ five_hour: 1 }, HOUR, NOW, nothing);
    assert.equal(usage.at(NOW)[0]?.resetAt, NOW + 1000);
  });

  it('name the limit that is reached first', () => {
    const usage = filled(0.9, 'seven_day');
    const share = usage.start({ five_hour: 2, seven_day: 0.5 }, HOUR, NOW, nothing);
    assert.equal(usage.limitOf(share, usage.nextChange(NOW))?.kind, 'seven_day');
  });

  it('stay as they are, and stop nothing, for an attempt of which nothing is known', () => {
    const usage = filled(1);
    const share = usage.start({}, HOUR, NOW, nothing);
    assert.equal(usage.limitOf(share, NOW + HOUR), null);
    assert.equal(usage.nextChange(NOW), Infinity);
  });
});
