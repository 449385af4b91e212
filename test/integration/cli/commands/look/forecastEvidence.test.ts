import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from '../../cliHarness';
import { openCliQueue, registerWorker, startAttempt } from '../../fileQueue';
import { HOUR_MS, live, MINUTE_MS } from '../../lived';

describe('simulate without enough evidence', () => {
  let cli: CliHarness;
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  /** Attempts that each use a tenth of the 5-hour usage window, and a task that is still to run. */
  async function liveAttempts(count: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
    const resetAt = cli.now + 5 * HOUR_MS;
    cli.write(...rows);
    await live(
      cli,
      ...rows.map((_, index) => ({
        tookMs: 3 * MINUTE_MS,
        usage: [{ window: 'five_hour' as const, utilization: (index + 1) / 20, resetAt }],
      })),
    );
    await cli.call('add', 'Next');
  }

  async function read(): Promise<{ usageKnown: boolean; limits: unknown; unlessUnchanged: unknown }> {
    const { out } = await cli.call('simulate', '--json', '--times', '2');
    return JSON.parse(out) as { usageKnown: boolean; limits: unknown; unlessUnchanged: unknown };
  }

  it('does not say that no usage limit comes while each attempt is assumed to use nothing', async () => {
    await liveAttempts(9);
    const { usageKnown, limits } = await read();
    assert.deepEqual([usageKnown, limits], [false, null]);
    const { out } = await cli.call('simulate', '--times', '2');
    assert.match(
      out,
      /\nUsage limits are not simulated: too few attempts have reported how much they used\./,
    );
    assert.doesNotMatch(out, /Usage limits reached/);
  });

  it('counts usage limits from the tenth attempt on', async () => {
    await liveAttempts(10);
    const { usageKnown, limits } = await read();
    assert.deepEqual([usageKnown, limits], [true, { p50: 0, p80: 0 }]);
  });

  it('says of which tasks it counts runs that may be skipped as unchanged', async () => {
    cli.write('1,low,.,Once,pending,,,no,,0,3');
    await cli.call('add', 'Watch', '--every', '1h', '--unless-unchanged', 'true');
    await cli.call('trust');
    assert.deepEqual((await read()).unlessUnchanged, [2]);
    const { out } = await cli.call('simulate', '--times', '2');
    assert.match(out, /\nCounted as runs: due times that task 2 may skip as unchanged\./);
  });

  it('skips due times as unchanged as often as the past did, and says so', async () => {
    cli.write('1,low,.,Once,pending,,,no,,0,3');
    await live(cli, { tookMs: MINUTE_MS });
    await cli.call('add', 'Watch', '--every', '1h', '--unless-unchanged', 'true');
    await cli.call('trust');
    const queue = await openCliQueue(cli);
    const claim = await startAttempt(cli, queue, { pid: cli.now, startedAt: 'then' });
    const [from, to] = [cli.now, cli.now + 11 * HOUR_MS];
    const skip = { skipped: { why: 'unchanged', from, to, count: 12 }, dueAt: to + HOUR_MS } as const;
    await queue.release(claim, 'unchanged', 'skip', skip);
    await queue.close();
    cli.now = to + MINUTE_MS;
    const { out } = await cli.call('simulate', '--times', '2');
    // Only the first run, which is at no due time of the interval.
    assert.match(out, /\n2 {3}Watch +unknown +unknown +1 /);
    assert.match(out, /\nSkipped as unchanged as often as in the past: due times of task 2\./);
    assert.doesNotMatch(out, /Counted as runs/);
  });
});

describe('simulate in a narrow terminal', () => {
  it('has what is long below each task, whole, and no line of more than 80 columns', async () => {
    const cli = new CliHarness();
    try {
      cli.columns = 80;
      cli.write('1,high,.,First,pending,,,no,,0,3');
      await cli.call('trust');
      const long = 'A task with a long title that says in many words what Claude Code should do next';
      await cli.call('add', long, '--dir', 'a-folder-with-a-long-name', '--after', '1');
      await cli.call('cancel', '1');
      const { out } = await cli.call('simulate', '--times', '2');
      assert.deepEqual(
        out.split('\n').filter((line) => line.length > 80),
        [],
      );
      assert.match(out, /\n2 {3}A task with a long title.*… {2}stuck\n {6}waits for 1 \(cancelled\)\n/);
      cli.columns = 200;
      assert.match(
        (await cli.call('simulate', '--times', '2')).out,
        /… {2}stuck {11}waits for 1 \(cancelled\)\n/,
      );
    } finally {
      cli.remove();
    }
  });
});

