import assert from 'node:assert/strict';
import { HEADER, openWorkCli } from '../../cliHarness';
import { openCliQueue, registerWorker } from '../../fileQueue';

describe('A worker of some tags', () => {
  it('takes tasks with one of them alone, beside a worker of other tags', async () => {
    const cli = await openWorkCli();
    cli.writeFile(
      'prompts.csv',
      `${HEADER},tags\n${['1,high,.,Do it,pending,,,no,,0,3,docs', '2,low,.,Do it,pending,,,no,,0,3,web'].join('\n')}\n`,
    );
    await cli.call('trust');
    const queue = await openCliQueue(cli);
    await registerWorker(cli, queue, '#docs');
    await queue.close();
    const { code, out } = await cli.call('work', '--tags', 'web', '--alone', '--until-empty');
    assert.equal(code, 0, out);
    assert.match(out, /Task 2 ended: success[^]*Ran 1 attempt\.$/);
    assert.equal((await cli.shown(1))?.[0], 'ready');
    const second = await cli.call('work', '--tags', 'docs', '--alone', '--until-empty');
    assert.match(second.out, /^Worker \d+ \(#docs\) is already running\.$/m);
    const both = await cli.call('work', '--tags', 'web', '--pool', 'fast');
    assert.match(
      both.err,
      /A pool has its own priorities and tags: give --pool, or --priorities and --tags\./,
    );
    cli.remove();
  });
});
