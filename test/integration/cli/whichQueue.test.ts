import assert from 'node:assert/strict';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from './cliHarness';

describe('A queue above the current folder', () => {
  let cli: CliHarness;
  beforeEach(async () => {
    cli = new CliHarness();
    await cli.call('init');
    cli.cwd = join(cli.workspace, 'packages', 'api');
    mkdirSync(cli.cwd, { recursive: true });
  });
  afterEach(() => cli.remove());

  const added = (): string | undefined => cli.read().split('\n')[1];

  it('is found', async () => {
    const { code, out } = await cli.call('status');
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^${cli.queueFile}: 0 tasks`));
  });

  it('is found from its own folder too, and tasks run in the workspace', async () => {
    cli.cwd = cli.queueFolder;
    assert.equal((await cli.call('add', 'Do it')).code, 0);
    assert.match(added() ?? '', /^1,medium,\.,Do it/);
  });

  it('resolves folders of added tasks from the current folder', async () => {
    assert.equal(
      (await cli.call('add', 'Do it')).out,
      `Added task 1 to ${cli.queueFile}; it runs in packages/api.`,
    );
    assert.match(added() ?? '', /^1,medium,packages\/api,Do it/);
    await cli.call('edit', '1', '--dir', '../web');
    assert.match(added() ?? '', /^1,medium,packages\/web,Do it/);
    for (const [dir, written] of [
      ['/srv', '/srv'],
      ['~/x', '~/x'],
      ['~', '~'],
      ['~old', 'packages/api/~old'],
    ] as const) {
      await cli.call('edit', '1', '--dir', dir);
      assert.match(added() ?? '', new RegExp(`^1,medium,${written},Do it`));
    }
  });

  it('is reported by "init", which makes a second one only on request', async () => {
    const { code, err } = await cli.call('init');
    assert.equal(code, 1);
    assert.equal(
      err,
      `This folder already belongs to the queue ${cli.queueFile}; nothing was changed. ` +
        'Use that one from here, or create another with "claude-queue --queue claude_queue/prompts.csv init".',
    );
    assert.equal((await cli.call('--queue', 'claude_queue/prompts.csv', 'init')).code, 0);
    assert.match((await cli.call('status')).out, /packages\/api\/claude_queue\/prompts\.csv: 0 tasks/);
  });

  it('is not used if it belongs to another user', async function () {
    // Only root can make one.
    if (process.getuid?.() !== 0) this.skip();
    chownSync(cli.queueFile, 12_345, 12_345);
    const { code, err } = await cli.call('status');
    assert.equal(code, 1);
    assert.match(err, /There is no queue file .*packages\/api\/claude_queue/);
  });

  it('is not used if the current folder has a queue', async () => {
    cli.cwd = cli.workspace;
    assert.match((await cli.call('init')).err, /already exists; nothing was changed/);
  });
});

describe('A queue that --queue names', () => {
  let cli: CliHarness;
  let elsewhere: string;
  beforeEach(async () => {
    cli = new CliHarness();
    await cli.call('init');
    elsewhere = join(cli.folder, 'else where');
    mkdirSync(elsewhere);
    mkdirSync(join(cli.workspace, 'packages', 'api'), { recursive: true });
  });
  afterEach(() => cli.remove());

  const folderOf = (id: number): string | undefined => cli.read().split('\n')[id]?.split(',')[2];
  const add = (...args: readonly string[]): ReturnType<CliHarness['call']> =>
    cli.call('--queue', cli.queueFile, 'add', 'Do it', ...args);

  it('gets tasks that run in the current folder of its workspace, else in its workspace, and names that', async () => {
    cli.cwd = join(cli.workspace, 'packages', 'api');
    const { out } = await add();
    assert.equal(out, `Added task 1 to ${cli.queueFile}; it runs in packages/api.`);
    await add('--dir', '../web');
    cli.cwd = elsewhere;
    assert.equal((await add()).out, `Added task 3 to ${cli.queueFile}; it runs in ${cli.workspace}.`);
    await add('--dir', 'docs');
    for (const folder of [cli.workspace, cli.queueFolder]) {
      cli.cwd = folder;
      assert.equal(
        (await add()).out,
        `Added task ${folder === cli.workspace ? '5' : '6'} to ${cli.queueFile}.`,
      );
    }
    assert.deepEqual([1, 2, 3, 4, 5, 6].map(folderOf), [
      'packages/api',
      'packages/web',
      '.',
      'docs',
      '.',
      '.',
    ]);
  });

  it('is named in every hint', async () => {
    const header = 'id,priority,working_dir,prompt,status';
    mkdirSync(join(cli.workspace, 'packages', 'sub'), { recursive: true });
    cli.cwd = join(cli.workspace, 'packages');
    writeFileSync(
      join(cli.cwd, 'sub', 'my queue.csv'),
      `${header}\n1,high,.,"Run ""claude-queue check""",pending\n2,high,.,Do it,pending\n3,soon,.,Do it,pending\n`,
    );
    for (const words of [
      ['edit', '2', '--prompt', 'Do it all'],
      ['approve'],
      ['work', '--until-empty'],
      ['done'],
      ['report'],
      ['hold', 'lunch'],
      ['status'],
      ['allow', '2'],
      ['next', '--id', '2'],
    ]) {
      const { out, err } = await cli.call('--queue', 'sub/my queue.csv', ...words);
      const hints =
        `${out}\n${err}`.replaceAll('Run "claude-queue check"', '').match(/claude-queue [a-z-].*/g) ?? [];
      for (const hint of hints)
        assert.match(hint, /^claude-queue --queue 'sub\/my queue\.csv' [a-z]/, words.join(' '));
    }
    const { out, err } = await cli.call('--queue', 'sub/my queue.csv', 'show', '1');
    assert.match(out, /Run "claude-queue check"/, err);
    assert.match(
      (await cli.call('--queue', 'sub/my queue.csv', 'edit', '2', '--prompt', 'Do it')).out,
      /"claude-queue --queue 'sub\/my queue\.csv' approve 2"/,
    );
  });

  it('is named in the hints of "init" and of a missing file', async () => {
    const missing = await cli.call('--queue', 'sub/my queue.csv', 'list');
    assert.equal(missing.code, 1);
    assert.equal(
      missing.err,
      `There is no queue file ${join(cli.workspace, 'sub', 'my queue.csv')}. ` +
        `Create one with "claude-queue --queue 'sub/my queue.csv' init", or name another with --queue FILE.`,
    );
    assert.match(
      (await cli.call('--queue', 'q.csv', 'init')).out,
      /^Next: claude-queue --queue q\.csv add "[^"]*", then claude-queue --queue q\.csv work$/m,
    );
  });

  it('must be a file, and a folder is refused with that advice', async () => {
    for (const folder of ['.', '', 'claude_queue']) {
      const { code, err } = await cli.call('--queue', folder, 'list');
      assert.equal(code, 1);
      assert.equal(
        err,
        `${join(cli.workspace, folder)} is a folder, not a regular file. --queue must name the CSV file of a queue.`,
      );
    }
  });
});

describe('Without a queue in a parent folder', () => {
  it('the error names the file in the current folder', async () => {
    const cli = new CliHarness();
    try {
      cli.cwd = join(cli.workspace, 'sub');
      mkdirSync(cli.cwd);
      const { code, err } = await cli.call('status');
      assert.equal(code, 1);
      assert.match(err, /There is no queue file .*\/workspace\/sub\/claude_queue\/prompts\.csv\./);
    } finally {
      cli.remove();
    }
  });
});
