import assert from 'node:assert/strict';
import { describeSettingProblem } from '../../../../src/app/present/problems/settingProblem';
import type { World } from '../../../../src/domain/reasons/world';
import type { GateView } from '../../../../src/domain/gate/gate';
import { choose } from '../../../../src/domain/order/order';
import { lookAhead } from '../../../../src/domain/order/lookAhead';
import type { Priority } from '../../../../src/domain/task/priority';
import { readSettings, type Settings } from '../../../../src/domain/settings/settings';
import { HOUR, NOW, taskOf, worldOf } from '../surroundings';
import { gateWith, why, worldAt } from '../usedWindows';
import { explainAsText } from '../../../support/queue/shownReason';

const fifth: Partial<Settings> = { reserve: 0.2 };

function world(gate: GateView, settings: Partial<Settings> = fifth, priority: Priority = 'medium'): World {
  return worldAt(gate, [taskOf(1, {}, { priority })], settings);
}

const nearlyFull = gateWith({ five: { used: 0.9, left: 2.5 }, week: { used: 0.3, left: 80 } });

describe('A reserve', () => {
  it('keeps the last fifth of the 5-hour usage window for critical and named tasks', () => {
    const reason = why(world(nearlyFull));
    assert.deepEqual(
      [reason.state, reason.text, reason.waitsFor, reason.until, reason.atLimit],
      [
        'waiting',
        '90 % of the 5-hour usage window is used: the rest is reserved for critical tasks until 12:30',
        'machine',
        NOW + 2.5 * HOUR,
        true,
      ],
    );
    assert.equal(why(world(nearlyFull, fifth, 'critical')).state, 'ready');
  });

  it('blocks nothing while that share, or more, is left', () => {
    const seen = (used: number): string => why(world(gateWith({ five: { used, left: 2 } }))).state;
    assert.deepEqual([0, 0.5, 0.8].map(seen), ['ready', 'ready', 'ready']);
    assert.deepEqual([0.801, 1].map(seen), ['waiting', 'waiting']);
    const third = gateWith({ five: { used: 0.7, left: 2 } });
    assert.equal(
      why(world(third, { reserve: 0.3 })).state,
      'ready',
      'three tenths are left, to the last bit',
    );
  });

  it('is none by default', () => {
    assert.equal(why(world(gateWith({ five: { used: 0.99, left: 2 } }), {})).state, 'ready');
  });

  it('applies to the week too, and of two windows gives the longer wait', () => {
    const both = gateWith({ five: { used: 0.9, left: 2 }, week: { used: 0.85, left: 38 } });
    assert.match(
      why(world(both)).text,
      /^85 % of the weekly usage window is used: .* until 2026-03-04 00:00$/,
    );
  });

  it('ends with the reset, and lasts as long as the window, however old the figure is', () => {
    const old = gateWith({ five: { used: 0.9, left: 0.01, asOf: NOW - 4 * HOUR } });
    assert.equal(why(world(old)).state, 'waiting');
    assert.equal(why({ ...world(old), now: NOW + HOUR }).state, 'ready', 'of the new window nothing is used');
  });

  it('does not apply to unknown or implausible usage', () => {
    assert.equal(why(world(gateWith({}))).state, 'ready');
    const absurd = gateWith({ five: { used: 0.9, left: 30 } });
    assert.equal(why(world(absurd)).state, 'ready', 'no such window lasts for 30 hours');
  });

  it('uses the priority of the row: waiting does not change it', () => {
    const old = taskOf(1, { firstSeenAt: 0 }, { priority: 'low' });
    const seen = { ...worldOf([old], { settings: { ...fifth, reserveFor: ['high'] } }), gate: nearlyFull };
    assert.match(explainAsText(old, seen).text, /reserved for high tasks/);
  });

  it('can be for several priorities, or for none', () => {
    const several: Partial<Settings> = { ...fifth, reserveFor: ['critical', 'high'] };
    assert.equal(why(world(nearlyFull, several, 'high')).state, 'ready');
    assert.match(why(world(nearlyFull, several)).text, /reserved for critical and high tasks until/);
    const mine = world(nearlyFull, { ...fifth, reserveFor: [] }, 'critical');
    assert.match(why(mine).text, /the rest is reserved for you until 12:30$/);
  });

  it('wakes a worker at the reset, and lets critical tasks start until then', () => {
    const seen = world(nearlyFull);
    assert.equal(choose(seen), null);
    const { askAgainAt, passesByItself, atLimit } = lookAhead(seen);
    assert.deepEqual([askAgainAt, passesByItself, atLimit], [NOW + 2.5 * HOUR, true, true]);
    const tasks = [taskOf(1), taskOf(2, {}, { priority: 'critical' }), taskOf(3)];
    assert.equal(choose({ ...worldOf(tasks, { settings: fifth }), gate: nearlyFull })?.definition.id, 2);
  });

  it('does not block a task that the user names', () => {
    const seen = world(nearlyFull);
    const [task] = seen.queue.tasks;
    assert.ok(task !== undefined);
    assert.equal(explainAsText(task, seen, { time: true }).state, 'ready');
    assert.equal(explainAsText(task, seen, { unattendedRules: true }).state, 'ready');
  });

  it('is read from the settings, with errors that have an example', () => {
    const read = (values: unknown) => readSettings([{ source: 'config.yaml', scope: 'queue', values }], {});
    const { settings, problems } = read({ reserve: 0.25, reserveFor: ['high', 'CRITICAL'] });
    assert.deepEqual([problems, settings.reserve, settings.reserveFor], [[], 0.25, ['critical', 'high']]);
    assert.deepEqual(read({ reserveFor: [] }).settings.reserveFor, []);
    const wrong = (values: unknown) => read(values).problems.map(describeSettingProblem);
    assert.match(wrong({ reserve: 20 })[0] ?? '', /^reserve must be a number from 0 to 1; it is 20/);
    const rule = 'reserveFor must be a list of critical, high, medium, low, such as ["critical"]';
    assert.deepEqual(wrong({ reserveFor: ['urgent'] }), [`${rule}; it is ["urgent"].`]);
    assert.deepEqual(wrong({ reserveFor: 'critical' }), [`${rule}; it is "critical".`]);
  });
});
