import assert from 'node:assert/strict';
import type { Forecast, TaskForecast } from '../../../../../src/app/simulate/forecast';
import { drawTonight } from '../../../../../src/editor/pages/tonight/tonightHtml';
import { markup } from '../../../../../src/editor/pages/html';
import { expected, forecastOf } from '../../../../support/night/forecasts';
import { HOUR, MINUTE, NOW, paint } from '../../../../support/queue/viewModels';

const MOMENT = { now: NOW, timeZone: 'UTC' };

function draw(tasks: readonly TaskForecast[], more: Partial<Forecast> = {}): string {
  const none = { html: markup``, hasFocus: false };
  return drawTonight(forecastOf(tasks, more), MOMENT, none).source;
}

/** Left ends and widths of the bars, of 1000. */
const barsOf = (html: string): string[] =>
  [...html.matchAll(/<rect class="(\w+)" x="(\d+)"[^>]* width="(\d+)"/g)].map(
    ([, name, x, width]) => `${name} ${x}+${width}`,
  );

describe('The page of a forecast', () => {
  it('says in its title how many tasks start, and when all are likely done', () => {
    assert.match(draw([expected()]), /<h1[^>]*>1 task will start; likely finished by \d\d:\d\d</);
    assert.match(draw([expected({ start: null, end: null })]), /<h1[^>]*>No task will start by /);
  });

  it('draws each task as a bar to its likely end, with a tail to its end in 80 of 100 nights', () => {
    // The axis ends with the last end, in 90 minutes.
    assert.deepEqual(barsOf(draw([expected()])), ['tail 778+222', 'likely 667+111']);
  });

  it('gives each bar a hover with its times and the reason of its wait', () => {
    const { reason } = expected();
    const html = draw([expected({ reason: { ...reason, state: 'waiting', text: '4 before it' } })]);
    assert.match(
      html,
      /<g><title>Starts: 19:00\nCompleted: 19:10 to 19:30\nWhy not earlier: 4 before it<\/title><rect/,
    );
  });

  it('draws a usage limit as a band behind each bar until its reset, and names the tasks before it', () => {
    const at = { p50: NOW + 45 * MINUTE, p80: NOW + 75 * MINUTE };
    const until = { p50: NOW + 3 * HOUR, p80: null };
    const html = draw([expected()], { limitTimes: [{ window: 'five_hour', at, until, before: [1, 4] }] });
    assert.deepEqual(barsOf(html), ['limit 500+500', 'tail 778+222', 'likely 667+111']);
    const text =
      'The 5-hour usage window is used up about 18:45 to 19:15, and resets about 21:00 or later; before that: tasks 1, 4.';
    assert.ok(html.includes(`<p>${text}</p>`));
    assert.ok(html.includes(`<title>${text}</title>`));
  });

  it('draws a deadline across the bar, and says it beside the risk and in the hover', () => {
    const html = draw([expected({ deadline: NOW + 75 * MINUTE, late: 0.4 })]);
    // 75 of the 90 minutes of the axis.
    assert.match(html, /<line class="deadline" x1="833" x2="833"/);
    assert.match(html, /data-name="Risk">late in 40 %, deadline 19:15</);
    assert.match(html, /\nDeadline: 19:15<\/title>/);
  });

  it('only says a deadline that is not on the axis', () => {
    for (const minutes of [-30, 180]) {
      const html = draw([expected({ deadline: NOW + minutes * MINUTE })]);
      assert.doesNotMatch(html, /class="deadline"/);
      assert.match(html, minutes < 0 ? />deadline 17:30</ : />deadline 21:00</);
    }
  });

  it('says the same in words', () => {
    const html = draw([expected()]);
    assert.match(
      html,
      /<td data-name="Starts">\d\d:\d\d<\/td><td data-name="Completed">\d\d:\d\d to \d\d:\d\d<\/td><td class="end" data-name="Attempts">1<\/td><td class="risk" data-name="Risk"><\/td>/,
    );
    assert.match(html, /Cost: \$1\.50 to \$2\.00\./);
    assert.match(html, /Usage limits reached: 1\./);
    const costUsd = { p50: 6.5136, p80: 8.1451 };
    assert.match(draw([expected()], { costUsd }), /Cost: \$6\.51 to \$8\.15\./);
  });

  it('shows no time and no bar while the history is too short', () => {
    const html = draw([expected()], { isTimeKnown: false, isUsageKnown: false });
    assert.deepEqual(barsOf(html), []);
    assert.match(html, /1 task will start; times are unknown/);
    assert.match(html, /"Starts">unknown<\/td><td data-name="Completed">unknown<\/td>/);
    assert.doesNotMatch(html, /Cost:|Usage limits reached/);
  });

  it('lists each task once that the user can settle before: approvals, then likely reviews and missed deadlines', () => {
    const [unapproved] = paint([{}], { approvedRows: { trusted: false, approvals: new Set() } }).tasks;
    assert.ok(unapproved);
    const tasks = [
      expected({ needsUser: 0.5 }),
      expected({ id: 2, late: 0.4 }),
      expected({ id: 3, needsUser: 0.1 }),
      expected({ id: 4, start: null, end: null, late: 1, reason: unapproved.reason }),
    ];
    const html = draw(tasks, { reviews: [{ id: 3, text: 'It may ask.' }] });
    const [list = ''] = /<ul class="settle">.*?<\/ul>/s.exec(html) ?? [];
    assert.deepEqual(
      [...list.matchAll(/<p class="warning">(.*?)<\/p>/g)].map(([, text]) => text),
      [
        'Waits for your approval. Likely late in 100 %.',
        'It may ask.',
        'Likely needs attention in 50 %.',
        'Likely late in 40 %.',
      ],
    );
    assert.match(list, /data-action="approve" data-value="4"/);
  });

  it('says which worker it assumes, and why a task does not start earlier', () => {
    const { reason } = expected();
    const html = draw([expected({ reason: { ...reason, state: 'waiting', text: '4 before it' } })], {
      assumedWorker: { from: NOW, timer: null },
    });
    assert.match(html, /<p>No worker is running: assumes one from now on\.<\/p>/);
    assert.match(html, /<td class="words" data-name="Why not earlier">4 before it<\/td><\/tr>/);
  });

  it('gives the reason of each task that does not start', () => {
    const { reason } = expected();
    const html = draw([expected({ start: null, end: null, reason: { ...reason, state: 'dead', text: '' } })]);
    assert.match(html, /Will Not Start<\/h2>.*<td class="words">failed<\/td>/s);
  });

  it('escapes what a prompt says', () => {
    assert.match(draw([expected()]), /Count &lt;b&gt;stars/);
  });
});
