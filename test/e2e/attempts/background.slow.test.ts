import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { OpenEditor } from '../../../src/queue/file/editors/openEditors';
import { CLI } from '../../support/machine/cli';
import type { Ended } from '../../support/machine/processes';
import { openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';
import { until } from '../../support/until';
import { StatePaths } from '../../../src/queue/queuePaths';

/** As an editor starts a worker, and then is gone: its own session, no input, its words in a file. */
const STARTER = `
  const { spawn } = require('node:child_process');
  const log = require('node:fs').openSync(process.argv[1], 'a', 0o600);
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1', VSCODE_IPC_HOOK: 'hook' };
  spawn(process.execPath, process.argv.slice(2), { detached: true, stdio: ['ignore', log, log], env }).unref();
`;

/** Starts `claude-queue` like an editor; resolves when the one that started it has ended. */
async function startInBackground({ queue }: Place, log: string, words: string): Promise<void> {
  const starter = spawn(process.execPath, ['-e', STARTER, log, CLI, ...words.split(' ')], {
    cwd: queue.folder,
    env: queue.env,
    stdio: 'inherit',
  });
  const [code] = (await once(starter, 'exit')) as [number | null];
  assert.equal(code, 0);
}

describe('A worker in the background', () => {
  it('keeps running when the editor that started it is gone, and writes everything to its file', async () => {
    const place = await openPlace();
    const log = join(place.home.folder, 'worker.log');
    await place.queue.trust([
      { id: 1, prompt: 'First' },
      { id: 2, prompt: 'Second' },
    ]);
    await startInBackground(place, log, 'work --alone --until-empty');
    await until('it has said its last word', () => /^Ran 2 attempts\.$/m.test(readText(log)));
    assert.match(readText(log), /Task 1 ended: success[^]*Task 2 ended: success/);
    const { tasks } = await place.queue.status();
    assert.deepEqual(
      tasks.map(({ status }) => status),
      ['completed', 'completed'],
    );
    await until('its process has ended', () => place.processes().length === 0);
  });

  it('hides the editor from Claude’s commands and from the checks', async () => {
    const place = await openPlace({
      respond: (turn) =>
        turn.toolResults === 0 ? tool('Bash', { command: 'env > ran; touch done' }) : text('Done.'),
    });
    const { queue } = place;
    const log = join(place.home.folder, 'worker.log');
    const verify = JSON.stringify(['sh', '-c', 'env > checked']);
    await queue.trust([
      { id: 1, prompt: 'Look', permission_mode: 'acceptEdits', allowed_tools: 'Bash', verify },
    ]);
    await startInBackground(place, log, 'work --until-empty');
    await until('it has said its last word', () => /^Ran/m.test(readText(log)));
    for (const name of ['ran', 'checked']) {
      const seen = readText(join(queue.folder, name));
      assert.match(seen, /^CLAUDE_QUEUE_RUN=/m, name);
      assert.doesNotMatch(seen, /^(?:VSCODE_|ELECTRON_)/m, name);
    }
  });

  it('with --alone is one, however often it is started at once', async () => {
    const { queue } = await openPlace();
    await queue.trust([{ id: 1, prompt: 'Later', scheduled_time: '2099-01-01 00:00' }]);
    const workers = [0, 1, 2].map(() => queue.start('work --alone'));
    const refused: Ended[] = [];
    for (const { ended } of workers) void ended.then((end) => refused.push(end));
    await until('two of them have ended', () => refused.length === 2);
    for (const { code, stdout } of refused) {
      assert.equal(code, 4);
      assert.match(stdout, /^Worker \d+ is already running\.$/m);
    }
    const { workers: reported } = await queue.status();
    const worker = workers.find(({ pid }) => String(pid) === reported[0]?.worker);
    assert.ok(worker !== undefined && reported.length === 1);
    for (const { stdout } of refused) assert.ok(stdout.includes(`Worker ${worker.pid} is already running`));
    assert.match((await queue.run('reset')).stderr, /is running on this queue. Stop it before a reset/);
    await queue.run('stop');
    assert.equal((await worker.ended).code, 4);
    assert.equal((await queue.run('reset')).code, 0);
  });

  it('that was killed does not stop another one with --alone', async () => {
    const { queue } = await openPlace();
    await queue.trust([{ id: 1, prompt: 'Later', scheduled_time: '2099-01-01 00:00' }]);
    const first = queue.start('work --alone');
    await first.waitForLine(/Waiting[^:]*: /);
    first.kill('SIGKILL');
    await first.ended;
    assert.deepEqual((await queue.status()).workers, []);
    const second = queue.start('work --alone');
    await second.waitForLine(/Waiting[^:]*: /);
  });

  it('ends when the last window of the queue closes', async () => {
    const { queue } = await openPlace({ env: { CLAUDE_QUEUE_WINDOW_GRACE: '4s' } });
    await queue.trust([{ id: 1, prompt: 'Later', scheduled_time: '2099-01-01 00:00' }]);
    const isAlive = (identity: ProcessIdentity): boolean => systemProcesses.isAlive(identity);
    const window = new OpenEditor(new StatePaths(queue.state), systemProcesses.self(), isAlive);
    await window.announce();
    const worker = queue.start('work --with-windows after-task');
    await worker.waitForLine(/Waiting[^:]*: /);
    const closed = Date.now();
    window.leave();
    const { code, stdout } = await worker.ended;
    assert.equal(code, 4);
    assert.match(stdout, /No editor window has this queue open\. Stopping after this task\./);
    assert.ok(Date.now() - closed >= 2_000, 'not at once: it might have been a reload');
  });

  it('keeps running when the disk of its output file is full', async function () {
    // Where there is no such file, only a real full disk is like it.
    if (!existsSync('/dev/full')) this.skip();
    const place = await openPlace();
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'First' }]);
    const full = openSync('/dev/full', 'w');
    const worker = spawn(process.execPath, [CLI, 'work', '--until-empty'], {
      cwd: queue.folder,
      env: queue.env,
      stdio: ['ignore', full, full],
    });
    closeSync(full);
    const [code] = (await once(worker, 'exit')) as [number | null];
    assert.equal(code, 0);
    assert.equal((await queue.task(1)).status, 'completed');
  });
});

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
