import assert from 'node:assert/strict';
import { Crontab } from '../../../../../src/app/schedule/crontab';
import type { Entry } from '../../../../../src/app/schedule/scheduler';
import { readTiming } from '../../../../../src/app/schedule/timing';
import { SystemdTimers } from '../../../../../src/app/schedule/systemd';
import type { Scheduler } from '../../../../../src/app/schedule/scheduler';
import {
  FIRST_CHOICE,
  OWN_TIMES,
  readChosenTimes,
} from '../../../../../src/editor/pages/schedule/scheduleChoice';
import {
  drawOwnTimes,
  drawSchedule,
  type ScheduleFacts,
  type SchedulePreview,
} from '../../../../../src/editor/pages/schedule/scheduleHtml';

const QUEUE = '/home/ken/<tide>/prompts.csv';
const ENTRY: Entry = {
  queueFile: QUEUE,
  times: readTiming({ every: '30m' }) ?? [],
  command: ['/opt/claude-queue', '--queue', QUEUE, 'work'],
  environment: { PATH: '/bin' },
  log: '/state/1.log',
};
const FACTS: ScheduleFacts = {
  queueFile: QUEUE,
  installed: [],
  unseen: [],
  kinds: ['systemd', 'crontab'],
  log: '/state/1.log',
  scripts: [],
  warnings: [],
  unapproved: 0,
  moment: { now: Date.parse('2026-11-24T22:10:00Z'), timeZone: 'UTC' },
};
const TIMER = { kind: 'crontab', crons: ['*/30 * * * *'] };

const nothing = (): Promise<null> => Promise.resolve(null);
const SYSTEMD = new SystemdTimers(nothing, '/units');
const CRONTAB = new Crontab(nothing);

const planned = (scheduler: Scheduler): SchedulePreview => ({
  kind: 'planned',
  key: 'k1',
  planned: { scheduler, entry: ENTRY },
  steps: scheduler.stepsOf(ENTRY),
});
const draw = (
  facts: Partial<ScheduleFacts> = {},
  preview: SchedulePreview = planned(CRONTAB),
  note: string | null = null,
): string => drawSchedule({ ...FACTS, ...facts }, FIRST_CHOICE, preview, note).source;
const titles = (html: string): string[] => [...html.matchAll(/<h2>([^<]*)/g)].map(([, title]) => title ?? '');
const buttons = (html: string): string[] =>
  [...html.matchAll(/<button class="(?:main|other)" data-action="(\w+)"/g)].map(([, action]) => action ?? '');

describe('The page of a schedule', () => {
  it('says that there is no timer, and offers only to install one', () => {
    const html = draw();
    assert.match(html, /data-focus>No timer is installed for \/home\/ken\/&lt;tide&gt;\/prompts\.csv\.</);
    assert.deepEqual(titles(html), ['Install a Timer']);
    assert.deepEqual(buttons(html), ['install']);
  });

  it('says when an installed timer starts the worker next, and offers to replace or remove it', () => {
    const html = draw({ installed: [TIMER] });
    assert.match(html, /Scheduled by crontab, by this machine&#39;s clock: \*\/30 \* \* \* \*\.</);
    assert.match(html, /<p>Next start: 22:30\.<\/p>/);
    assert.deepEqual(titles(html), ['Replace the Timer']);
    assert.deepEqual(buttons(html), ['remove', 'install']);
  });

  it('says why a timer does not start the worker', () => {
    const html = draw({ installed: [{ ...TIMER, trouble: 'its timer is not active: install it again' }] });
    assert.match(html, /class="warning">But its timer is not active: install it again\.</);
    assert.doesNotMatch(html, /Next start/);
  });

  it('shows each text with its place, and each command, before anything is written', () => {
    const html = draw({}, planned(SYSTEMD));
    const places = [...html.matchAll(/Written to <code>([^<]*)/g)].map(([, place]) => place);
    assert.match(
      places.join(' '),
      /^\/units\/claude-queue-\w{16}\.service \/units\/claude-queue-\w{16}\.timer$/,
    );
    assert.match(html, /^ExecStart=&quot;\/opt\/claude-queue&quot; .*&lt;tide&gt;/m);
    assert.match(html, /^OnCalendar=\*-\*-\* \*:00,30:00$/m);
    assert.match(html, />systemctl --user daemon-reload\n.* enable .*\n.* restart /);
  });

  it('shows the line of the crontab, and the timer of another scheduler that is removed', () => {
    const html = draw({ installed: [{ ...TIMER, kind: 'systemd' }] });
    assert.match(html, />\*\/30 \* \* \* \* PATH=&#39;\/bin&#39; &#39;\/opt\/claude-queue&#39; /);
    assert.match(html, /<p>The timer of systemd is removed\.<\/p>/);
    assert.doesNotMatch(draw({ installed: [TIMER] }), /is removed/);
  });

  it('cannot install what is refused, and says why', () => {
    const html = draw({}, { kind: 'refused', message: 'There is no <cron>.' });
    assert.match(html, /class="warning" role="status">There is no &lt;cron&gt;\.</);
    assert.deepEqual(buttons(html), []);
  });

  it('asks for the permission mode before anything can be installed', () => {
    assert.deepEqual(buttons(draw({}, { kind: 'no-mode' })), ['mode']);
  });

  it('offers to remove the lines of the scripts, which it shows', () => {
    const html = draw({ scripts: ['0 * * * * /home/ken/queue_manager.sh'] });
    assert.match(html, />0 \* \* \* \* \/home\/ken\/queue_manager\.sh<\/pre>/);
    assert.deepEqual(buttons(html), ['removeScripts', 'install']);
  });

  it('says what a scheduled worker does not do or have', () => {
    assert.match(draw({ unapproved: 2 }), /2 tasks wait for approval and will not run until then\./);
    assert.match(draw({ warnings: ['A key is not stored.'] }), /class="warning">A key is not stored\.</);
  });

  it('offers a scheduler only where there are two', () => {
    assert.match(draw(), /data-action="by"><option value="systemd">systemd \(recommended\)/);
    assert.doesNotMatch(draw({ kinds: ['crontab'] }), /data-action="by"/);
  });

  it('says what just happened', () => {
    assert.match(draw({}, planned(CRONTAB), 'Installed.'), /class="note" role="status">Installed\.</);
  });
});

describe('The choice on the page of a schedule', () => {
  it('is every 30 minutes at first', () => {
    assert.deepEqual(
      readChosenTimes(FIRST_CHOICE).map(({ text }) => text),
      ['*/30 * * * *'],
    );
  });

  it('has a field for a cron expression only if the user chose that', () => {
    assert.equal(drawOwnTimes(FIRST_CHOICE).source, '');
    const own = { ...FIRST_CHOICE, timing: OWN_TIMES, cron: '5 4 * * "' };
    assert.match(drawOwnTimes(own).source, /<input data-action="cron" value="5 4 \* \* &quot;"/);
  });

  for (const [cron, message] of [
    ['', /^Type a cron expression/],
    ['61 * * * *', /is not a valid cron expression/],
    ['0 9 L * *', /"L" is not supported by every cron/],
  ] as const)
    it(`refuses the cron expression "${cron}" with its reason`, () => {
      assert.throws(() => readChosenTimes({ ...FIRST_CHOICE, timing: OWN_TIMES, cron }), { message });
    });

  it('refuses a choice that the page does not offer', () => {
    assert.throws(() => readChosenTimes({ ...FIRST_CHOICE, timing: '99' }), { message: /^Choose when/ });
  });
});
