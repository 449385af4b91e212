import assert from 'node:assert/strict';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Desk } from './desk';

describe('A queue, called from a folder below it', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = new Desk();
    await desk.call('init');
    desk.cwd = join(desk.workspace, 'packages', 'api');
    mkdirSync(desk.cwd, { recursive: true });
  });
  afterEach(() => desk.remove());

  const added = (): string | undefined => desk.read().split('\n')[1];

  it('is found', async () => {
    const { code, out } = await desk.call('status');
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^${desk.queueFile}: 0 tasks`));
  });

  it('is found from its own folder too, where tasks run in the workspace', async () => {
    desk.cwd = desk.queueFolder;
    assert.equal((await desk.call('add', 'Do it')).code, 0);
    assert.match(added() ?? '', /^1,medium,\.,Do it/);
  });

  it('takes tasks that run where they were added, and folders from there', async () => {
    assert.equal(
      (await desk.call('add', 'Do it')).out,
      `Added task 1 to ${desk.queueFile}; it runs in packages/api.`,
    );
    assert.match(added() ?? '', /^1,medium,packages\/api,Do it/);
    await desk.call('edit', '1', '--dir', '../web');
    assert.match(added() ?? '', /^1,medium,packages\/web,Do it/);
    for (const dir of ['/srv', '~/x']) {
      await desk.call('edit', '1', '--dir', dir);
      assert.match(added() ?? '', new RegExp(`^1,medium,${dir},Do it`));
    }
  });

  it('is named by "init", which makes a second one only where that is asked for', async () => {
    const { code, err } = await desk.call('init');
    assert.equal(code, 1);
    assert.equal(
      err,
      `This folder belongs to the queue ${desk.queueFile} already; nothing was changed. ` +
        'Use that one from here, or make another with "claude-queue --queue claude_queue/prompts.csv init".',
    );
    assert.equal((await desk.call('--queue', 'claude_queue/prompts.csv', 'init')).code, 0);
    assert.match((await desk.call('status')).out, /packages\/api\/claude_queue\/prompts\.csv: 0 tasks/);
  });

  it('that is named on the command line has folders from its own workspace', async () => {
    await desk.call('--queue', desk.queueFile, 'add', 'Do it', '--dir', 'docs');
    assert.match(added() ?? '', /^1,medium,docs,Do it/);
  });

  it('is not taken where it belongs to another user', async function () {
    // Only root can make one.
    if (process.getuid?.() !== 0) this.skip();
    chownSync(desk.queueFile, 12_345, 12_345);
    const { code, err } = await desk.call('status');
    assert.equal(code, 1);
    assert.match(err, /There is no queue file .*packages\/api\/claude_queue/);
  });

  it('is not looked for above a queue that is here', async () => {
    desk.cwd = desk.workspace;
    assert.match((await desk.call('init')).err, /is there already; nothing was changed/);
  });
});

describe('Where no folder above has a queue', () => {
  it('the message names the file that would be here', async () => {
    const desk = new Desk();
    try {
      desk.cwd = join(desk.workspace, 'sub');
      mkdirSync(desk.cwd);
      const { code, err } = await desk.call('status');
      assert.equal(code, 1);
      assert.match(err, /There is no queue file .*\/workspace\/sub\/claude_queue\/prompts\.csv\./);
    } finally {
      desk.remove();
    }
  });
});
