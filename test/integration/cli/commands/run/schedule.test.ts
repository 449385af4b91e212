import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { queueKey } from '../../../../../src/account/approvals';
import type { CliHarness } from '../../cliHarness';
import { CRONTAB, installProgram, LAUNCHCTL, MANAGER } from '../../../../support/machine/schedulers';
import { openSchedulingCli } from '../../schedulers';

let cli: CliHarness;
let programs: string;
let table: string;

function prepareEach(): void {
  beforeEach(() => ({ cli, programs, table } = openSchedulingCli()));
  afterEach(() => cli.remove());
}

const install = (name: string, code: string): void => installProgram(programs, name, code);

function asked(): string[] {
  const file = join(cli.folder, 'asked');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

const log = (queueFile = cli.queueFile): string =>
  join(cli.folder, 'state', 'claude-queue', 'schedules', `${queueKey(queueFile)}.log`);

describe('A queue with a crontab entry', () => {
  prepareEach();

  beforeEach(() => install('crontab', CRONTAB));

  const CHOICES = [
    [['--every', '15m'], '*/15 * * * *'],
    [['--every', '30m'], '*/30 * * * *'],
    [['--every', '1h'], '0 * * * *'],
    [['--weekdays'], '0 9-18 * * 1-5'],
    [['--cron', '5  4 1 jan-mar *'], '5 4 1 jan-mar *'],
  ] as const;
  for (const [options, cron] of CHOICES) {
    it(`is started at ${cron} after "schedule ${options.join(' ')}"`, async () => {
      const { code, out, err } = await cli.call('schedule', ...options);
      assert.deepEqual([code, err], [0, '']);
      assert.equal(out.split('\n')[0], `Scheduled by crontab, by this machine's clock: ${cron}`);
      assert.ok(readFileSync(table, 'utf8').startsWith(`${cron} PATH=`));
      const shown = await cli.call('schedule');
      assert.equal(shown.code, 0);
      assert.equal(shown.out.split('\n')[0], `Scheduled by crontab, by this machine's clock: ${cron}`);
    });
  }

  it('is started at each of several times', async () => {
    const { out } = await cli.call('schedule', '--cron', '5 1 * * *', '--cron', '5 2 * * *');
    assert.match(out, /^Scheduled by crontab, by this machine's clock: 5 1 \* \* \* and 5 2 \* \* \*$/m);
    assert.deepEqual(readFileSync(table, 'utf8').match(/^5 \d \* \* \*/gm), ['5 1 * * *', '5 2 * * *']);
  });

  it('says of a recorded timer that is not there any more', async () => {
    await cli.call('schedule', '--every', '15m');
    writeFileSync(table, '');
    const { code, err } = await cli.call('schedule');
    assert.equal(code, 1);
    assert.match(err, /^A timer of crontab is recorded for this queue, and it is not there any more\. /m);
    await cli.call('schedule', '--remove');
    assert.deepEqual([(await cli.call('schedule')).code, (await cli.call('schedule')).err], [0, '']);
  });

  it('lists unapproved tasks, since nobody can be asked at its start', async () => {
    const { out } = await cli.call('schedule', '--every', '15m');
    assert.match(
      out,
      /^1 task waits for approval and will not run on this machine until then: "claude-queue approve"/m,
    );
    await cli.approve('1');
    assert.doesNotMatch((await cli.call('schedule', '--every', '15m')).out, /approval/);
  });

  it('has one line after each choice, and none after --remove', async () => {
    await cli.call('schedule', '--every', '15m');
    await cli.call('schedule', '--weekdays');
    const lines = readFileSync(table, 'utf8').trimEnd().split('\n');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^0 9-18 \* \* 1-5 /);
    const { out } = await cli.call('schedule', '--remove');
    assert.equal(out, `Removed the schedule for ${cli.queueFile} (was: crontab).`);
    assert.equal(readFileSync(table, 'utf8'), '');
    assert.match((await cli.call('schedule')).out, /^No timer is installed for .*\nChoose --every 30m/);
    assert.match((await cli.call('schedule', '--remove')).out, /^No timer is installed for/);
  });

  it('keeps every other line, byte for byte', async () => {
    const before = Buffer.concat([
      Buffer.from('# my own\r\n\n\tMAILTO=""\n*/5 * * * * /bin/true # claude-queue-0123456789abcdef\n'),
      Buffer.from([0x23, 0xff, 0xfe, 0x0a]),
      Buffer.from('0 1 * * * echo "日本" \\% no end'),
    ]);
    writeFileSync(table, before);
    await cli.call('schedule', '--every', '30m');
    const during = readFileSync(table);
    assert.deepEqual(during.subarray(0, before.length), before);
    await cli.call('schedule', '--every', '1h');
    await cli.call('--queue', 'other.csv', 'init');
    await cli.call('--queue', 'other.csv', 'schedule', '--every', '1h');
    await cli.call('schedule', '--remove');
    await cli.call('--queue', 'other.csv', 'schedule', '--remove');
    assert.deepEqual(readFileSync(table), Buffer.concat([before, Buffer.from('\n')]));
  });

  it('keeps its own line if the user commented it out', async () => {
    await cli.call('schedule', '--every', '30m');
    const commented = `#${readFileSync(table, 'utf8')}`;
    writeFileSync(table, commented);
    assert.match((await cli.call('schedule')).out, /^No timer is installed/);
    await cli.call('schedule', '--remove');
    assert.equal(readFileSync(table, 'utf8'), commented);
  });

  it('changes nothing if the crontab cannot be read', async () => {
    writeFileSync(table, '0 1 * * * mine\n');
    cli.env['CRONTAB_BROKEN'] = '1';
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.deepEqual([code, err], [1, '"crontab -l" failed: crontab: the spool cannot be read']);
    assert.equal(readFileSync(table, 'utf8'), '0 1 * * * mine\n');
  });

  it('writes no keys and no other environment variables into the crontab', async () => {
    const paying = { ANTHROPIC_API_KEY: 'made-up-key', CLAUDE_CODE_USE_BEDROCK: '1' };
    Object.assign(cli.env, { ...paying, OTHER: 'x', CLAUDE_QUEUE_MAX_PER_HOUR: '7' });
    cli.env['PATH'] = `${programs}:relative::${programs}:/usr/bin`;
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.equal(code, 0);
    assert.match(err, /^ANTHROPIC_API_KEY and CLAUDE_CODE_USE_BEDROCK are set here .* billed to it\.$/);
    const line = readFileSync(table, 'utf8');
    assert.ok(line.includes(` PATH='${programs}:/usr/bin' XDG_STATE_HOME='`), line);
    assert.ok(line.includes(" CLAUDE_QUEUE_MAX_PER_HOUR='7' "), line);
    assert.doesNotMatch(line, /made-up-key|BEDROCK|OTHER/);
    assert.equal(statSync(log()).mode & 0o777, 0o600);
  });

  it('warns that it does not store proxy, gateway and model', async () => {
    cli.env['ANTHROPIC_MODEL'] = 'opus';
    const one = await cli.call('schedule', '--every', '1h');
    assert.match(
      one.err,
      /^ANTHROPIC_MODEL is set here and not stored in a schedule\. .*"env" in your settings/,
    );
    const reached = { https_proxy: 'http://me:secret@proxy.test', ANTHROPIC_BASE_URL: 'https://gate.test' };
    Object.assign(cli.env, { ...reached, NO_PROXY: '' });
    const { code, err } = await cli.call('schedule', '--every', '1h');
    assert.equal(code, 0);
    assert.match(err, /^https_proxy and ANTHROPIC_BASE_URL and ANTHROPIC_MODEL are set here and not stored/);
    assert.doesNotMatch(readFileSync(table, 'utf8'), /secret|gate\.test|opus/);
  });

  it('writes no secret of callbacks into the crontab', async () => {
    cli.env['CLAUDE_QUEUE_CALLBACK_SECRET'] = 'a-secret-of-many-letters';
    cli.env['CLAUDE_QUEUE_CALLBACK_URL'] = 'https://hook.test/secret-topic';
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.equal(code, 0);
    assert.match(
      err,
      /^CLAUDE_QUEUE_CALLBACK_SECRET and CLAUDE_QUEUE_CALLBACK_URL are set here and not stored/,
    );
    assert.doesNotMatch(readFileSync(table, 'utf8'), /secret|CALLBACK/i);
  });

  it('can be in a folder of any name, quoted for sh', async () => {
    const folder = `it's 100% "odd" $HOME \`x\` & * ; 日本`;
    mkdirSync(join(cli.workspace, folder));
    const queue = join(cli.workspace, folder, 'q.csv');
    await cli.call('--queue', queue, 'init');
    writeFileSync(
      join(cli.folder, 'cli.js'),
      'console.log(JSON.stringify([process.argv.slice(2), process.env.PATH, process.env.HOME ?? null]))',
    );
    const { code, err } = await cli.call('--queue', queue, 'schedule', '--every', '30m');
    assert.equal(code, 0, err);
    const [line = ''] = readFileSync(table, 'utf8').split('\n');
    // Cron ends the command at the first `%` that is not escaped, and removes the backslash of one that is.
    assert.doesNotMatch(line, /(?<!\\)%/);
    const command = line.split(' ').slice(5).join(' ').replaceAll('\\%', '%');
    execFileSync('/bin/sh', ['-c', command], { env: {}, cwd: '/' });
    const said = readFileSync(log(queue), 'utf8');
    const [words, path, home] = JSON.parse(said) as [string[], string, string | null];
    assert.deepEqual(words, [
      ...['--queue', queue, '--claude', cli.env['CLAUDE_QUEUE_CLAUDE'] ?? ''],
      ...['work', '--until-empty', '--alone', '--scheduled'],
    ]);
    assert.deepEqual([path, home], [programs, null]);
    await cli.call('--queue', queue, 'schedule', '--remove');
    assert.equal(readFileSync(table, 'utf8'), '');
  });

  for (const [what, name] of [
    ['a line break', 'two\nlines'],
    ['a backslash', 'back\\slash'],
  ] as const) {
    it(`is refused if its folder's name has ${what}`, async () => {
      mkdirSync(join(cli.workspace, name));
      const queue = join(cli.workspace, name, 'q.csv');
      await cli.call('--queue', queue, 'init');
      const { code, err } = await cli.call('--queue', queue, 'schedule', '--every', '30m');
      assert.equal(code, 64);
      assert.match(err, new RegExp(`contains ${what}`));
      assert.equal(existsSync(table), false);
    });
  }

  it('is refused if the PATH does not fit into a line, with a remedy', async () => {
    cli.env['PATH'] =
      `${programs}:${Array.from({ length: 60 }, (_, n) => `/some/long/folder/${String(n)}`).join(':')}`;
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.equal(code, 64);
    assert.match(err, /a crontab allows 998; the PATH alone has \d+\. Use a shorter PATH/);
  });

  it('can be removed from the crontab when its file is gone', async () => {
    await cli.call('schedule', '--every', '30m');
    rmSync(cli.queueFile);
    const { processes } = cli;
    cli.processes = { ...processes, isInsideAttempt: () => true };
    assert.match((await cli.call('schedule', '--remove')).err, /^A running task may not change a schedule/);
    cli.processes = processes;
    assert.equal((await cli.call('schedule', '--remove')).code, 0);
    assert.equal(readFileSync(table, 'utf8'), '');
  });
});

describe('A queue with a systemd timer', () => {
  prepareEach();

  beforeEach(() => install('systemctl', MANAGER));

  const units = (): string => join(cli.env['XDG_CONFIG_HOME'] ?? '', 'systemd', 'user');
  const read = (suffix: string): string => {
    const name = readdirSync(units()).find((one) => one.endsWith(suffix));
    return name === undefined ? '' : readFileSync(join(units(), name), 'utf8');
  };

  it('has its own timer and service, which restart with each choice', async () => {
    const { code, out, err } = await cli.call('schedule', '--weekdays');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^Scheduled by systemd, .*: 0 9-18 \* \* 1-5\n.*\n.*loginctl enable-linger/);
    const [timer] = readdirSync(units()).filter((name) => name.endsWith('.timer'));
    assert.deepEqual(asked(), [
      '--user show-environment',
      '--user daemon-reload',
      `--user enable ${String(timer)}`,
      `--user restart ${String(timer)}`,
    ]);
    assert.match(
      read('.timer'),
      /^OnCalendar=Mon,Tue,Wed,Thu,Fri \*-\*-\* 09,10,11,12,13,14,15,16,17,18:00:00$/m,
    );
    assert.match(
      read('.service'),
      /^ExecStart=".*" "--queue" ".*prompts\.csv" .*"work" "--until-empty" "--alone" "--scheduled"$/m,
    );
    assert.ok(read('.service').includes(`\nStandardOutput=append:${log()}\n`));
    assert.match((await cli.call('schedule')).out, /^Scheduled by systemd, .*: 0 9-18 \* \* 1-5\n/);
  });

  it('is removed with both files', async () => {
    await cli.call('schedule', '--every', '30m');
    const { out } = await cli.call('schedule', '--remove');
    assert.match(out, /\(was: systemd\)\.$/);
    assert.deepEqual(readdirSync(units()), []);
    assert.match(asked().at(-3) ?? '', /^--user disable --now claude-queue-\w+\.timer$/);
  });

  it('reports that its timer does not run', async () => {
    await cli.call('schedule', '--every', '30m');
    cli.env['REFUSED'] = 'is-active';
    const { code, err } = await cli.call('schedule');
    assert.deepEqual([code, err], [1, 'But its timer is not active: install it again.']);
  });

  it('shows the error of systemd', async () => {
    cli.env['REFUSED'] = 'enable';
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.equal(code, 1);
    assert.match(err, /^"systemctl --user enable claude-queue-\w+\.timer" failed: Failed: enable$/);
  });

  it('moves from crontab to systemd without being in both', async () => {
    install('crontab', CRONTAB);
    await cli.call('schedule', '--every', '15m', '--by', 'crontab');
    assert.match(readFileSync(table, 'utf8'), /^\*\/15/);
    await cli.call('schedule', '--every', '30m');
    assert.equal(readFileSync(table, 'utf8'), '');
    assert.match((await cli.call('schedule')).out, /^Scheduled by systemd.*\*\/30 \* \* \* \*\n.*log\.$/);
  });

  it('refuses a cron expression that systemd cannot express, and installs nothing', async () => {
    const { code, err } = await cli.call('schedule', '--cron', '0 9 1 * 1');
    assert.equal(code, 64);
    assert.match(err, /A systemd timer does not support that\. Choose crontab \(--by crontab\)/);
    assert.deepEqual(existsSync(units()) ? readdirSync(units()) : [], []);
  });
});

