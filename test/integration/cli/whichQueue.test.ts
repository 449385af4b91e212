import assert from 'node:assert/strict';
import { chownSync, mkdirSync } from 'node:fs';
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
    for (const dir of ['/srv', '~/x']) {
      await cli.call('edit', '1', '--dir', dir);
      assert.match(added() ?? '', new RegExp(`^1,medium,${dir},Do it`));
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

  it('that is named on the command line resolves folders from its own workspace', async () => {
    await cli.call('--queue', cli.queueFile, 'add', 'Do it', '--dir', 'docs');
    assert.match(added() ?? '', /^1,medium,docs,Do it/);
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
