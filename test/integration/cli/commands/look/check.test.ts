import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  promises,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { checkNode } from '../../../../../src/app/checks/machineCheck';
import { machineId } from '../../../../../src/platform/processes/machine';
import { CliHarness } from '../../cliHarness';
import { openCliQueue } from '../../fileQueue';
import { withUnwritable } from '../../../../support/machine/unwritable';

let cli: CliHarness;

describe('check', () => {
  beforeEach(() => {
    cli = new CliHarness();
  });
  afterEach(() => cli.remove());

  it('finds nothing if all is well', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    await cli.call('add', 'Do it');
    const answer = await cli.call('check');
    assert.equal(answer.code, 0, answer.out);
    const lines = answer.out.split('\n');
    assert.equal(lines.at(-1), 'No problems.');
    assert.match(lines[0] ?? '', /^note {2}worker {2}1 task is due and no worker is running\./);
    assert.match(
      lines[1] ?? '',
      /^ok {4}working directories {2}The one that tasks name can be read and written\.$/,
    );
    assert.match(
      answer.out,
      /^note {2}\S+fakeClaude\.sh {2}Claude Code 9\.9\.9\. .*newer than the tested ones/m,
    );
    assert.match(answer.out, /^note {2}\S+ {2}Attempts are billed to a subscription, as far/m);
    assert.match(answer.out, /^ok {4}\S+state {2}can be written\.$/m);
    assert.match(answer.out, /^ok {4}\S+node\S* {2}Node \d+\.\d+\.\d+\.$/m);
    assert.match(answer.out, /^ok {4}clock {2}It says \d{4}-/m);
    const reported = JSON.parse((await cli.call('check', '--json')).out) as Record<string, unknown[]>;
    assert.deepEqual([reported['problems'], reported['notes']?.length], [[], 3]);
  });

  it('reports a full disk, and not a file system that does not report its size', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    const { statfs } = promises;
    const checkWith = async (blocks: number): Promise<string> => {
      Object.assign(promises, { statfs: () => Promise.resolve({ blocks, bavail: 3, bsize: 4096 }) });
      return (await cli.call('check')).out;
    };
    try {
      assert.match(
        await checkWith(1000),
        /^\S+claude_queue\/state {2}cannot be written: its disk is full\. Make room\.$/m,
      );
      assert.match(await checkWith(0), /^ok {4}\S+state {2}can be written\.$/m);
    } finally {
      Object.assign(promises, { statfs });
    }
  });

  it('reports a queue file that cannot be written', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    const { code, out } = await withUnwritable(cli.queueFile, () => cli.call('check'));
    assert.equal(code, 1);
    assert.match(out, /prompts\.csv {2}cannot be written: .* Make it writable\.$/m);
  });

  it('reports a queue file that cannot be replaced in its folder', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    const { code, out } = await withUnwritable(cli.queueFolder, () => cli.call('check'), 'EACCES');
    assert.equal(code, 1);
    assert.match(out, /prompts\.csv {2}cannot be written: .* Make the folder writable\.$/m);
  });

  it('reports no file of mode 0444 that is yours: it can be replaced', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    await cli.call('add', 'Do it');
    chmodSync(cli.queueFile, 0o444);
    const { code, out } = await withUnwritable(cli.queueFile, () => cli.call('check'), 'EACCES');
    assert.equal(code, 0, out);
    await cli.call('cancel', '1');
    assert.match(cli.read(), /Do it,cancelled/);
  });

  it('reports what is in the place of the state folder', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    writeFileSync(join(cli.folder, 'no-folder'), '');
    cli.env['XDG_STATE_HOME'] = join(cli.folder, 'no-folder');
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /no-folder\/claude-queue {2}cannot be written: .*Make it writable/);
  });

  it('reports a file that lost all its rows, as "list" does', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    await cli.call('add', 'Do it');
    const text = readFileSync(cli.queueFile, 'utf8');
    writeFileSync(cli.queueFile, text.slice(0, text.indexOf('\n') + 1));
    const lost = /The queue file has no rows\. 1 open task vanished\. To get them back, restore the file\./;
    for (const command of ['check', 'list']) assert.match((await cli.call(command)).out, lost);
  });

  it('reports notices that the notify command has not sent for a minute', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    const queue = await openCliQueue(cli);
    await queue.recordTimer({ by: 'crontab', crons: ['0 * * * *'] }, 'timer');
    const notice = { kind: 'timer-late', timer: 'crontab', expectedAt: cli.now } as const;
    const sender = { machine: machineId(), process: cli.self() };
    await queue.claimNotices({ channel: 'worker', sender, observed: [notice] }, 'raise');
    await queue.close();
    cli.env['CLAUDE_QUEUE_NOTIFY'] = '["notify-send"]';
    cli.now += 59_000;
    assert.doesNotMatch((await cli.call('check')).out, /notify/);
    cli.now += 1_000;
    const { code, out } = await cli.call('check');
    assert.equal(code, 1, out);
    assert.match(out, /^notify {2}Notices that this command has not sent: 1, the oldest from /m);
    delete cli.env['CLAUDE_QUEUE_NOTIFY'];
    assert.doesNotMatch((await cli.call('check')).out, /notify/);
  });

  it('reports an account that is blocked until a day, as "status --check" does', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    await cli.call('add', 'Do it');
    const resetAt = cli.now + 20 * 24 * 3_600_000;
    const message = 'You will regain access later.';
    await (await cli.openGateOfClaude()).report({ signal: { kind: 'billing', resetAt, message }, usage: [] });
    const { code, out } = await cli.call('check');
    assert.equal(code, 1, out);
    assert.match(
      out,
      /^account {2}Billing problem: .*resets .*Claude Code said: You will regain access later/m,
    );
    const status = await cli.call('status', '--check');
    assert.deepEqual([status.code, status.err], [1, 'Billing problem.']);
  });

  it('finds no problem in a usage limit that ends by itself', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    await cli.call('add', 'Do it');
    const resetAt = cli.now + 3_600_000;
    await (
      await cli.openGateOfClaude()
    ).report({ signal: { kind: 'five_hour', resetAt, message: 'limit' }, usage: [] });
    assert.equal((await cli.call('check')).code, 0);
    assert.doesNotMatch((await cli.call('status', '--check')).err, /limit/);
  });

  it('reports callbacks that will not be sent', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    await cli.call('add', 'Do it', '--callback-url', 'https://192.168.1.5/hook');
    cli.env['CLAUDE_QUEUE_CALLBACK_URL'] = 'http://ntfy.example/night';
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /Callbacks of task 1 are not sent: 192\.168\.1\.5 is a private address/);
    assert.match(out, /^callbackUrl {2}Callbacks are not sent: http: is allowed only to/m);
    cli.env['CLAUDE_QUEUE_CALLBACK_ALLOW'] = '["192.168.1.0/24"]';
    cli.env['CLAUDE_QUEUE_CALLBACK_URL'] = '';
    assert.doesNotMatch((await cli.call('check')).out, /not sent/);
  });

  it('reports that the clock was set back', async () => {
    cli.installClaude('ok');
    await cli.call('init');
    await cli.call('add', 'Do it');
    const journal = join(cli.queueFolder, 'state', 'journal');
    const ahead = new Date(Date.now() + 3_600_000);
    utimesSync(journal, ahead, ahead);
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /^clock {2}It says .*, but the queue was written at .*, which is in the future\./m);
  });

  it('reports that Node is too old, and works without git', async () => {
    assert.equal(checkNode('18.19.1', '/usr/bin/node').state, 'problem');
    assert.match(checkNode('20.18.9', '/usr/bin/node').message, /20\.19\.0 or newer is needed/);
    assert.equal(checkNode('22.1.0', '/usr/bin/node').state, 'fine');
    cli.installClaude('ok');
    await cli.call('init');
    cli.env['PATH'] = join(cli.folder, 'bin');
    mkdirSync(cli.env['PATH']);
    symlinkSync(process.execPath, join(cli.env['PATH'], 'node'));
    const { code, out } = await cli.call('check');
    assert.equal(code, 0, out);
    assert.match(out, /^note {2}git {2}git does not work .*Install git/m);
  });

  it('reports every problem of the file and of this machine, with its place', async () => {
    cli.write(
      '1,high,gone,Do it,pending,,,no,,0,3',
      '2,high,gone,Was done,completed,,,no,,0,3',
      '3,high,.,,pending,,,no,,0,3',
    );
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    const lines = out.split('\n');
    assert.match(lines[0] ?? '', /prompts\.csv:4:10 {2}The prompt is missing/);
    assert.match(
      lines[1] ?? '',
      /prompts\.csv:2:1 {2}The working directory .*\/gone of task 1 does not exist/,
    );
    assert.match(lines[2] ?? '', /^claude {2}There is no program "claude" on the PATH/);
    assert.equal(lines.at(-1), '3 problems.');
    const { problems } = JSON.parse((await cli.call('check', '--json')).out) as { problems: unknown[] };
    assert.equal(problems.length, 3);
  });

  it('notes a column that may be misspelled, and none with a name of its own', async () => {
    cli.installClaude('ok');
    cli.writeFile('prompts.csv', 'id,working_dir,prompt,dependancies,ticket\n1,.,Do it,2,A-7\n');
    const { code, out } = await cli.call('check');
    assert.equal(code, 0, out);
    const notes = out.split('\n').filter((line) => line.includes('column'));
    assert.deepEqual(notes, [
      `note  ${cli.queueFile}  The column "dependancies" is not known and has no effect. Did you mean dependencies?`,
    ]);
  });

  it('reports options that the installed version lacks, and directories that are none', async () => {
    const program = join(cli.folder, 'claude');
    const help =
      '  -p, --print\n  --permission-mode <mode>  Mode (choices: "acceptEdits", "default", "plan")\n';
    const answers = `({ '--version': '2.0.20 (Claude Code)', '--help': ${JSON.stringify(help)} })[process.argv[2]]`;
    writeFileSync(program, `#!${process.execPath}\nconsole.log(${answers});\n`, { mode: 0o700 });
    cli.env['CLAUDE_QUEUE_CLAUDE'] = program;
    cli.env['CLAUDE_QUEUE_PERMISSION_MODE'] = 'auto';
    const rows = [
      '1,high,.,A,pending,,dontAsk,',
      '2,high,.,B,pending,,manual,0.5',
      '3,high,file,C,pending,,,',
    ];
    const header = 'id,priority,working_dir,prompt,status,scheduled_time,permission_mode,max_budget_usd';
    cli.writeFile('prompts.csv', `${[header, ...rows].join('\n')}\n`);
    writeFileSync(join(cli.workspace, 'file'), '');
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(
      out,
      /prompts\.csv:2:1 {2}Task 1: This version of Claude Code has no permission mode dontAsk\./,
    );
    assert.match(out, /prompts\.csv:3:1 {2}Task 2: This version .* does not support max_budget_usd\./);
    assert.match(
      out,
      /prompts\.csv:4:1 {2}The working directory .*file of task 3 is not a folder\. Correct the row\./,
    );
    assert.match(
      out,
      /^permissionMode {2}This version of Claude Code has no permission mode auto\. Choose another/m,
    );
    assert.match(out, /^note .*2\.0\.20\. .*older than the tested ones.*claude update/m);
    assert.match(out, /^4 problems\.$/m);
  });

  it('reports a read-only working directory', async function () {
    // Nothing is closed to root.
    if (process.getuid?.() === 0) this.skip();
    cli.installClaude('ok');
    mkdirSync(join(cli.workspace, 'shut'), { mode: 0o500 });
    cli.write('1,high,shut,Do it,pending,,,no,,0,3');
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /shut of task 1 is not readable and writable for you\. Change its permissions/);
  });

  it('reports a missing queue file', async () => {
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /There is no queue file/);
  });

  it('reports once that Redis does not answer, beside all else', async () => {
    cli.installClaude('ok');
    const { code, out } = await cli.call('check', '--redis', 'redis://127.0.0.1:1');
    assert.equal(code, 1);
    assert.equal(out.match(/Redis at 127\.0\.0\.1:1 does not answer \(/g)?.length, 1, out);
    assert.match(out, /^note {2}\S+fakeClaude\.sh {2}Claude Code 9\.9\.9\./m);
  });

  it('says in its one line too that Redis does not answer', async () => {
    const { code, out } = await cli.call('check', '--quiet', '--redis', 'redis://127.0.0.1:1');
    assert.equal(code, 1);
    assert.match(out, /^claude-queue: Redis at 127\.0\.0\.1:1 does not answer \(.*$/);
  });

  it('reports a missing sign-in', async () => {
    const program = join(cli.folder, 'claude');
    const answers =
      'process.argv[2] === "--version" ? "2.1.329 (Claude Code)" : \'{"loggedIn":false,"authMethod":"none"}\'';
    writeFileSync(program, `#!${process.execPath}\nconsole.log(${answers});\n`, { mode: 0o700 });
    cli.env['CLAUDE_QUEUE_CLAUDE'] = program;
    await cli.call('init');
    const { code, out } = await cli.call('check');
    assert.equal(code, 1);
    assert.match(out, /\/claude {2}Claude Code is not signed in\. Run "claude" and then \/login\./);
  });

  it('is not quiet in JSON', async () => {
    const { code, err } = await cli.call('check', '--quiet', '--json');
    assert.deepEqual([code, err], [64, 'Give --quiet or --json: not both.']);
  });
});
