import assert from 'node:assert/strict';
import { FORECAST_SETTINGS, type Changes } from '../../../../../src/app/simulate/whatIf';
import { SETTINGS } from '../../../../../src/domain/settings/settingList';
import {
  addChoice,
  chooseSubject,
  dropChange,
  FIRST_CHOICE,
  keyOfPriority,
  listChanges,
  NO_CHANGES,
  valuesOf,
} from '../../../../../src/editor/pages/tonight/whatIfChoice';
import { drawValue, drawWhatIf } from '../../../../../src/editor/pages/tonight/whatIfHtml';
import { isProblem } from '../../../../../src/domain/problem';
import { expected, forecastOf } from '../../../../support/night/forecasts';
import { HOUR, NOW } from '../../../../support/queue/viewModels';

const MOMENT = { now: NOW, timeZone: 'UTC' };

const TWO = addChoice(NO_CHANGES, { subject: 'maxRunning', value: ' 2 ' });

function draw(changes: Changes, later: number): string {
  const at = (range: { readonly p50: number; readonly p80: number }): typeof range => ({
    p50: range.p50 + later,
    p80: range.p80 + later,
  });
  const now = forecastOf([expected()]);
  const start = at({ p50: NOW + HOUR, p80: NOW + HOUR });
  const then = forecastOf([expected({ start, end: at({ p50: NOW + 2 * HOUR, p80: NOW + 3 * HOUR }) })]);
  return drawWhatIf(now, FIRST_CHOICE, changes, { now, then }, MOMENT).source;
}

describe('What-if on the page of a forecast', () => {
  it('offers the settings of the queue that a forecast depends on, and the priority of each task that can run', () => {
    const tasks = [expected(), expected({ id: 2, hasEnded: true })];
    const html = drawWhatIf(forecastOf(tasks), FIRST_CHOICE, NO_CHANGES, null, MOMENT).source;
    const options = [...html.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
    const shared = SETTINGS.filter(({ scope }) => scope === 'queue').map(({ name }) => name as string);
    const known = FORECAST_SETTINGS.filter((name) => shared.includes(name));
    assert.ok(known.length > 20);
    assert.deepEqual(options.toSorted(), [...known, keyOfPriority(1)].toSorted());
    assert.match(html, /Count &lt;b&gt;stars/);
    assert.doesNotMatch(html, /class="sentence"/);
  });

  it('says first what differs, and has the focus there', () => {
    const [first] = /<p [^>]*>.*?<\/p>/.exec(draw(TWO, HOUR)) ?? [];
    assert.equal(
      first,
      '<p class="sentence" tabindex="-1" data-focus>Last task likely completed: 21:00 instead of 19:10.</p>',
    );
  });

  it('has each task that differs twice, as it is and with the changes, on one axis', () => {
    const html = draw(TWO, HOUR);
    const [now, then] = [...html.matchAll(/<rect class="likely" x="(\d+)"/g)].map(([, x]) => Number(x));
    assert.ok(now !== undefined && then !== undefined && now < then);
    assert.match(html, /<th scope="row">As it is<\/th>.*"Starts">19:00<\/td>/s);
    assert.match(html, /<th scope="row">With the changes<\/th>.*"Starts">20:00<\/td>/s);
  });

  it('lists each change with a button that drops it', () => {
    assert.match(
      draw(TWO, HOUR),
      /data-action="drop" data-value="maxRunning" aria-label="Remove maxRunning: 2"/,
    );
  });

  it('escapes the value of a change', () => {
    const changes = addChoice(NO_CHANGES, { subject: 'spareTag', value: '<img>' });
    assert.match(draw(changes, 0), /<code>spareTag: &lt;img&gt;<\/code>/);
    assert.match(
      drawValue({ subject: 'spareTag', value: '"><img>' }).source,
      /value="&quot;&gt;&lt;img&gt;"/,
    );
  });

  it('offers the values of a choice, and takes its first one', () => {
    const choice = chooseSubject(FIRST_CHOICE, 'missedRuns');
    assert.equal(choice.value, valuesOf('missedRuns')?.[0]);
    assert.match(drawValue(choice).source, /^<select data-action="value"/);
    assert.match(drawValue(FIRST_CHOICE).source, /^<input data-action="value" value="2"/);
    assert.equal(chooseSubject(FIRST_CHOICE, FIRST_CHOICE.subject), FIRST_CHOICE);
  });

  it('replaces an earlier value, and drops a change', () => {
    const three = addChoice(TWO, { subject: 'maxRunning', value: '3' });
    const both = addChoice(three, { subject: keyOfPriority(4), value: 'high' });
    assert.deepEqual(
      listChanges(both).map(({ text }) => text),
      ['maxRunning: 3', 'priority of task 4: high'],
    );
    assert.deepEqual(dropChange(dropChange(both, 'maxRunning'), keyOfPriority(4)), NO_CHANGES);
  });

  for (const [subject, value] of [
    ['claudePath', '/bin/sh'],
    ['openAfterReset', '1h'],
    ['__proto__', '1'],
    ['priority x', 'high'],
    ['priority 1', 'urgent'],
    ['maxRunning', ' '],
  ] as const)
    it(`refuses the message ${subject} = "${value}"`, () => {
      assert.throws(
        () => addChoice(NO_CHANGES, { subject, value }),
        (error) => isProblem(error, 'usage'),
      );
    });
});