describe('simulate after a worker died', () => {
  it('starts its task anew, from now on, instead of letting it run', async () => {
    const cli = new CliHarness();
    try {
      const rows = Array.from({ length: 10 }, (_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
      cli.write(...rows);
      await live(cli, ...rows.map(() => ({ tookMs: 3 * MINUTE_MS })));
      await cli.call('add', 'Cut short');
      const queue = await openCliQueue(cli);
      const dead = { pid: 4_194_000, startedAt: 'then' };
      await startAttempt(Object.assign(Object.create(cli) as CliHarness, { self: () => dead }), queue, dead);
      await queue.close();
      cli.now += 3 * HOUR_MS;
      const { out } = await cli.call('simulate', '--json', '--times', '2');
      const { tasks } = JSON.parse(out) as {
        tasks: { id: number; start: object; end: object; attempts: number; reason: string }[];
      };
      const both = (ms: number): object => {
        const time = new Date(cli.now + ms).toISOString();
        return { p50: time, p80: time };
      };
      const { start, end, attempts, reason } = tasks.find(({ id }) => id === 11) ?? assert.fail();
      assert.deepEqual([start, end, attempts], [both(0), both(3 * MINUTE_MS), 1]);
      assert.match(reason, /^worker 42 died during the attempt;/);
    } finally {
      cli.remove();
    }
  });
});

describe('The expected starts of a status and of a forecast', () => {
  let cli: CliHarness;
  beforeEach(async () => {
    cli = new CliHarness();
    const rows = Array.from({ length: 10 }, (_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
    cli.write(...rows);
    await live(cli, ...rows.map(() => ({ tookMs: 3 * MINUTE_MS })));
    cli.writeFile('config.yaml', 'maxRunning: 2\n');
    for (const [name, priority] of [
      ['a', 'low'],
      ['b', 'high'],
    ] as const) {
      mkdirSync(join(cli.workspace, name));
      await cli.call('add', `In ${name}`, '--dir', name, '--priority', priority);
    }
  });
  afterEach(() => cli.remove());

  interface Shown {
    readonly tasks: readonly {
      readonly expectedStart?: string;
      readonly start?: { readonly p50: string } | null;
    }[];
  }

  /** Starts of both waiting tasks, in minutes from now, by `status` and by `simulate`, while such a worker runs. */
  async function startsWith(how: Parameters<typeof registerWorker>[3], stop = false): Promise<unknown> {
    const queue = await openCliQueue(cli);
    await registerWorker(cli, queue, undefined, how);
    await queue.close();
    if (stop) await cli.call('stop');
    cli.now += MINUTE_MS;
    const [status, forecast] = [await cli.call('status', '--json'), await cli.call('simulate', '--json')].map(
      ({ out }) =>
        (JSON.parse(out) as Shown).tasks.slice(-2).map(({ expectedStart, start }) => {
          const at = expectedStart ?? start?.p50;
          return at === undefined ? null : Math.round((Date.parse(at) - cli.now) / MINUTE_MS);
        }),
    );
    return { status, forecast };
  }

  it('are those of a worker that runs one task after another', async () => {
    assert.deepEqual(await startsWith({}), { status: [3, 0], forecast: [3, 0] });
  });

  it('are at once with as many tasks as the worker runs in parallel', async () => {
    const starts = await startsWith({ slots: { min: 2, max: 2 } });
    assert.deepEqual(starts, { status: [0, 0], forecast: [0, 0] });
  });

  it('are unknown for a task that the worker does not take', async () => {
    const starts = await startsWith({ takes: { priorities: ['high'] } });
    assert.deepEqual(starts, { status: [null, 0], forecast: [null, 0] });
  });

  it('are unknown in a status once the worker was asked to stop; a forecast is of the next worker', async () => {
    assert.deepEqual(await startsWith({}, true), { status: [null, null], forecast: [3, 0] });
  });
});
