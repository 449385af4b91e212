import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness, EVENING } from '../../cliHarness';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 22:00. */
const RESET = EVENING + 4 * HOUR_MS;

let cli: CliHarness;

function prepareEach(): void {
  beforeEach(async () => {
    cli = new CliHarness();
    cli.write('1,high,.,Do it,pending,,,no,,0,3', '2,critical,.,At once,pending,,,no,,0,3');
    cli.installClaude('ok');
    await cli.call('trust');
  });
  afterEach(() => cli.remove());
}

/** Reports fill levels of the usage windows, as an attempt does. */
async function reportUsage(five: number, week = 0.3): Promise<void> {
  const usage = [
    { window: 'seven_day', utilization: week, resetAt: EVENING + 40 * HOUR_MS },
    { window: 'five_hour', utilization: five, resetAt: RESET },
  ] as const;
  await (await cli.openGateOfClaude()).report({ signal: null, usage });
}

/** Lines of `usage` about the usage windows. */
async function lines(): Promise<string[]> {
  return (await cli.call('usage')).out.split('\n').filter((line) => /^(5-hour|weekly|Reserve)/.test(line));
}

describe('The usage of the account', () => {
  prepareEach();

  it('is shown with its age, and as a minimum once other devices may have used more', async () => {
    await reportUsage(0.42);
    cli.now += 12 * MINUTE_MS;
    assert.deepEqual(await lines(), [
      '5-hour usage window: 42 % used, resets 22:00 (reported 12 min ago)',
      'weekly usage window: 30 % used, resets 2026-11-22 10:00 (reported 12 min ago)',
    ]);
    cli.now += 2 * HOUR_MS;
    assert.equal(
      (await lines())[0],
      '5-hour usage window: 42 % used, resets 22:00 (reported 2 h 12 min ago; other devices may have used more since)',
    );
  });

  it('has in JSON whether a task may start, and why not', async () => {
    const ask = async (): Promise<readonly [boolean, string | null]> => {
      const { mayStart, reason } = JSON.parse((await cli.call('usage', '--json')).out) as {
        readonly mayStart: boolean;
        readonly reason: string | null;
      };
      return [mayStart, reason];
    };
    assert.deepEqual(await ask(), [true, null]);
    const signal = { kind: 'five_hour', resetAt: RESET, message: 'limit' } as const;
    await (await cli.openGateOfClaude()).report({ signal, usage: [] });
    const [mayStart, reason] = await ask();
    assert.equal(mayStart, false);
    assert.match(reason ?? '', /^The gate is closed.* 22:00/);
  });

  it('is 0 after the reset of a window', async () => {
    await reportUsage(0.996);
    cli.now = RESET;
    assert.equal(
      (await lines())[0],
      '5-hour usage window: new since 22:00 (last reported 4 h ago: 99 % used)',
    );
    cli.now = EVENING + 41 * HOUR_MS;
    assert.match((await lines())[1] ?? '', /^weekly usage window: new since 10:00 /);
  });

  it('is marked if its reset cannot be true', async () => {
    await reportUsage(0.4);
    cli.now -= 24 * HOUR_MS;
    assert.match((await lines())[0] ?? '', /^5-hour usage window: unknown: .* is too far ahead/);
  });

  it('is in the status too, above the tasks', async () => {
    await reportUsage(0.42);
    const { out } = await cli.call('status');
    assert.match(
      out,
      /\. The gate is open; .*\n5-hour usage window: 42 % used, .*\nweekly usage window: 30 % used, .*\n(.*\n)*. 1 {2}/,
    );
  });

  it('is in JSON as reported, and as it counts now', async () => {
    await reportUsage(0.42);
    cli.now = RESET;
    const { usage } = await cli.status();
    const asOf = new Date(EVENING).toISOString();
    assert.deepEqual(usage.windows, [
      {
        window: 'five_hour',
        utilization: 0,
        resetAt: new Date(RESET).toISOString(),
        asOf,
        reported: 0.42,
        state: 'over',
        stale: true,
      },
      {
        window: 'seven_day',
        utilization: 0.3,
        resetAt: new Date(EVENING + 40 * HOUR_MS).toISOString(),
        asOf,
        reported: 0.3,
        state: 'running',
        stale: true,
      },
    ]);
  });
});

describe('A shown reserve', () => {
  prepareEach();

  it('keeps the last fifth of the window for critical tasks', async () => {
    cli.writeFile('config.yaml', 'reserve: 0.2\n');
    await reportUsage(0.9);
    const why =
      '90 % of the 5-hour usage window is used: the rest is reserved for critical tasks until 22:00';
    assert.deepEqual(await cli.shown(1), ['waiting', why]);
    assert.deepEqual(await cli.shown(2), ['ready', '']);
    assert.equal((await lines()).at(-1), `Reserve: ${why}.`);
    assert.equal((await cli.call('usage')).code, 0, 'a critical task may run');
    const { usage } = JSON.parse((await cli.call('usage', '--json')).out) as { usage: { reserve: unknown } };
    assert.deepEqual(usage.reserve, {
      window: 'five_hour',
      for: ['critical'],
      until: new Date(RESET).toISOString(),
    });
  });

  it('for no priority lets no task run: exit 1, until the reset', async () => {
    cli.writeFile('config.yaml', 'reserve: 0.2\nreserveFor: []\n');
    await reportUsage(0.9);
    const { code, out } = await cli.call('usage');
    assert.equal(code, 1);
    assert.doesNotMatch(out, /No task starts/, 'the line about the reserve is enough');
    assert.match((await cli.shown(2))?.[1] ?? '', /reserved for you until 22:00$/);
    cli.now = RESET;
    assert.equal((await cli.call('usage')).code, 0);
  });
});

