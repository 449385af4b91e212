import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REDIS_PASSWORD } from '../../src/platform/processes/environment';
import { openRedisQueue } from '../../src/queue/openQueue';
import type { TaskQueue } from '../../src/queue/taskQueue';
import { startRedis, type RedisServer } from '../support/redis/redisServer';
import { readFilesBelow } from '../support/queue/queuePlace';
import { startingWith } from './window/drawn';
import { PageView } from './window/pageView';
import { openWorkbench } from './window/workbench';
import type { Workbench } from './window/workbench';

const PASSWORD = 'a-secret-of-7-hills';

/** The status bar of a paused queue that was read, and is not only last known. */
const IS_READ = /^(?!.*last known).*Paused/;

describe('The user whose settings name a queue in Redis', () => {
  let redis: RedisServer;
  let editor: Workbench;
  let workspace: string;
  let address: string;

  before(async () => {
    redis = await startRedis({ password: PASSWORD, aof: 'always' });
    address = `redis://127.0.0.1:${String(redis.port)}/0?queue=team`;
    workspace = mkdtempSync(join(tmpdir(), 'shared-'));
    // A folder must not choose the Redis of its window.
    mkdirSync(join(workspace, '.vscode'));
    writeFileSync(
      join(workspace, '.vscode', 'settings.json'),
      JSON.stringify({ 'claudeQueue.redis': 'redis://127.0.0.1:1/0' }),
    );
    editor = await openWorkbench({ workspace, settings: { 'claudeQueue.redis': address } });
    await editor.openView('Claude Queue');
  });

  after(async () => {
    await editor.close();
    await redis.stop();
    rmSync(workspace, { recursive: true });
  });

  const callCli = async (...words: readonly string[]): Promise<void> => {
    const args = ['--redis', address, ...words];
    const { code, stderr } = await editor.queue.run(args, { [REDIS_PASSWORD]: PASSWORD });
    assert.equal(code, 0, stderr);
  };

  it('is asked for the password, and sees the queue', async () => {
    await editor.treeRow('Redis cannot be used');
    await editor.answerNotification('NOAUTH', 'Set Redis Password');
    await editor.quickInput('Set Redis Password');
    await editor.answer(PASSWORD);
    await editor.page.getByText('The queue in Redis is empty.').waitFor();
  });

  it('sees a task that another process adds', async () => {
    await callCli('add', 'Say hello');
    await editor.treeRow('Say hello');
  });

  it('reads the whole row of a task, which is in no file', async () => {
    await (await editor.treeRow('Say hello')).click();
    await editor.page.locator('.tab.active').filter({ hasText: 'Task 1' }).waitFor();
    const lines = await editor.editorLines();
    assert.ok(lines.includes('Say hello'), lines.join('\n'));
  });

  it('starts a worker, which gets the password by its environment only', async () => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Default permission mode');
    await editor.pick('acceptEdits');
    await editor.quickInput('Start: ');
    await editor.pick(startingWith('Start'));
    const worker = await editor.onlyProcess('--redis', ' work ');
    assert.doesNotMatch(worker.command, new RegExp(PASSWORD));
    await editor.expand('Done');
    await editor.treeRow(/(?:done|not confirmed).*Say hello/);
    const holders = [...readFilesBelow(join(editor.folder, '..'))].filter(([, text]) =>
      text.includes(PASSWORD),
    );
    assert.deepEqual(
      holders.map(([file]) => file),
      [],
    );
  });

  it('sees the last known tasks while Redis is away, without actions, and the queue again once it is back', async () => {
    // A worker is running: it would complete the task, in a group that is folded.
    await callCli('pause');
    await callCli('add', 'Say goodbye');
    await editor.treeRow('Say goodbye');
    redis.kill('SIGKILL');
    await editor.treeRow(/Redis is away\s*since \d\d:\d\d(:\d\d)?\. Redis at 127.0.0.1:\d+ does not answer/);
    const task = await editor.treeRow('Say goodbye');
    await editor.treeRow(/1 · last known/);
    assert.match(await editor.tooltip(task, 'Last known at'), /It may have changed since then/);
    await editor.hover(task);
    assert.equal(await task.getByRole('button').count(), 0);
    await editor.statusBar('Redis is away, last known: Paused');
    await editor.screenshot('redis-away');
    await redis.restart();
    await editor.statusBar(IS_READ);
    const again = await editor.treeRow('Say goodbye');
    await editor.hover(again);
    await again.getByRole('button').first().waitFor();
    await editor.screenshot('redis-back');
  });

  it('does not lose the text of a task that cannot be added because Redis is away', async () => {
    const input = editor.page.locator('.quick-input-widget:visible input.input');
    await editor.pressViewButton('Add Task');
    await editor.quickInput('Add Task (1/2)');
    await editor.answer('Say what took long to write');
    await editor.quickInput('Add Task (2/2)');
    redis.kill('SIGKILL');
    await editor.treeRow(/Redis is away/);
    await editor.pick('high');
    await editor.notification(/does not answer/);
    await redis.restart();
    await editor.statusBar(IS_READ);
    await editor.pressViewButton('Add Task');
    await editor.quickInput('Add Task (1/2)');
    assert.equal(await input.inputValue(), 'Say what took long to write');
    await editor.press('Enter');
    await editor.quickInput('Add Task (2/2)');
    await editor.pick('high');
    await editor.treeRow('Say what took long');
    await editor.pressViewButton('Add Task');
    await editor.quickInput('Add Task (1/2)');
    assert.equal(await input.inputValue(), '');
    await editor.press('Escape');
  });

  it('says in an open form that Redis is away, and adds its task once when Redis is back', async () => {
    const page = new PageView(editor);
    const shows = (id: string, words: RegExp): Promise<void> =>
      page.frame.locator(`#${id}`).filter({ hasText: words }).waitFor();
    await editor.runCommand('Claude Queue: Add Task in Form');
    await page.typePrompt('Say it in a form');
    redis.kill('SIGKILL');
    await shows('lead', /^The queue cannot be read now\.$/);
    await shows('rest', /does not answer .* What you typed stays here\.$/);
    await page.frame.locator('#prompt').focus();
    await editor.press('Control+Enter');
    await shows('failure', /^Redis did not confirm that the task was added\. Add it again/);
    await editor.screenshot('redis-form-away');
    await redis.restart();
    await shows('lead', /^As soon as its turn comes/);
    await page.sendForm();
    const row = editor.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: 'Say it in a form' });
    await row.waitFor();
    assert.equal(await row.count(), 1);
  });

  it('sees a change while other changes keep coming', async () => {
    const queue = await openAsOther(redis.port);
    const over = new AbortController();
    const seen = editor.treeRow('Say farewell').finally(() => {
      over.abort();
    });
    seen.catch(() => undefined);
    try {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        // The first changes are drawn at once. This one comes while VS Code waits for the end of the changes.
        if (turn === 100) await queue.edit(2, { prompt: 'Say farewell' }, randomUUID());
        await queue.edit(1, { prompt: `Turn ${String(turn)}` }, randomUUID());
      }
      await seen;
    } finally {
      await queue.close();
    }
  });
});

/** Opens the queue `team`, as another machine does. */
function openAsOther(port: number): Promise<TaskQueue> {
  const rows = { timeZone: 'UTC', folder: null, home: '/home/me', allowBypass: false };
  return openRedisQueue({
    server: { host: '127.0.0.1', port, db: 0, password: PASSWORD },
    queue: 'team',
    machine: { id: 'another', isAlive: () => true },
    rows: () => rows,
  });
}
