import assert from 'node:assert/strict';
import { displayWidth } from '../../../../../src/cli/output/displayWidth';
import { EVERY_END_ROWS, everyEnd, NIGHT_MS } from '../../../../support/night/everyEnd';
import { recordNight } from '../../../../support/night/recordNight';
import { composeCsv } from '../../../../support/queue/rows';
import { CliHarness } from '../../cliHarness';
import { HOUR_MS } from '../../lived';

interface NightJson {
  readonly tasks: { readonly total: number; readonly byEnd: Readonly<Record<string, number>> };
  readonly attempts: {
    readonly total: number;
    readonly byOutcome: Readonly<Record<string, number>>;
    readonly running: number;
    readonly workerDied: number;
  };
  readonly cost: { readonly usd: number | null; readonly attemptsWithoutCost: number };
  readonly needs: readonly {
    readonly task: number;
    readonly risk: string;
    readonly dependents: readonly number[];
    readonly commands: readonly string[];
  }[];
  readonly gaps: readonly { readonly causes: readonly string[]; readonly isOpen: boolean }[];
  readonly skipped: readonly { readonly task: number; readonly count: number }[];
  readonly limits: { readonly waitedMs: number; readonly reached: readonly object[] };
  readonly perTask: readonly { readonly task: number; readonly end: string; readonly diff: object | null }[];
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0);