describe('A queue whose settings let no task start', () => {
  prepareEach();

  const ask = async (): Promise<readonly [code: number, mayStart: boolean, reason: string | null]> => {
    const { code, out } = await cli.call('usage', '--json');
    const { mayStart, reason } = JSON.parse(out) as { mayStart: boolean; reason: string | null };
    return [code, mayStart, reason];
  };

  for (const [what, setting, reason] of [
    ['maxUnreviewed is reached', 'maxUnreviewed: 1', 'unreviewed: 1 of at most 1; accept or retry one'],
    ['quiet hours are for all', 'quietHours: [{ from: "17:00", to: "22:00" }]', 'quiet hours until 22:00'],
  ] as const)
    it(`exits with 1 and the reason while ${what}`, async () => {
      cli.write('1,high,.,Do it,review,,,no,,0,3', '2,critical,.,At once,pending,,,no,,0,3');
      assert.deepEqual(await ask(), [0, true, null]);
      cli.writeFile('config.yaml', `${setting}\n`);
      const [code, mayStart, shown] = await ask();
      assert.deepEqual([code, mayStart], [1, false]);
      assert.match(shown ?? '', new RegExp(`^The gate is open; .*\\. No task starts: ${reason}\\.$`));
      const { out } = await cli.call('usage');
      assert.ok(out.includes(`\nNo task starts: ${reason}.\n`), out);
    });

  it('exits with 0 while it is paused, which is not about settings', async () => {
    await cli.call('pause');
    assert.deepEqual(await ask(), [0, true, null]);
  });
});

describe('A shown leftover-capacity task', () => {
  prepareEach();

  it('has its reason to wait', async () => {
    cli.writeFile('prompts.csv', 'id,working_dir,prompt,tags\n3,.,Old papers,papers|spare\n');
    const shown = () => cli.shown(3);
    assert.deepEqual(await shown(), [
      'waiting',
      'leftover capacity: usage is not known yet: the first attempt on a subscription reports it',
    ]);
    await reportUsage(0.42);
    assert.match((await shown())?.[1] ?? '', /^leftover capacity: waits for the last hour .*, from 21:00$/);
    cli.now = RESET - HOUR_MS;
    assert.deepEqual(await shown(), ['ready', '']);
    const task = (await cli.status()).tasks.find(({ id }) => id === 3);
    assert.deepEqual([task?.['effectivePriority'], task?.['service']], ['low', null]);
  });
});

describe('A task', () => {
  prepareEach();

  /** A Claude Code that only says its version and who is signed in. */
  const installVersion = (version: string): void => {
    const claude = join(cli.folder, 'claude');
    const status = JSON.stringify({ loggedIn: true, authMethod: 'claude.ai', email: 'ann@example.org' });
    const answers = `--version) echo ${version} ;; *) echo '${status}' ;;`;
    writeFileSync(claude, `#!/bin/sh\ncase "$1" in ${answers} esac\n`);
    chmodSync(claude, 0o755);
    cli.env['CLAUDE_QUEUE_CLAUDE'] = claude;
  };

  it('cannot run without Claude Code: exit 1, and the reason', async () => {
    cli.env['CLAUDE_QUEUE_CLAUDE'] = join(cli.folder, 'missing');
    const { code, out } = await cli.call('usage');
    assert.equal(code, 1);
    assert.match(out, /^There is no program at .*missing\. Install Claude Code/m);
    assert.match((await cli.call('status')).out, /^There is no program at .*missing\. Install Claude Code/m);
  });

  it('cannot run with a Claude Code that is too old: exit 1, reported once with the fix', async () => {
    installVersion('1.0.60');
    const { code, out } = await cli.call('usage');
    assert.equal(code, 1);
    assert.deepEqual(out.match(/too old: .*/g), [
      'too old: 2.0.20 is the oldest that this program can use. Update it with "claude update".',
    ]);
    installVersion('2.1.329');
    assert.equal((await cli.call('usage')).code, 0);
  });

  it('cannot run if billing is not as chosen, also after --probe', async () => {
    installVersion('2.1.329');
    cli.env['CLAUDE_QUEUE_BILLING'] = 'api-key';
    for (const words of [['usage'], ['usage', '--probe']]) {
      const { code, out } = await cli.call(...words);
      assert.equal(code, 1, words.join(' '));
      assert.match(out, /^The gate is closed: the account has a billing problem/);
      assert.match(out, /^The setting billing asks for an API key, and there is none\./m);
    }
  });
});

describe('usage --probe', () => {
  prepareEach();

  it('frees tasks that wait for the reset, and ends no pause', async () => {
    cli.installClaude('limitWithoutEnd');
    const { code, out, err } = await cli.call('run', '--id', '1');
    assert.equal(code, 2, `${out}\n${err}`);
    assert.match((await cli.shown(1))?.[1] ?? '', /^5-hour usage window used up/);
    await cli.call('hold', '--priority', 'low');
    const probed = await cli.call('usage', '--probe');
    assert.deepEqual([probed.code, probed.out.includes('probing with one task')], [0, true]);
    assert.deepEqual(await cli.shown(1), ['ready', '']);
    assert.deepEqual(
      (await cli.status()).holds.map(({ priorities }) => priorities),
      [['low']],
    );
  });
});
