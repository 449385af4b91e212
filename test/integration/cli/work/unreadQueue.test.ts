import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { machineId } from '../../../../src/platform/processes/machine';
import { systemProcesses } from '../../../../src/platform/processes/processes';
import { CliHarness } from '../cliHarness';
import { openCliQueue } from '../fileQueue';

/** Ways in which a queue becomes unreadable while a worker runs, and how the answer of `stop` starts. */
const UNREAD: Readonly<Record<string, readonly [spoil: (cli: CliHarness) => void, why: RegExp]>> = {
  'whose file is gone': [
    (cli) => {
      rmSync(cli.queueFile);
    },
    /^The queue file is gone\./,
  ],
  'whose file is a folder': [
    (cli) => {
      rmSync(cli.queueFile);
      mkdirSync(cli.queueFile);
    },
    /prompts\.csv .*not a regular file/,
  ],
  'whose settings are not YAML': [
    (cli) => {
      cli.writeFile('config.yaml', 'maxPerHour: [1');
    },
    /config\.yaml:1:15 is not valid YAML/,
  ],
  'whose time zone does not exist': [
    (cli) => {
      cli.writeFile('config.yaml', 'timeZone: Mars/Olympus');
    },
    /config\.yaml: timeZone must be/,
  ],
};

for (const [name, [spoil, why]] of Object.entries(UNREAD)) {
  describe(`A worker of a queue ${name}`, () => {
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
      spoil(cli);
    });

    afterEach(() => {
      worker.kill('SIGKILL');
      cli.remove();
    });

    it('is named by "stop", which cannot ask it and ends nothing', async () => {
      const { code, out } = await cli.call('stop');
      assert.equal(code, 1);
      assert.match(out, why);
      assert.match(out, / Its workers cannot be asked to stop: 42\. End them with .*stop --now/);
      assert.equal(worker.exitCode ?? worker.signalCode, null);
    });

    it('is ended by "stop --now"', async () => {
      const { code, out } = await cli.call('stop', '--now');
      assert.match(out, why);
      assert.deepEqual([code, out.split('\n').at(-1)], [0, 'All workers have ended.']);
      await ended;
      const again = await cli.call('stop');
      assert.match(again.out + again.err, again.code === 0 ? /^No worker is running\.$/ : why);
    });
  });
}
