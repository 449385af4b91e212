import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { machineId } from '../../../../src/platform/processes/machine';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { CliHarness } from '../cliHarness';
import { openCliQueue } from '../fileQueue';

describe('A worker whose queue file is gone', () => {
  let cli: CliHarness;
  let worker: ChildProcess;
  let ended: Promise<unknown>;

  beforeEach(async () => {
    cli = new CliHarness();
    cli.env['CLAUDE_QUEUE_STOP_GRACE'] = '100ms';
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    ended = once(worker, 'exit');
    const identity = systemProcesses.identify(worker.pid ?? 0);
    assert.ok(identity !== null);
    const owner = { kind: 'process', worker: '42', machine: machineId(), process: identity } as const;
    const queue = await openCliQueue(cli);
    await queue.register({ owner, since: cli.now }, { alone: false }, 'register');
    await queue.close();
    rmSync(cli.queueFile);
  });

  afterEach(() => {
    worker.kill('SIGKILL');
    cli.remove();
  });

  it('is named by "stop", which cannot ask it and ends nothing', async () => {
    const { code, out } = await cli.call('stop');
    assert.equal(code, 1);
    assert.match(
      out,
      /^The queue file is gone, so its workers read no request: 42\. End them with .*stop --now/,
    );
    assert.equal(worker.exitCode ?? worker.signalCode, null);
  });

  it('is ended by "stop --now"', async () => {
    const { code, out } = await cli.call('stop', '--now');
    assert.deepEqual([code, out.split('\n').at(-1)], [0, 'All workers have ended.']);
    await ended;
    assert.equal((await cli.call('stop')).out, 'No worker is running.');
  });
});
