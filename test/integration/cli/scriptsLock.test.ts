import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness } from './cliHarness';

/** Above every number that a system gives to a process. */
const NO_PROCESS = 2 ** 22 + 7;

let cli: CliHarness;

function lockWith(text: string): string {
  const state = join(cli.queueFolder, 'state');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'queue.lock'), text);
  return join(state, 'queue.lock');
}

const namesInState = (): string[] => readdirSync(join(cli.queueFolder, 'state'));

describe('The lock file of queue_manager.sh', () => {
  let script: ChildProcess | null = null;

  beforeEach(() => {
    cli = new CliHarness();
    cli.installClaude('ok');
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
  });
  afterEach(async () => {
    if (script !== null) {
      const ended = once(script, 'exit');
      script.kill('SIGKILL');
      await ended;
    }
    script = null;
    cli.remove();
  });

  /** Runs a script of that name, as cron does, until the test ends. */
  async function runScript(name: string): Promise<number> {
    const file = join(cli.queueFolder, name);
    writeFileSync(file, '#!/bin/bash\necho ready\nread -r line\n', { mode: 0o700 });
    script = spawn('/bin/bash', [file, 'run'], { stdio: ['pipe', 'pipe', 'ignore'] });
    await once(script.stdout ?? script, 'data');
    assert.ok(script.pid !== undefined);
    return script.pid;
  }

  for (const [words, done] of [
    [['trust'], /is trusted/],
    [['run'], /worked on|Do it|completed|done/i],
    [['add', 'More'], /2/],
    [['next'], /Task 1 is yours/],
  ] as const) {
    it(`does not stop "${words.join(' ')}" when its process has ended, and is renamed with a message`, async () => {
      const lock = lockWith(`${String(NO_PROCESS)}\n`);
      if (words[0] !== 'trust' && words[0] !== 'add') await cli.approve('1');
      lockWith(`${String(NO_PROCESS)}\n`);
      const { code, out, err } = await cli.call(...words);
      assert.equal(code, 0, `${out}\n${err}`);
      assert.match(out, done);
      assert.match(err, /was left by queue_manager \(pid \d+\), which has ended\. It is now /);
      assert.ok(!namesInState().includes('queue.lock'));
      assert.equal(readFileSync(`${lock}.left-${String(NO_PROCESS)}`, 'utf8'), `${String(NO_PROCESS)}\n`);
    });

    it(`stops "${words.join(' ')}" while its process runs, and names it`, async () => {
      await cli.approve('1');
      const pid = await runScript('queue_manager_v2.sh');
      const lock = lockWith(`${String(pid)}\n`);
      const { code, err } = await cli.call(...words);
      assert.equal(code, 1);
      assert.equal(err, `queue_manager (pid ${String(pid)}) is running on this queue. Stop it first.`);
      assert.equal(readFileSync(lock, 'utf8'), `${String(pid)}\n`);
    });
  }

  it('is reported by check and status while its process runs', async () => {
    const pid = await runScript('queue_manager.sh');
    const lock = lockWith(`${String(pid)}\n`);
    const sentence = `queue_manager (pid ${String(pid)}) is running on this queue. Stop it first.`;
    const checked = await cli.call('check');
    assert.equal(checked.code, 1);
    assert.ok(checked.out.includes(`${lock}  ${sentence}`), checked.out);
    const status = await cli.call('status');
    assert.equal(status.code, 0);
    assert.ok(status.out.includes(sentence), status.out);
  });

  it('is a note of check, not a problem, when its process has ended', async () => {
    lockWith(`${String(NO_PROCESS)}\n`);
    const { code, out } = await cli.call('check');
    assert.equal(code, 0, out);
    assert.match(out, /^note {2}\S+queue\.lock {2}Left by queue_manager \(pid \d+\), which has ended\./m);
  });

  it('is stale if another program has its process number', async () => {
    const pid = await runScript('some_other.sh');
    lockWith(`${String(pid)}\n`);
    const { code } = await cli.call('add', 'More');
    assert.equal(code, 0);
    assert.ok(namesInState().includes(`queue.lock.left-${String(pid)}`));
  });

  it('that is stale is renamed to a free name', async () => {
    mkdirSync(join(cli.queueFolder, 'state', `queue.lock.left-${String(NO_PROCESS)}`), { recursive: true });
    lockWith(`${String(NO_PROCESS)}\n`);
    assert.equal((await cli.call('add', 'More')).code, 0);
    assert.equal(namesInState().filter((name) => name.startsWith('queue.lock.left-')).length, 2);
  });

  it('is stale if it holds no process number', async () => {
    lockWith('not a number');
    assert.equal((await cli.call('add', 'More')).code, 0);
    assert.ok(namesInState().includes('queue.lock.left-unknown'));
  });
});
