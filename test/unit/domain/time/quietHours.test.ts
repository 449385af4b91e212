import assert from 'node:assert/strict';
import { describeSettingProblem } from '../../../../src/app/present/problems/settingProblem';
import { parseTime } from '../../../../src/domain/time/localTime';
import type { Priority } from '../../../../src/domain/task/priority';
import { findQuiet, readQuietHours, type QuietHours } from '../../../../src/domain/time/quietHours';
import { taskOf, worldOf } from '../surroundings';
import { explainAsText } from '../../../support/queue/shownReason';

const BERLIN = 'Europe/Berlin';

function hours(...entries: readonly Readonly<Record<string, unknown>>[]): readonly QuietHours[] {
  const read = readQuietHours(entries);
  assert.ok('value' in read, JSON.stringify(read));
  return read.value;
}

function at(text: string, timeZone = BERLIN): number {
  const time = parseTime(text, timeZone);
  assert.ok(time !== null);
  return time;
}

/** When it is quiet no longer; null where it is not quiet then. */
function until(quiet: readonly QuietHours[], time: string, priority: Priority = 'low'): string | null {
  const found = findQuiet(quiet, priority, at(time), BERLIN);
  if (found === null) return null;
  return found.until === null ? 'always' : new Date(found.until).toISOString().slice(0, 16);
}

function wrong(value: unknown): string {
  const read = readQuietHours(value);
  assert.ok('wrong' in read, JSON.stringify(read));
  const fault = { kind: 'wrong-value', setting: 'quietHours', wrong: read.wrong } as const;
  return describeSettingProblem({ source: 'config.yaml', name: 'quietHours', fault });
}

describe('Quiet hours', () => {
  it('block starts from their start to just before their end', () => {
    const quiet = hours({ from: '09:00', to: '18:00' });
    assert.equal(until(quiet, '2026-11-20 08:59'), null);
    assert.equal(until(quiet, '2026-11-20 09:00'), '2026-11-20T17:00');
    assert.equal(until(quiet, '2026-11-20 17:59'), '2026-11-20T17:00');
    assert.equal(until(quiet, '2026-11-20 18:00'), null);
  });

  it('apply only to their priorities', () => {
    const quiet = hours({ from: '09:00', to: '18:00', priorities: ['low', 'medium'] });
    assert.equal(until(quiet, '2026-11-20 12:00', 'medium'), '2026-11-20T17:00');
    assert.equal(until(quiet, '2026-11-20 12:00', 'high'), null);
  });

  it('can span midnight, and belong to the day on which they start', () => {
    const quiet = hours({ from: '22:00', to: '06:00', days: 'mon-fri' });
    assert.equal(until(quiet, '2026-11-20 23:00'), '2026-11-21T05:00', 'Friday night');
    assert.equal(until(quiet, '2026-11-21 05:59'), '2026-11-21T05:00', 'Saturday, before dawn');
    assert.equal(until(quiet, '2026-11-21 23:00'), null, 'Saturday night');
    assert.equal(until(quiet, '2026-11-23 05:00'), null, 'Monday, before dawn: it did not begin on Sunday');
  });

  it('are on their days, also over the end of the week', () => {
    const quiet = hours({ from: '00:00', to: '24:00', days: 'fri-sun, wed' });
    assert.deepEqual(
      ['16', '17', '18', '19'].map((day) => until(quiet, `2026-11-${day} 12:00`) !== null),
      [false, false, true, false],
      'Monday to Thursday',
    );
    assert.equal(until(quiet, '2026-11-20 12:00'), '2026-11-22T23:00', 'Friday to the end of Sunday');
  });

  it('that follow each other without a gap are one', () => {
    const quiet = hours({ from: '09:00', to: '12:00' }, { from: '11:30', to: '14:00' });
    assert.equal(until(quiet, '2026-11-20 09:30'), '2026-11-20T13:00');
  });

  it('that never end are reported so, whichever hours they are made of', () => {
    const whole = [{ from: '00:00', to: '24:00' }];
    const halves = [
      { from: '06:00', to: '18:00' },
      { from: '18:00', to: '06:00' },
    ];
    const hourly = Array.from({ length: 24 }, (_, hour) => ({
      from: `${String(hour)}:00`,
      to: `${String(hour + 1)}:00`,
    }));
    for (const entries of [whole, halves, hourly]) {
      for (const time of ['2026-11-20 09:30', '2026-03-27 09:30', '2026-10-24 09:30']) {
        assert.deepEqual(findQuiet(hours(...entries), 'low', at(time), BERLIN), {
          until: null,
          isForAll: true,
        });
      }
    }
  });

  it('are for all also if they name each priority', () => {
    const named = hours({ from: '09:00', to: '18:00', priorities: ['low', 'medium', 'high', 'critical'] });
    assert.deepEqual(named, hours({ from: '09:00', to: '18:00' }));
  });

  it('of nearly a week have their end', () => {
    const quiet = hours(
      { from: '00:00', to: '24:00', days: 'mon-sat' },
      { from: '00:00', to: '23:00', days: 'sun' },
    );
    assert.equal(until(quiet, '2026-11-16 00:00'), '2026-11-22T22:00');
  });

  it('follow local time on the day on which clocks go forward', () => {
    const night = hours({ from: '22:00', to: '06:00' });
    assert.equal(until(night, '2026-03-28 23:00'), '2026-03-29T04:00', 'seven hours, not eight');
    const skipped = hours({ from: '02:30', to: '05:00' });
    assert.equal(findQuiet(skipped, 'low', Date.parse('2026-03-29T00:59Z'), BERLIN), null, '01:59');
    assert.notEqual(findQuiet(skipped, 'low', Date.parse('2026-03-29T01:00Z'), BERLIN), null, '03:00');
    const toSkipped = hours({ from: '01:00', to: '02:30' });
    assert.equal(until(toSkipped, '2026-03-29 01:30'), '2026-03-29T01:00', 'until the change');
    assert.equal(until(toSkipped, '2026-03-29 03:00'), null);
    const allSkipped = hours({ from: '02:15', to: '02:45' });
    for (const time of ['01:59', '03:00', '03:15', '03:44']) {
      assert.equal(until(allSkipped, `2026-03-29 ${time}`), null, time);
    }
  });

  it('follow local time on the day on which clocks go back', () => {
    const night = hours({ from: '22:00', to: '06:00' });
    assert.equal(until(night, '2026-10-24 23:00'), '2026-10-25T05:00', 'nine hours, not eight');
    const doubled = hours({ from: '02:15', to: '02:45' });
    const quietAt = (time: string): boolean => findQuiet(doubled, 'low', Date.parse(time), BERLIN) !== null;
    assert.equal(quietAt('2026-10-25T00:30Z'), true, 'the first 02:30');
    assert.equal(quietAt('2026-10-25T01:30Z'), false, 'the second one');
  });

  it('are the reason of a task, with priorities and end', () => {
    const reported = (priority: Priority, entry: Readonly<Record<string, unknown>>): string => {
      const task = taskOf(1, {}, { priority });
      const reason = explainAsText(task, worldOf([task], { settings: { quietHours: hours(entry) } }));
      return `${reason.state} (${reason.waitsFor}): ${reason.text}`;
    };
    const day = { from: '09:00', to: '18:00' };
    assert.equal(reported('low', day), 'waiting (schedule): quiet hours until 18:00');
    const low = { ...day, priorities: ['low'] };
    assert.equal(reported('low', low), 'waiting (schedule): quiet hours for low until 18:00');
    assert.equal(reported('high', low), 'ready (nothing): ');
    const always = { from: '00:00', to: '24:00' };
    assert.equal(reported('low', always), 'waiting (schedule): quiet hours, always');
    assert.equal(
      reported('low', { ...always, priorities: ['medium', 'low'] }),
      'waiting (schedule): quiet hours for low, always',
    );
  });

  it('use the priority of the row, not the promoted one', () => {
    const quietHours = hours({ from: '09:00', to: '18:00', priorities: ['low'] });
    const old = taskOf(1, { firstSeenAt: 0 }, { priority: 'low' });
    assert.equal(explainAsText(old, worldOf([old], { settings: { quietHours } })).state, 'waiting');
  });

  it('do not block a task that the user names', () => {
    const quietHours = hours({ from: '09:00', to: '18:00' });
    const task = taskOf(1);
    const world = worldOf([task], { settings: { quietHours } });
    assert.equal(explainAsText(task, world, { time: true }).state, 'ready');
    assert.equal(explainAsText(task, world, { unattendedRules: true }).state, 'ready');
  });
});

