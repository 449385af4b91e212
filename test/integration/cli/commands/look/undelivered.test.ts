import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { callbackKey, type CallbackFailure } from '../../../../../src/domain/queue/callbacks';
import { machineId } from '../../../../../src/platform/processes/machine';
import { CliHarness } from '../../cliHarness';
import { openCliQueue } from '../../fileQueue';

describe('The status of callbacks', () => {
  let cli: CliHarness;
  beforeEach(async () => {
    cli = new CliHarness();
    cli.write('2,medium,.,Write the report,pending,,,no,,0,3');
    await cli.call('trust');
  });
  afterEach(() => cli.remove());

  it('names a receiver that gets no callbacks, until it gets one or is not used any more', async () => {
    const url = 'https://hook.test/secret-path';
    cli.env['CLAUDE_QUEUE_CALLBACK_URL'] = url;
    const sender = { machine: machineId(), process: cli.self() };
    const host = 'https://hook.test';
    const settle = async (failure: CallbackFailure | null): Promise<void> => {
      await cli.call('next');
      await cli.call('done');
      const queue = await openCliQueue(cli);
      const request = { sender, targets: ['queue'], limit: 8 } as const;
      const tries = (await queue.claimCallbacks(request, randomUUID())).map(({ callback }) => ({
        key: callbackKey(callback),
        ...{ host, failure },
      }));
      assert.equal(tries.length, 1);
      await queue.settleCallbacks(sender, tries, randomUUID());
      await queue.close();
    };
    await settle({ kind: 'private', address: '10.0.0.1' });
    const line =
      'The callback of task 2 to https://hook.test was not delivered at 18:00, and no other one there since then. 10.0.0.1 is a private address that callbackAllow does not have. Check callbackUrl.';
    const isShown = async (): Promise<boolean> => (await cli.call('status')).out.split('\n').includes(line);
    assert.equal(await isShown(), true);
    delete cli.env['CLAUDE_QUEUE_CALLBACK_URL'];
    assert.equal(await isShown(), false);
    cli.env['CLAUDE_QUEUE_CALLBACK_URL'] = url;
    await cli.call('retry', '2');
    await settle(null);
    assert.equal(await isShown(), false);
  });
});
