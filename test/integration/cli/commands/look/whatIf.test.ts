import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from '../../cliHarness';
import { live, MINUTE_MS } from '../../lived';

interface Compared {
  readonly assumedWorkers: number | null;
  readonly now: {
    readonly order: readonly number[];
    readonly tasks: Compared['changed']['tasks'];
  };
  readonly changed: {
    readonly order: readonly number[];
    readonly tasks: readonly {
      readonly id: number;
      readonly start: { readonly p50: string } | null;
      readonly attempts: number;
    }[];
  };
}

let cli: CliHarness;

async function compare(...args: readonly string[]): Promise<Compared> {
  const { code, out } = await cli.call('simulate', '--json', ...args);
  assert.equal(code, 0, out);
  return JSON.parse(out) as Compared;
}

describe('simulate with a change', () => {
  beforeEach(async () => {
    cli = new CliHarness();
    const old = Array.from({ length: 10 }, (_, index) => `${index + 1},low,.,Old,pending,,,no,,0,3`);
    cli.write(...old);
    await live(cli, ...old.map(() => ({ tookMs: 3 * MINUTE_MS })));
    await cli.call('add', 'First');
    await cli.call('add', 'Second');
  });
  afterEach(() => cli.remove());

  it('shows the order with another priority beside the present one', async () => {
    const { now, changed } = await compare('--priority', '12=high');
    assert.deepEqual(
      [now.order, changed.order],
      [
        [11, 12],
        [12, 11],
      ],
    );
  });

  it('has no line of more than 80 columns in a narrow terminal', async () => {
    const long = 'A task with a long title that says in many words what Claude Code should do next';
    await cli.call('add', long);
    cli.columns = 80;
    const { out } = await cli.call('simulate', '--set', 'maxPerHour=11', '--times', '2');
    assert.match(out, /\n13 +A task with a long .*…/);
    assert.deepEqual(
      out.split('\n').filter((line) => line.length > 80),
      [],
    );
  });

  it('shows what starts with another setting, and which starts differ', async () => {
    const { now, changed } = await compare('--set', 'maxPerHour=11', '--set', 'retryJitter=0');
    assert.deepEqual(
      [now.order, changed.order],
      [
        [11, 12],
        [11, 12],
      ],
    );
    const { out } = await cli.call('simulate', '--set', 'maxPerHour=11');
    assert.match(
      out,
      /^Last task likely completed: \d\d:\d\d instead of \d\d:\d\d\.\nStart later: task 12\.\n/,
    );
    assert.match(out, /Tasks that start +2 +2\n/);
    assert.match(out, /\n12 +Second +\d\d:\d\d +\d\d:\d\d/);
    assert.doesNotMatch(out, /\n11 +First/);
  });

  /** Adds tasks that can run beside each other. */
  const addInFolders = async (): Promise<void> => {
    for (const name of ['a', 'b']) {
      mkdirSync(join(cli.workspace, name));
      await cli.call('add', `In ${name}`, '--dir', name);
    }
  };

  it('gives the worker as many slots as maxRunning allows', async () => {
    await addInFolders();
    const { changed } = await compare('--set', 'maxRunning=4', '--set', 'maxPerHour=1000');
    const starts = changed.tasks.filter(({ id }) => id > 12).map(({ start }) => start?.p50);
    assert.deepEqual(starts, [new Date(cli.now).toISOString(), new Date(cli.now).toISOString()]);
  });

  it('assumes a worker that makes use of maxRunning for both forecasts, and says so', async () => {
    await addInFolders();
    const { out } = await cli.call('simulate', '--set', 'maxRunning=2');
    assert.match(
      out,
      /^Last task likely completed: .*\nStart earlier: .*\nBoth forecasts assume .*--workers 2"/,
    );
    const plain = JSON.parse((await cli.call('simulate', '--json')).out) as Compared['now'];
    const { assumedWorkers, now } = await compare('--set', 'maxRunning=2');
    assert.equal(assumedWorkers, 2);
    assert.deepEqual(now, plain);
    cli.writeFile('config.yaml', 'maxRunning: 2\n');
    const same = await compare('--set', 'maxRunning=2');
    assert.deepEqual(same.now, same.changed);
    assert.match(
      (await cli.call('simulate', '--set', 'maxRunning=2')).out,
      /^Nothing differs\.\nBoth forecasts assume "claude-queue work --workers 2"; /,
    );
  });

  it('assumes no other workers than are given, or than the pools of the queue', async () => {
    const given = ['--workers', '1', '--set', 'maxRunning=2'];
    assert.doesNotMatch((await cli.call('simulate', ...given)).out, /Both forecasts assume/);
    cli.writeFile('config.yaml', 'pools: { all: { max: 1 } }\n');
    assert.equal((await compare('--set', 'maxRunning=2')).assumedWorkers, null);
  });

  it('says that nothing differs', async () => {
    const { out } = await cli.call('simulate', '--set', 'maxPerDay=99');
    assert.match(out, /^Nothing differs\.\n/);
    assert.match(out, /\nNo task starts at another time\.\n/);
  });

  it('starts both forecasts at one moment, however long the first one takes', async () => {
    let { now } = cli;
    Object.defineProperty(cli, 'now', { get: () => (now += MINUTE_MS / 2) });
    const { out } = await cli.call('simulate', '--set', 'maxPerDay=99');
    assert.match(out, /^Nothing differs\.\n/);
  });

  it('ends attempts at another time limit', async () => {
    const { now, changed } = await compare('--set', 'taskTimeout=2m', '--set', 'retryJitter=0');
    const attemptsOf = ({ tasks }: Compared['now']): readonly (number | undefined)[] =>
      [11, 12].map((id) => tasks.find((task) => task.id === id)?.attempts);
    assert.deepEqual(
      [attemptsOf(now), attemptsOf(changed)],
      [
        [1, 1],
        [2, 2],
      ],
    );
  });

  it('changes nothing', async () => {
    const before = (await cli.call('status', '--json')).out;
    await compare('--set', 'maxRunning=2', '--priority', '12=high');
    assert.equal((await cli.call('status', '--json')).out, before);
  });

  for (const args of [
    ['--set', 'permissionMode=plan'],
    ['--set', 'selfReport=required'],
    ['--set', 'freshSessionAt=5'],
    ['--set', 'timeZone=UTC'],
    ['--set', 'verifyBefore=true'],
    ['--set', 'verifySetup=["a"]'],
    ['--set', 'nothing=1'],
    ['--set', 'maxRunning'],
    ['--priority', '12=urgent'],
    ['--priority', '99=high'],
    ['--priority', '1=critical'],
    ['--backtest', '--set', 'maxRunning=2'],
  ])
    it(`refuses ${args.join(' ')}`, async () => {
      assert.equal((await cli.call('simulate', ...args)).code, 64);
    });

  it('names a setting that is not simulated, and a task that has ended', async () => {
    const setting = await cli.call('simulate', '--set', 'selfReport=required');
    assert.match(setting.err, /selfReport is not simulated: "simulate --set" cannot show its effect\./);
    const task = await cli.call('simulate', '--priority', '1=critical');
    assert.match(task.err, /There is no task 1 that can run\./);
  });

  it('refuses a value that the setting cannot have', async () => {
    const { code, err } = await cli.call('simulate', '--set', 'maxRunning=many');
    assert.notEqual(code, 0);
    assert.match(err, /maxRunning|MAX_RUNNING/);
  });
});
