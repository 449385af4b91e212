import assert from 'node:assert/strict';
import { type CliHarness, openWorkCli } from '../cliHarness';
import { openCliQueue, registerWorker } from '../fileQueue';

describe('The output of a command that works', () => {
  let cli: CliHarness;
  beforeEach(async () => {
    cli = await openWorkCli();
  });
  afterEach(() => cli.remove());

  it('has the date in each line of a task in a log, which may have many nights', async () => {
    const { out } = await cli.call('work', '--until-empty');
    assert.match(out, /^2026-11-20 18:00:00 {2}Task 1 \(high, attempt 1\): Do it$/m);
  });

  it('prints the time of day alone to a terminal, where one night is seen', async () => {
    cli.passing = [];
    assert.match(
      (await cli.call('work', '--until-empty')).out,
      /^18:00:00 {2}Task 1 \(high, attempt 1\): Do it$/m,
    );
  });

  it('prints at each start by a timer when that was, by the clock of the queue', async () => {
    cli.writeFile('config.yaml', 'timeZone: Asia/Tokyo\n');
    const start = async (): Promise<readonly string[]> => {
      const { out } = await cli.call('work', '--until-empty', '--alone', '--scheduled');
      return out.split('\n');
    };
    assert.equal((await start())[0], '2026-11-21 03:00:00  Started by the timer.');
    cli.now += 30 * 60_000;
    const queue = await openCliQueue(cli);
    const worker = await registerWorker(cli, queue);
    await queue.close();
    const second = await start();
    assert.equal(second[0], '2026-11-21 03:30:00  Started by the timer.');
    assert.equal(second.at(-1), `Worker ${worker} is already running.`);
    cli.writeFile('config.yaml', 'timeZone: Nowhere\n');
    const refused = await cli.call('work', '--until-empty', '--alone', '--scheduled');
    assert.deepEqual([refused.code, refused.out], [64, '2026-11-20 18:30:00  Started by the timer.']);
  });
});
