import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from '../../cliHarness';
import { openCliQueue, registerWorker } from '../../fileQueue';
import type { WindowUsage } from '../../../../../src/domain/gate/gate';
import { HOUR_MS, live, MINUTE_MS } from '../../lived';

interface Range {
  readonly p50: string | null;
  readonly p80: string | null;
}

interface Simulated {
  readonly timesKnown: boolean;
  readonly tasks: readonly {
    readonly id: number;
    readonly start: Range | null;
    readonly end: Range | null;
    readonly attempts: number;
    readonly late: number | null;
    readonly shown: string;
    readonly reason: string;
  }[];
  readonly order: readonly number[];
  readonly assumedWorker: { readonly from: string; readonly timer: string | null } | null;
  readonly limitTimes: readonly unknown[] | null;
  readonly reviews: unknown;
  readonly costUsd: unknown;
  readonly isCostPartial: boolean;
}

let cli: CliHarness;

async function simulate(...args: readonly string[]): Promise<Simulated> {
  const { code, out } = await cli.call('simulate', '--json', ...args);
  assert.equal(code, 0, out);
  return JSON.parse(out) as Simulated;
}

/** Ten attempts of other tasks, of three minutes each. */
async function liveBefore(): Promise<void> {
  const rows = Array.from({ length: 10 }, (_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
  cli.write(...rows);
  await live(cli, ...rows.map(() => ({ tookMs: 3 * MINUTE_MS })));
}

describe('simulate', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it('shows the order, and no times while the history is too short', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3', '2,high,.,Second,pending,,,no,,0,3');
    await cli.call('trust');
    const { timesKnown, order, tasks } = await simulate();
    assert.deepEqual([timesKnown, order], [false, [2, 1]]);
    assert.deepEqual(tasks[0]?.start, { p50: null, p80: null });
    const { out } = await cli.call('simulate');
    assert.match(out, /^2 of 2 tasks start by /);
    assert.match(out, /\n2 +Second +unknown +unknown +1\n1 +First +unknown +unknown +1 +1 before it\n/);
    assert.match(out, /Times are unknown: fewer than 10 attempts of this queue have ended\./);
  });

  it('shows times from the history: one task after another, dependencies later', async () => {
    await liveBefore();
    await cli.call('add', 'Now');
    await cli.call('add', 'Then', '--after', '11');
    const { tasks, order, timesKnown } = await simulate();
    assert.deepEqual([timesKnown, order], [true, [11, 12]]);
    const [, then] = tasks.filter(({ id }) => id > 10);
    assert.equal(then?.start?.p50, new Date(cli.now + 3 * MINUTE_MS).toISOString());
    assert.equal(then.end?.p80, new Date(cli.now + 6 * MINUTE_MS).toISOString());
  });

  it('starts no task that is pending again by the file alone', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3');
    for (const command of ['approve', 'approve --all', 'cancel 1']) await cli.call(...command.split(' '));
    cli.write('1,low,.,First,pending,,,no,,0,3');
    assert.deepEqual((await simulate()).order, []);
  });

  it('does not count an attempt as free that is like one without a cost', async () => {
    const night = async (...costs: readonly (number | undefined)[]): Promise<readonly unknown[]> => {
      cli.remove();
      cli = new CliHarness();
      const rows = costs.map((_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
      cli.write(...rows);
      await live(
        cli,
        ...costs.map((costUsd) => ({ tookMs: MINUTE_MS, ...(costUsd === undefined ? {} : { costUsd }) })),
      );
      for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) await cli.call('add', name);
      const { costUsd, isCostPartial } = await simulate();
      return [costUsd, isCostPartial, /^Cost: .*/m.exec((await cli.call('simulate')).out)?.[0]];
    };
    const ten = <T>(value: T): T[] => Array.from({ length: 10 }, () => value);
    assert.deepEqual(await night(...ten(1)), [{ p50: 8, p80: 8 }, false, 'Cost: $8.00.']);
    assert.deepEqual((await night(...ten(0.7)))[0], { p50: 5.6, p80: 5.6 });
    assert.deepEqual(await night(...ten(undefined)), [null, true, undefined]);
    const [, isPartial, text] = await night(...ten(1), ...ten(undefined));
    assert.equal(isPartial, true);
    assert.match(String(text), /^Cost: at least \$\d/);
  });

  it('does not call a task late while times are unknown', async () => {
    cli.write('1,critical,.,First,pending,,,no,,0,3');
    await cli.call('trust');
    const { tasks } = await simulate();
    assert.equal(tasks[0]?.late, null);
    assert.doesNotMatch((await cli.call('simulate')).out, /late in/);
  });

  it('calls a task late that has not ended by its deadline, also if it does not start', async () => {
    await liveBefore();
    const deadline = new Date(cli.now + 60 * MINUTE_MS).toISOString();
    await cli.call('add', 'Held', '--deadline', deadline);
    await cli.call('pause', '--priority', 'medium');
    const { tasks } = await simulate();
    assert.deepEqual(tasks.map(({ id, late }) => [id, late]).at(-1), [11, 1]);
    assert.match((await cli.call('simulate')).out, /\n11 +Held +waiting .* late in 100 %\n/);
  });

  it('stops at the limit of unreviewed tasks, and says so', async () => {
    cli.env['CLAUDE_QUEUE_MAX_UNREVIEWED'] = '1';
    cli.write('1,low,.,First,pending,,,no,,0,3', '2,low,.,Second,pending,,,no,,0,3');
    await cli.call('trust');
    const { tasks, order } = await simulate();
    assert.deepEqual(order, [1]);
    assert.equal(tasks[1]?.reason, 'unreviewed: 1 of at most 1; accept or retry one');
  });

  it('gives the reason for which a task does not start before the end, not the one at the end', async () => {
    cli.env['CLAUDE_QUEUE_MAX_PER_DAY'] = '1';
    cli.write('1,low,.,First,pending,,,no,,0,3', '2,low,.,Second,pending,,,no,,0,3');
    await cli.call('trust');
    const { tasks } = await simulate();
    const [, second] = tasks;
    assert.deepEqual([second?.start, second?.shown], [null, 'waiting']);
    assert.match(second?.reason ?? '', /^at most 1 a day, next at /);
  });

  it('says of a task that is only not reached how many are before it', async () => {
    await liveBefore();
    for (const name of ['A', 'B', 'C']) await cli.call('add', name);
    const until = new Date(cli.now + 5 * MINUTE_MS).toISOString().slice(11, 16);
    const { tasks } = await simulate('--until', until);
    assert.equal(tasks.find(({ id }) => id === 13)?.reason, `not reached by ${until}, 2 before it`);
  });

  it('gives the longest wait of a task that starts later as its reason', async () => {
    await liveBefore();
    await cli.call('add', 'Now');
    await cli.call('add', 'After', '--after', '11');
    await cli.call('add', 'In line');
    const at = new Date(cli.now + 90 * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ');
    await cli.call('add', 'Later', '--at', at);
    const { tasks } = await simulate();
    assert.deepEqual(
      tasks.filter(({ id }) => id > 10).map(({ id, shown, reason }) => [id, shown, reason]),
      [
        [11, 'ready', ''],
        [12, 'blocked', 'waits for 11'],
        [13, 'waiting', '2 before it'],
        [14, 'scheduled', `not before ${at.slice(11)}`],
      ],
    );
  });

  it('says that it assumes a worker from now on while none is running', async () => {
    await liveBefore();
    await cli.call('add', 'Now');
    const { assumedWorker } = await simulate();
    assert.deepEqual(assumedWorker, { from: new Date(cli.now).toISOString(), timer: null });
    assert.match((await cli.call('simulate')).out, /\nNo worker is running: assumes one from now on\.\n/);
    const queue = await openCliQueue(cli);
    await registerWorker(cli, queue);
    await queue.close();
    assert.equal((await simulate()).assumedWorker, null);
  });

  it('starts with the next worker of a timer, and says so', async () => {
    await liveBefore();
    await cli.call('add', 'Now');
    const queue = await openCliQueue(cli);
    await queue.recordTimer({ by: 'crontab', crons: ['0 * * * *'] }, 'timer');
    await queue.close();
    const { assumedWorker, tasks } = await simulate();
    const next = Math.floor(cli.now / HOUR_MS + 1) * HOUR_MS;
    assert.equal(tasks.at(-1)?.start?.p50, new Date(next).toISOString());
    assert.deepEqual(assumedWorker, { from: new Date(next).toISOString(), timer: 'crontab' });
    const { out } = await cli.call('simulate');
    assert.match(out, /\nNo worker is running: assumes one from \d\d:\d\d on, by the timer \(crontab\)\.\n/);
  });

  it('says when a usage limit comes, until when, and what starts before it', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
    cli.write(...rows);
    // Two usage windows. Four and a half attempts fill one.
    const windowOf = (index: number): WindowUsage => ({
      window: 'five_hour',
      utilization: ((index % 4) + 1) / 4.5,
      resetAt: cli.now + (5 * Math.floor(index / 4) + 5) * HOUR_MS,
    });
    await live(cli, ...rows.map((_, index) => ({ tookMs: 3 * MINUTE_MS, usage: [windowOf(index)] })));
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) await cli.call('add', name);
    const { limitTimes } = await simulate('--times', '3');
    const both = (ms: number): object => {
      const time = new Date(cli.now + ms).toISOString();
      return { p50: time, p80: time };
    };
    assert.deepEqual(limitTimes, [
      {
        window: 'five_hour',
        at: both(13.5 * MINUTE_MS),
        until: both(5 * HOUR_MS),
        before: [11, 12, 13, 14, 15],
      },
    ]);
    assert.match(
      (await cli.call('simulate', '--times', '3')).out,
      /\nThe 5-hour usage window is used up about .* and resets about .*; before that: tasks 11, 12, 13, 14, 15\.\n/,
    );
  });

  it('reviews the prompts of the tasks that start, before everything else', async () => {
    cli.write('1,low,.,Ask me which,pending,,,no,,0,3', '2,low,.,Right,pending,,,no,,0,3');
    await cli.call('trust');
    const text = 'The prompt of task 1 may ask for an answer ("Ask me"). Nobody may be there to give it.';
    assert.deepEqual((await simulate()).reviews, [{ id: 1, text }]);
    const { out } = await cli.call('simulate');
    assert.ok(out.indexOf(text) > 0 && out.indexOf(text) < out.indexOf('id  prompt'));
  });

  it('says that no pool takes a task', async () => {
    cli.writeFile('config.yaml', 'pools:\n  fast: { priorities: [high] }\n');
    cli.write('1,low,.,First,pending,,,no,,0,3');
    await cli.call('trust');
    const [task] = (await simulate()).tasks;
    assert.deepEqual([task?.shown, task?.reason], ['waiting', 'no worker takes it']);
  });

  it('says why a task does not start', async () => {
    cli.write('1,low,.,Unapproved,pending,,,no,,0,3');
    await cli.call('add', 'Blocked', '--after', '1');
    await cli.call('add', 'Later', '--at', '2030-01-01 00:00');
    const { tasks, order } = await simulate();
    assert.deepEqual(order, []);
    assert.deepEqual(
      tasks.map(({ shown, start }) => [shown, start]),
      [
        ['unapproved', null],
        ['blocked', null],
        ['scheduled', null],
      ],
    );
  });

  it('lists a task that starts in a few of the nights, also the first, among those that do not start', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
    cli.write(...rows);
    await live(cli, ...rows.map((_, index) => ({ tookMs: (index === 3 ? 3 : 90) * MINUTE_MS })));
    await cli.call('add', 'Before');
    await cli.call('add', 'Rarely');
    const until = new Date(cli.now + 60 * MINUTE_MS).toISOString().slice(11, 16);
    assert.match(
      (await cli.call('simulate', '--until', until)).out,
      /^1 of 2 tasks start by .*^12 +Rarely +waiting +not reached by \d\d:\d\d, 1 before it/ms,
    );
  });

  it('runs in parallel as many tasks as it is told', async () => {
    await liveBefore();
    cli.writeFile('config.yaml', 'maxRunning: 2\n');
    for (const name of ['a', 'b']) {
      mkdirSync(join(cli.workspace, name));
      await cli.call('add', `In ${name}`, '--dir', name);
    }
    const { tasks } = await simulate('--workers', '2');
    const [one, two] = tasks.filter(({ id }) => id > 10);
    assert.equal(one?.start?.p50, two?.start?.p50);
  });

  it('says that rows with problems are left out', async () => {
    cli.write('1,low,.,Right,pending,,,no,,0,3', '2,urgent,.,Wrong,pending,,,no,,0,3');
    await cli.call('trust');
    const { out } = await cli.call('simulate', '--times', '1');
    assert.match(out, /^1 of 1 tasks start by /);
    assert.match(out, /Left out: rows with problems \(1\)\.\nSimulated once\./);
  });

  it('gives status the expected starts while a worker runs', async () => {
    await liveBefore();
    await cli.call('add', 'Now');
    await cli.call('add', 'Then');
    const expected = async (): Promise<unknown> => {
      const { out } = await cli.call('status', '--json');
      const { tasks } = JSON.parse(out) as { readonly tasks: readonly Record<string, unknown>[] };
      return tasks.at(-1)?.['expectedStart'];
    };
    assert.equal(await expected(), null);
    const queue = await openCliQueue(cli);
    await registerWorker(cli, queue);
    await queue.close();
    const start = new Date(cli.now + 3 * MINUTE_MS).toISOString();
    assert.equal(await expected(), start);
    const { out } = await cli.call('status');
    assert.match(out, new RegExp(`^ {2}12 +ready +\\S+ +Then +starts about ${start.slice(11, 16)}$`, 'm'));
  });

  it('gives status the starts of the next 50 tasks while more wait', async () => {
    await liveBefore();
    cli.write(...Array.from({ length: 60 }, (_, index) => `${index + 11},low,.,New,pending,,,no,,0,3`));
    await cli.call('trust');
    const queue = await openCliQueue(cli);
    await registerWorker(cli, queue);
    await queue.close();
    cli.env['CLAUDE_QUEUE_MAX_PER_HOUR'] = '100';
    const { out } = await cli.call('status', '--json');
    const { tasks } = JSON.parse(out) as { readonly tasks: readonly Record<string, unknown>[] };
    const known = tasks.filter(({ expectedStart }) => expectedStart !== null);
    assert.deepEqual([tasks.length, known.length], [60, 50]);
    assert.equal(known[1]?.['expectedStart'], new Date(cli.now + 3 * MINUTE_MS).toISOString());
  });

  it('changes nothing', async () => {
    await liveBefore();
    await cli.call('add', 'Now');
    const before = (await cli.call('status', '--json')).out;
    await simulate();
    assert.equal((await cli.call('status', '--json')).out, before);
  });

  it('never runs the check of a row', async () => {
    await liveBefore();
    const made = join(cli.folder, 'made');
    await cli.call('add', 'Checked', '--verify', JSON.stringify(['/usr/bin/touch', made]));
    const { order } = await simulate();
    assert.deepEqual([order, existsSync(made)], [[11], false]);
  });

  it('refuses a time that has passed or is far ahead, and numbers that are none or too large', async () => {
    cli.write('1,low,.,First,pending,,,no,,0,3');
    assert.equal((await cli.call('simulate', '--until', '2020-01-01 00:00')).code, 64);
    assert.equal((await cli.call('simulate', '--workers', 'many')).code, 64);
    assert.equal((await cli.call('simulate', '--until', '2027-06-01 00:00')).code, 64);
    assert.equal((await cli.call('simulate', '--times', '1001')).code, 64);
  });
});
