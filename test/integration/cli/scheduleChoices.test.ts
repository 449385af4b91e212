import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Answer, type CliHarness, FakeKeyboard } from './cliHarness';
import { CRONTAB, installProgram, MANAGER } from '../../support/machine/schedulers';
import { openCliQueue } from './fileQueue';
import { openSchedulingCli } from './schedulers';

describe('A schedule', () => {
  let cli: CliHarness;
  let programs: string;
  let table: string;
  beforeEach(() => ({ cli, programs, table } = openSchedulingCli()));
  afterEach(() => cli.remove());

  it('is shown as unknown, not as missing, if the scheduler could not be asked', async () => {
    const unseen = `No timer is installed for ${cli.queueFile} that can be seen here: there is no crontab to ask.`;
    const { code, out } = await cli.call('schedule');
    assert.deepEqual([code, out.split('\n')[0]], [0, unseen]);
    assert.equal((await cli.call('schedule', '--remove')).out, unseen);
    installProgram(programs, 'crontab', CRONTAB);
    const seen = `No timer is installed for ${cli.queueFile}.`;
    assert.equal((await cli.call('schedule')).out.split('\n')[0], seen);
    assert.equal((await cli.call('schedule', '--remove')).out, seen);
  });

  it('needs a scheduler, and names the possible ones', async () => {
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.equal(code, 1);
    assert.match(err, /^Neither systemd nor crontab can be used here\. Install cron/);
    const named = await cli.call('schedule', '--every', '30m', '--by', 'crontab');
    assert.match(named.err, /^crontab cannot be used here: install cron/);
  });

  it('needs no crontab if this user may not use one', async () => {
    installProgram(
      programs,
      'crontab',
      "echo 'You (ken) are not allowed to use this program (crontab)' >&2; exit 1",
    );
    const none = await cli.call('schedule', '--every', '30m');
    assert.match(none.err, /^Neither systemd nor crontab can be used here\./);
    const named = await cli.call('schedule', '--every', '30m', '--by', 'crontab');
    assert.match(named.err, /^crontab cannot be used here: install cron .*, or get permission in /);
    assert.match((await cli.call('schedule')).out, /there is no crontab to ask\./);
    installProgram(programs, 'systemctl', MANAGER);
    const { code, out, err } = await cli.call('schedule', '--every', '30m');
    assert.deepEqual([code, err, out.split(',', 1)[0]], [0, '', 'Scheduled by systemd']);
    assert.match((await cli.call('schedule')).out, /^Scheduled by systemd/);
    assert.match((await cli.call('schedule', '--remove')).out, /\(was: systemd\)\.$/);
  });

  it('leaves nothing of a systemd timer that is removed without a session', async () => {
    installProgram(programs, 'systemctl', MANAGER);
    await cli.call('schedule', '--every', '30m');
    const units = join(cli.env['XDG_CONFIG_HOME'] ?? '', 'systemd', 'user');
    const wanted = join(units, 'timers.target.wants');
    mkdirSync(wanted);
    const timer = readdirSync(units).find((name) => name.endsWith('.timer')) ?? '';
    // As "systemctl enable" does.
    symlinkSync(join(units, timer), join(wanted, timer));
    cli.env['REFUSED'] = 'show-environment';
    assert.match((await cli.call('schedule', '--remove')).out, /\(was: systemd\)\.$/);
    assert.deepEqual([readdirSync(wanted), readdirSync(units)], [[], ['timers.target.wants']]);
  });

  it('is not removed from a crontab that this user may not use any more: cron still starts it', async () => {
    installProgram(programs, 'crontab', CRONTAB);
    await cli.call('schedule', '--every', '30m');
    installProgram(
      programs,
      'crontab',
      "echo 'You (ken) are not allowed to use this program (crontab)' >&2; exit 1",
    );
    const { code, err } = await cli.call('schedule', '--remove');
    assert.notEqual(code, 0);
    assert.match(err, /not allowed to use this program/);
    const queue = await openCliQueue(cli);
    assert.equal((await queue.read()).timer?.by, 'crontab');
    await queue.close();
  });

  it('needs an absolute path of Claude Code', async () => {
    installProgram(programs, 'crontab', CRONTAB);
    cli.env['CLAUDE_QUEUE_CLAUDE'] = join(dirname(table), 'nothing');
    const { code } = await cli.call('schedule', '--every', '30m');
    assert.equal(code, 1);
    assert.equal(existsSync(table), false);
  });

  it('reports parts of a cron expression that not every cron supports', async () => {
    const { code, err } = await cli.call('schedule', '--cron', '0 9 L * *');
    assert.equal(code, 64);
    assert.match(err, /^In "0 9 L \* \*", "L" is not supported by every cron: a field is/);
  });

  for (const [answer, cron] of [
    ['4', '0 0,9,18 * * * and 30 4,13,22 * * *'],
    ['5', '0 */5 * * *'],
    ['6', '0 9-18 * * 1-5'],
    ['15 3 * * *', '15 3 * * *'],
  ] as const) {
    it(`is chosen on a terminal by answering ${answer}`, async () => {
      installProgram(programs, 'crontab', CRONTAB);
      const { out } = await answerWith(answer);
      assert.match(out, /^4\) every 4\.5h\n5\) every 5h\n6\) every hour from 9 to 18/m);
      assert.ok(out.includes(`Scheduled by crontab, by this machine's clock: ${cron}\n`), out);
    });
  }

  it('is not installed when the answer is empty', async () => {
    installProgram(programs, 'crontab', CRONTAB);
    const { code } = await answerWith('');
    assert.equal(code, 0);
    assert.equal(existsSync(table), false);
  });

  /** Calls `schedule` on a terminal, and answers what it asks. */
  function answerWith(answer: string): Promise<Answer> {
    const keyboard = new FakeKeyboard();
    cli.keyboard = keyboard;
    cli.onLine = (text) => {
      if (text.startsWith('Install which?')) setImmediate(() => keyboard.press(`${answer}\n`));
    };
    return cli.call('schedule');
  }

  for (const wrong of [
    ['--every', '20m'],
    ['--cron', '* * * *'],
    ['--cron', '0 9 31 2 *'],
    ['--cron', '61 * * * *'],
    ['--cron', '@daily'],
    ['--weekdays', '--every', '1h'],
    ['--remove', '--weekdays'],
    ['--remove', '--by', 'crontab'],
  ]) {
    it(`refuses "${wrong.join(' ')}"`, async () => {
      installProgram(programs, 'crontab', CRONTAB);
      assert.equal((await cli.call('schedule', ...wrong)).code, 64);
      assert.equal(existsSync(table), false);
    });
  }
});