describe('A queue with a launchd agent', () => {
  prepareEach();

  beforeEach(() => {
    cli.platform = 'darwin';
    install('launchctl', LAUNCHCTL);
  });

  const agents = (): string => join(cli.env['HOME'] ?? '', 'Library', 'LaunchAgents');

  it('has its own agent, which is loaded, shown and removed', async () => {
    const { code, err } = await cli.call('schedule', '--every', '30m');
    assert.deepEqual([code, err], [0, '']);
    const [agent = ''] = readdirSync(agents());
    assert.match(agent, /^claude-queue-\w{16}\.plist$/);
    assert.equal(asked().at(-1), `bootstrap gui/501 ${join(agents(), agent)}`);
    const plist = readFileSync(join(agents(), agent), 'utf8');
    assert.match(plist, /<key>Minute<\/key>\n<integer>0<\/integer>[^]*<integer>30<\/integer>/);
    assert.match((await cli.call('schedule')).out, /^Scheduled by launchd, .*: \*\/30 \* \* \* \*\n/);
    const again = await cli.call('schedule', '--weekdays');
    assert.deepEqual([again.code, again.err], [0, '']);
    assert.ok(asked().includes(`bootout gui/501/${agent.replace('.plist', '')}`));
    cli.env['REFUSED'] = 'print';
    assert.match((await cli.call('schedule')).err, /^But launchd has not loaded it/);
    cli.env['REFUSED'] = '';
    assert.match((await cli.call('schedule', '--remove')).out, /\(was: launchd\)\.$/);
    assert.deepEqual(readdirSync(agents()), []);
    assert.match((await cli.call('schedule')).out, /^No timer is installed/);
  });

  it('escapes the name of a folder for XML', async () => {
    const folder = join(cli.workspace, `<a> & 'b' "c" 100%`);
    mkdirSync(folder);
    await cli.call('--queue', join(folder, 'q.csv'), 'init');
    await cli.call('--queue', join(folder, 'q.csv'), 'schedule', '--every', '1h');
    const plist = readFileSync(join(agents(), readdirSync(agents())[0] ?? ''), 'utf8');
    assert.ok(plist.includes(`&lt;a&gt; &amp; 'b' "c" 100%/q.csv</string>`), plist);
  });

  it('does not mention systemd', async () => {
    const { code, err } = await cli.call('schedule', '--every', '30m', '--by', 'systemd');
    assert.deepEqual([code, err], [64, 'This system has no systemd: --by takes launchd or crontab.']);
  });
});
