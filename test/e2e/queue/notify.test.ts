import assert from 'node:assert/strict';
import { NotifyProgram } from '../../support/machine/notifyProgram';
import { openPlace, type Place } from '../../support/queue/queuePlace';
import { signInFailure } from '../../support/claude/replies';
import { until } from '../../support/until';
import { LONG_ROW, openLongPlace, waitForTool } from '../attempts/runningTool';

const SECRET = 'sk-ant-0123456789abcdefghij';

const SUM = { completed: 1, failed: 1, review: 0, left: 0, costUsd: 0, isCostComplete: true, durationMs: 0 };

const ROWS = [
  { id: 1, prompt: `Fix the login with ${SECRET}`, working_dir: 'nowhere' },
  { id: 2, prompt: 'Write the docs' },
];

describe('The notify command', () => {
  it('runs once for each event, with its texts as arguments and JSON as input', async () => {
    const { queue, notify } = await open();
    await queue.trust(ROWS);
    const { stdout } = await queue.run('work --until-empty', notify.variable());
    assert.deepEqual(notify.events(), ['failed 1', 'all-done'], stdout);
    const [failed, done] = notify.runs().map(({ args, input: { title, message, sum } }) => {
      assert.deepEqual([title, message], args);
      return { title, message, sum };
    });
    assert.equal(failed?.title, 'Task 1 failed permanently');
    assert.match(failed.message, /^Prompt: Fix the login with \[redacted Anthropic key\]/);
    assert.equal(done?.title, 'Queue finished: 1 completed, 1 failed');
    assert.deepEqual({ ...done.sum, costUsd: 0, durationMs: 0 }, SUM);
    assert.doesNotMatch(
      JSON.stringify(notify.runs().map(({ args, input }) => [args, input])),
      new RegExp(SECRET),
    );
    assert.match(stdout, /Queue finished: 1 completed, 1 failed\./);
    await queue.run('work --until-empty', notify.variable());
    assert.equal(notify.runs().length, 2, 'nothing is sent again');
  });

  it('gets the user’s variables and none of this program', async () => {
    const { queue, notify } = await open();
    await queue.trust(ROWS);
    await queue.run('work --until-empty', { ...notify.variable(), MY_TOPIC: 'mine', CLAUDECODE: '1' });
    const [{ env } = assert.fail('it was not run')] = notify.runs();
    assert.deepEqual(
      Object.keys(env).filter((name) => /^CLAUDE_QUEUE|^CLAUDECODE$/.test(name)),
      [],
    );
    assert.equal(env['MY_TOPIC'], 'mine');
  });

  it('that fails is reported, stops no worker, and is run again by the next one', async () => {
    const { queue, notify } = await open();
    await queue.trust(ROWS);
    const { stdout } = await queue.run('work --until-empty', notify.variable('fail'));
    assert.match(
      stdout,
      /The notify command ".*" failed for "Task 1 failed permanently": it ended with exit code 3 \(no such server\)\. Check the setting notify\./,
    );
    assert.match(stdout, / Not sent: 2 notices\. The next worker tries again\.$/m);
    assert.equal((await queue.task(2)).status, 'completed');
    assert.deepEqual([...new Set(notify.events())], ['failed 1', 'all-done']);
    const failed = notify.runs().length;
    await queue.run('work --until-empty', notify.variable());
    assert.deepEqual(notify.events().slice(failed), ['failed 1', 'all-done']);
  });

  it('is refused in the config.yaml of a queue', async () => {
    const { queue, notify } = await open();
    await queue.trust(ROWS);
    queue.writeRules(`notify: ${JSON.stringify(notify.command())}`);
    const { stderr, code } = await queue.run('work --until-empty');
    assert.notEqual(code, 0);
    assert.match(stderr, /notify belongs to this machine, not to the queue/);
    assert.deepEqual(notify.runs(), []);
  });

  it('runs again by the next worker if the first one was killed while it ran', async () => {
    const { queue, notify } = await open();
    await queue.trust(ROWS);
    const worker = queue.start('work', notify.variable('hang'));
    await until('it runs', () => notify.runs().length > 0);
    worker.kill('SIGKILL');
    await worker.ended;
    await queue.run('work --until-empty', notify.variable());
    const events = notify.events();
    assert.equal(events.filter((event) => event === 'failed 1').length, 2);
    assert.equal(events.filter((event) => event === 'worker-died').length, 1);
    await queue.run('work --until-empty', notify.variable());
    assert.equal(notify.runs().length, events.length, 'all of it is recorded');
  });

  it('runs once when the account needs the user, however many tasks are affected', async () => {
    const { queue, home } = await openPlace({ respond: () => signInFailure() });
    const notify = new NotifyProgram(home.folder);
    await queue.trust([1, 2].map((id) => ({ id, prompt: `Do ${String(id)}` })));
    for (let start = 0; start < 2; start += 1) await queue.run('work --until-empty', notify.variable());
    assert.deepEqual(notify.events(), ['blocked']);
    assert.equal(notify.runs()[0]?.args[0], 'Sign in needed: Claude Code is not signed in');
  });

  it('reports a killed worker once, whichever worker is next', async () => {
    const place = await openLongPlace();
    const notify = new NotifyProgram(place.home.folder);
    const { queue } = place;
    await queue.trust([LONG_ROW]);
    const worker = queue.start('work');
    await waitForTool(place, worker);
    worker.kill('SIGKILL');
    await worker.ended;
    const { stdout } = await queue.run('work --until-empty', notify.variable());
    assert.equal(stdout.match(/Worker \d+ died\./g)?.length, 1, stdout);
    assert.deepEqual(notify.events(), ['worker-died', 'all-done']);
  });
});

async function open(): Promise<{ queue: Place['queue']; notify: NotifyProgram }> {
  const { queue, home } = await openPlace();
  return { queue, notify: new NotifyProgram(home.folder) };
}
