import assert from 'node:assert/strict';
import type { World } from '../../../../src/domain/reasons/world';
import type { GateView } from '../../../../src/domain/gate/gate';
import { choose } from '../../../../src/domain/order/order';
import { effectivePriorityOf } from '../../../../src/domain/order/effectivePriority';
import { lookAhead } from '../../../../src/domain/order/lookAhead';
import { serviceOf } from '../../../../src/domain/order/service';
import type { Settings } from '../../../../src/domain/settings/settings';
import type { Definition } from '../../../../src/domain/task/task';
import type { TaskView } from '../../../../src/domain/queue/view';
import { DAY, HOUR, MINUTE, NOW, taskOf, worldOf } from '../surroundings';
import { gateWith, why, worldAt } from '../usedWindows';
import { explainAsText } from '../../../support/queue/shownReason';

const SPARE = { tags: ['docs', 'spare'] };

function spare(id: number, fields: Partial<Definition> = {}): TaskView {
  return taskOf(id, {}, { ...SPARE, ...fields });
}

function world(gate: GateView, settings: Partial<Settings> = {}, tasks = [spare(1)]): World {
  return worldAt(gate, tasks, settings);
}

/** Half of a week gone by, and a third of it used; the 5-hour usage window ends in as many hours. */
function calmWeek(left: number, used = 0.4): GateView {
  return gateWith({ five: { used, left }, week: { used: 0.33, left: 84 } });
}

describe('Leftover capacity', () => {
  it('is used in the last hour of a 5-hour usage window', () => {
    assert.equal(why(world(calmWeek(0.5))).state, 'ready');
    assert.equal(why(world(calmWeek(1))).state, 'ready');
    const early = why(world(calmWeek(3)));
    assert.deepEqual(
      [early.state, early.text, early.waitsFor, early.until, early.atLimit],
      [
        'waiting',
        'leftover capacity: waits for the last hour of a 5-hour usage window, from 12:00',
        'schedule',
        NOW + 2 * HOUR,
        undefined,
      ],
    );
  });

  it('is used from the configured time before the end', () => {
    assert.equal(why(world(calmWeek(1.75), { spareBefore: 2 * HOUR })).state, 'ready');
    assert.match(
      why(world(calmWeek(1), { spareBefore: 30 * MINUTE })).text,
      /the last 30 min .* from 10:30$/,
    );
  });

  it('is used only while less of the week is used than has passed', () => {
    const weekOf = (used: number) => gateWith({ five: { used: 0.2, left: 0.5 }, week: { used, left: 84 } });
    assert.equal(why(world(weekOf(0.49))).state, 'ready');
    for (const used of [0.5, 0.6]) {
      assert.equal(why(world(weekOf(used))).text, 'leftover capacity: the weekly usage is ahead of time');
    }
    assert.equal(why(world(weekOf(0.6))).until, undefined, 'until then this window has ended');
    const soon = why(world(weekOf(0.501)));
    assert.equal(soon.until, NOW + Math.round(0.001 * 7 * DAY) + 1, 'ten minutes later it is even');
  });

  it('starts tasks at the time in their reason', () => {
    for (const gate of [
      calmWeek(3),
      gateWith({ five: { used: 0, left: 0.9 }, week: { used: 0.502, left: 84 } }),
    ]) {
      const { until = 0 } = why(world(gate));
      assert.equal(why({ ...world(gate), now: until }).state, 'ready');
      assert.equal(why({ ...world(gate), now: until - 1 }).state, 'waiting');
    }
  });

  it('waits if nothing is left, or only the reserve', () => {
    assert.equal(
      why(world(calmWeek(0.5, 1))).text,
      'leftover capacity: nothing is left of the 5-hour usage window',
    );
    const kept = { reserve: 0.2 };
    assert.equal(
      why(world(calmWeek(0.5, 0.85), kept)).text,
      'leftover capacity: the rest of the 5-hour usage window is reserved',
    );
    assert.equal(why(world(calmWeek(0.5, 0.75), kept)).state, 'ready');
    const forLow: Partial<Settings> = { ...kept, reserveFor: ['low'] };
    assert.equal(why(world(calmWeek(0.5, 0.85), forLow)).state, 'waiting', 'whomever it is kept for');
  });

  it('waits without a usage report, as with an API key always', () => {
    const text = 'leftover capacity: usage is not known yet: the first attempt on a subscription reports it';
    const ended = calmWeek(-1);
    const onlyOne = gateWith({ five: { used: 0.1, left: 0.5 } });
    const absurd = gateWith({ five: { used: 0.1, left: 0.5 }, week: { used: 0.1, left: 300 } });
    for (const gate of [gateWith({}), ended, onlyOne, absurd]) {
      const reason = why(world(gate));
      assert.deepEqual([reason.text, reason.until], [text, undefined]);
    }
  });

  it('does not keep a worker of --until-empty running', () => {
    const early = lookAhead(world(calmWeek(3)));
    assert.deepEqual([early.askAgainAt, early.passesByItself, early.atLimit], [NOW + 2 * HOUR, false, false]);
    assert.equal(lookAhead(world(gateWith({}))).askAgainAt, null);
  });

  it('is used after all other tasks, whatever their rows say and however long they wait', () => {
    const old = { ...spare(1, { priority: 'critical' }) };
    const seen = world(calmWeek(0.5), {}, [old, taskOf(2, {}, { priority: 'low' })]);
    assert.equal(choose(seen)?.definition.id, 2);
    const ages = { ...seen, now: NOW + 5 * MINUTE };
    assert.equal(effectivePriorityOf(old, ages.byId, ages.settings, NOW + 90 * DAY), 'low');
    assert.equal(choose(world(calmWeek(0.5), {}, [old]))?.definition.id, 1);
  });

  it('counts as low for pools, pauses and quiet hours', () => {
    const row = spare(1, { priority: 'high' });
    const seen = world(calmWeek(0.5), {}, [row]);
    assert.equal(choose(seen, { priorities: ['high'] }), null);
    assert.equal(lookAhead(seen, { priorities: ['high'] }).askAgainAt, null, 'nor ever by waiting');
    assert.equal(choose(seen, { priorities: ['low'] })?.definition.id, 1);
    const hold = { by: 'person', why: 'the night', at: NOW, priorities: ['low'] } as const;
    const held = { ...worldOf([row], { queue: { holds: [hold] } }), gate: seen.gate };
    assert.match(explainAsText(row, held).text, /^low tasks are paused/);
    const quietHours = [{ days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 1440, priorities: ['low' as const] }];
    const quiet = { ...worldOf([row], { settings: { quietHours } }), gate: seen.gate };
    assert.match(explainAsText(row, quiet).text, /^quiet hours for low/);
  });

  it('is never late, except by a deadline of the row', () => {
    const seen = world(calmWeek(3));
    assert.equal(serviceOf(spare(1), { ...seen, now: NOW + 90 * DAY }), null);
    assert.equal(serviceOf(spare(1, { deadline: NOW - 1 }), seen)?.standing, 'violated');
  });

  it('does not apply to a task that the user names', () => {
    const seen = world(gateWith({}));
    assert.equal(explainAsText(spare(1), seen, { time: true }).state, 'ready');
    assert.equal(explainAsText(spare(1), seen, { unattendedRules: true }).state, 'ready');
  });

  it('has the configured tag, or none', () => {
    const unknown = gateWith({});
    assert.equal(why(world(unknown, { spareTag: 'docs' })).state, 'waiting');
    assert.equal(why(world(unknown, { spareTag: 'later' })).state, 'ready');
    assert.equal(why(world(unknown, { spareTag: '' })).state, 'ready');
  });
});