describe('The report of a night with every outcome', () => {
  let cli: CliHarness;

  before(async () => {
    cli = new CliHarness();
    cli.writeFile('prompts.csv', composeCsv(EVERY_END_ROWS));
    const start = cli.now;
    await recordNight({ file: cli.queueFile, folder: cli.workspace, env: cli.env }, start, everyEnd(start));
    cli.now = start + NIGHT_MS;
    await cli.approve('13', '14', '16', '18');
  });

  after(() => cli.remove());

  const readNight = async (...args: readonly string[]): Promise<NightJson> => {
    const { out, code } = await cli.call('report', '--json', ...args);
    assert.equal(code, 0);
    return (JSON.parse(out) as { night: NightJson }).night;
  };

  it('has each task and each attempt in exactly one count', async () => {
    const { tasks, attempts, perTask } = await readNight();
    assert.equal(tasks.total, EVERY_END_ROWS.length);
    assert.equal(sum(tasks.byEnd), tasks.total);
    assert.equal(perTask.length, tasks.total);
    assert.deepEqual(tasks.byEnd, {
      ...{ checked: 2, unchecked: 5, accepted: 0, undone: 0, review: 2, failed: 2, stuck: 1, interrupted: 1 },
      ...{ running: 0, continues: 1, waiting: 2, cancelled: 1, removed: 1 },
    });
    assert.equal(sum(attempts.byOutcome) + attempts.running + attempts.workerDied, attempts.total);
    assert.deepEqual(attempts.byOutcome, {
      ...{ success: 9, review: 2, error: 4, transient: 1, limit: 1, blocked: 1 },
      ...{ permanent: 1, cancelled: 1, lost: 1 },
    });
  });

  it('lists what needs the user by risk, each with its commands', async () => {
    const { needs } = await readNight();
    assert.deepEqual(
      needs.map(({ task, risk }) => [task, risk]),
      [
        [3, 'failed'],
        [15, 'failed'],
        [5, 'refused'],
        [6, 'question'],
        [13, 'stuck'],
        [4, 'large'],
        [10, 'unconfirmed'],
        [8, 'unchecked'],
        [2, 'unchecked'],
        [11, 'unchecked'],
        [9, 'unapproved'],
        [12, 'unapproved'],
      ],
    );
    assert.deepEqual(needs[0]?.dependents, [13]);
    assert.deepEqual(needs[3]?.commands, ['claude-queue answer 6', 'claude-queue history 6']);
  });

  it('says why nothing ran, how long a limit was waited for, and which due times were skipped', async () => {
    const { gaps, limits, skipped } = await readNight();
    assert.deepEqual(
      gaps.map(({ causes }) => causes),
      [['nothing-due'], ['limit'], ['worker-died'], ['account', 'paused'], ['worker-died']],
    );
    assert.equal(gaps.at(-1)?.isOpen, true);
    assert.equal(limits.waitedMs, 183 * 60_000);
    assert.equal(limits.reached.length, 1);
    assert.deepEqual(
      skipped.map(({ task, count }) => [task, count]),
      [[9, 8]],
    );
  });

  it('says what is not known, and never counts it as nothing', async () => {
    const { cost, perTask } = await readNight();
    assert.equal(cost.attemptsWithoutCost, 4);
    assert.equal(perTask.find(({ task }) => task === 15)?.diff, null);
    const { out } = await cli.call('report');
    assert.match(out, /^Cost: at least \$18\.50; unknown for 4 of 21 attempts\.$/m);
    assert.match(out, /^ {2}18 {2}to be continued .* unknown +unknown$/m);
    assert.match(out, /^ {2}11 {2}not checked .* ≥ \$0\.4000 +unknown$/m);
  });

  it('starts with what to do, and fits into 80 columns', async () => {
    const { out } = await cli.call('report');
    const lines = out.split('\n');
    assert.equal(lines[0], 'No task starts until you act, 7 tasks need attention, 5 are worth a look.');
    assert.ok(lines.indexOf('Needs you') < lines.indexOf('Worth a look'));
    assert.ok(lines.indexOf('Worth a look') < lines.indexOf('Tasks'));
    assert.deepEqual(
      lines.filter((line) => displayWidth(line) > 80),
      [],
    );
    assert.match(out, /^ {6}claude-queue approve 9 12$/m);
    assert.match(out, /paused 03:20\s+to 04:40: until I am back/);
  });

  it('is Markdown on request, in which a prompt is only text', async () => {
    const { out } = await cli.call('report', '--markdown');
    assert.match(out, /^# No task starts until you act, 7 tasks need attention/);
    assert.match(out, /^- \*\*3 failed\*\*: Remove \\<b\\>feature\\<\/b\\> flags/m);
    assert.match(out, /^\| 8 \| not checked \| Add cursor pagination to GET \/orders \|/m);
    assert.match(out, /; failed 3 times; /);
    assert.match(out, /^- Since .*: a worker died .*\. No worker is running\.$/m);
    assert.doesNotMatch(out, /\.;/);
    assert.equal((await cli.call('report', '--markdown', '--json')).code, 64);
    assert.equal((await cli.call('report', '--markdown', '--by', 'day')).code, 64);
  });

  it('covers the attempts that ended since a given time', async () => {
    const { attempts, tasks } = await readNight('--since', '3h');
    assert.equal(attempts.total, 6);
    assert.equal(sum(tasks.byEnd), tasks.total);
  });

  it('has the account of the night only beside ungrouped sums', async () => {
    const { out } = await cli.call('report', '--json', '--by', 'day');
    assert.deepEqual(Object.keys(JSON.parse(out) as object), [
      'by',
      'timeZone',
      'mayLackAttempts',
      'lines',
      'total',
    ]);
  });

  it('of a night without attempts says why nothing ran', async () => {
    cli.now += 48 * HOUR_MS;
    const { attempts, gaps, cost } = await readNight('--since', '10h');
    assert.deepEqual([attempts.total, cost.usd, gaps.length], [1, null, 1]);
    const { out } = await cli.call('report', '--since', '10h');
    assert.match(out, /^1 attempt = 1 whose worker died\.$/m);
    assert.match(out, /^ {2}Since 20:00 \(10 h\): .*No worker is\s+running\.$/ms);
  });

  it('has each time of day, also long after', async () => {
    cli.now += 240 * HOUR_MS;
    const { out } = await cli.call('report', '--since', '14d');
    assert.match(
      out,
      /^ {2}Limit at \d{4}-\d\d-\d\d \d\d:\d\d: .*; next start at \d{4}-\d\d-\d\d\s+\d\d:\d\d\.$/m,
    );
    assert.deepEqual(
      out.split('\n').filter((line) => line.length > 80),
      [],
    );
    const { out: markdown } = await cli.call('report', '--since', '14d', '--markdown');
    assert.match(markdown, /^\| 1 \| checked \| .* \| \d{4}-\d\d-\d\d \d\d:\d\d \| 1 \|/m);
  });
});

describe('The report of a queue in which nothing ran', () => {
  it('says so, and why', async () => {
    const cli = new CliHarness();
    try {
      cli.write('1,high,.,First,pending,,,no,,0,3');
      await cli.call('trust');
      const { out } = await cli.call('report');
      assert.match(out, /^No attempts\.$/m);
      assert.match(out, /^1 task = 1 not started\.$/m);
      assert.match(out, /^ {2}Since .* \(1 d\): No worker is running\.$/m);
      assert.match(out, /^ {2}How full the usage windows were is unknown\.$/m);
    } finally {
      cli.remove();
    }
  });
});