describe('Invalid quiet hours', () => {
  it('are reported with their place and an example', () => {
    const day = { from: '09:00', to: '18:00' };
    assert.match(wrong(day), /^quietHours must be a list, such as \[\{"from": "09:00"/);
    assert.match(wrong([day, 'night']), /^quietHours entry 2: must be names with values/);
    assert.equal(
      wrong([{ from: '9', to: '18:00' }]),
      'quietHours entry 1: from must be a time of day, such as "09:00"; it is "9".',
    );
    assert.match(wrong([{ from: '09:00' }]), /entry 1: to must be a time of day.*it is nothing/);
    assert.match(wrong([{ from: '09:60', to: '10:00' }]), /time of day/);
    assert.match(wrong([{ from: '09:00', to: '24:01' }]), /time of day/);
    assert.match(wrong([{ from: '24:00', to: '01:00' }]), /from must be before 24:00/);
    assert.match(wrong([{ from: '09:00', to: '09:00' }]), /a whole day is "00:00" to "24:00"/);
    assert.match(wrong([{ ...day, days: 'weekdays' }]), /days such as mon-fri or "sat,sun"/);
    assert.match(wrong([{ ...day, days: '' }]), /days such as mon-fri/);
    assert.match(wrong([{ ...day, days: 'mon-tue-wed' }]), /days such as mon-fri/);
    assert.match(wrong([{ ...day, priorities: [] }]), /priorities must be a list of critical, high/);
    assert.match(wrong([{ ...day, priorities: ['urgent'] }]), /it is \["urgent"\]/);
    assert.match(wrong([{ ...day, priority: 'low' }]), /has no "priority". It may have from, to, days/);
  });
});
