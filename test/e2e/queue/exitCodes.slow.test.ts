import assert from 'node:assert/strict';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { hang, limit, overload, signInFailure, text, tool, unknownModel } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { RowCells } from '../../support/queue/rows';
import type { Turn } from '../../support/claude/turn';

const LIMIT = limit({ kind: 'five_hour', resetInSeconds: 600 });

/** One task that ends in one way: what `run` answers, and what it says. */
interface Case {
  readonly name: string;
  readonly code: number;
  readonly says: RegExp;
  readonly row?: Omit<RowCells, 'id' | 'prompt'>;
  readonly respond?: (turn: Turn) => Reply;
}

/** Claude is refused a tool, and says that it has finished all the same. */
const refused = (turn: Turn): Reply =>
  turn.toolResults === 0 ? tool('Bash', { command: 'python3 -c "print(1)"' }) : text('Finished.');

const ENDS: readonly Case[] = [
  { name: 'a success', code: 0, says: /ended: success/ },
  {
    name: 'a task that wants a look',
    code: 0,
    says: /ended: review \(denied\).*refused.*Bash/,
    respond: refused,
  },
  {
    name: 'a check that fails',
    code: 1,
    says: /ended: error \(verify-failed\)/,
    row: { verify: '["false"]' },
  },
  {
    name: 'a timeout',
    code: 1,
    says: /ended: error \(timeout\)/,
    row: { timeout: '1s' },
    respond: () => hang(),
  },
  { name: 'an overloaded API', code: 1, says: /ended: transient/, respond: () => overload() },
  { name: 'the usage limit', code: 2, says: /ended: limit \(five_hour\)/, respond: () => LIMIT },
  {
    name: 'a sign-in that is no longer good',
    code: 2,
    says: /ended: blocked/,
    respond: () => signInFailure(),
  },
  {
    name: 'a working directory that is not there',
    code: 3,
    says: /ended: permanent \(bad-working-dir\).*nowhere/,
    row: { working_dir: 'nowhere' },
  },
  {
    name: 'an unknown model',
    code: 3,
    says: /ended: permanent/,
    row: { model: 'nobody' },
    respond: () => unknownModel('nobody'),
  },
  {
    name: 'the last of its tries',
    code: 3,
    says: /ended: error \(verify-failed\) → failed/,
    row: { verify: '["false"]', max_retries: 1 },
  },
];

describe('The exit code of run', () => {
  for (const { name, code, says, row, respond } of ENDS) {
    it(`is ${code} for ${name}`, async () => {
      const { queue } = await openPlace(respond === undefined ? {} : { respond });
      await queue.trust([{ id: 1, prompt: 'Try it', ...row }]);
      const ended = await queue.run('run');
      assert.match(ended.stdout, says);
      assert.equal(ended.code, code, ended.stderr);
    });
  }

  it('is 1 for a cancelled task, and 4 for a second run, which names the running task', async () => {
    const place = await openPlace({ respond: () => hang() });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Try it' },
      { id: 2, prompt: 'Then this' },
    ]);
    const running = queue.start('run');
    await place.api.waitForTurn((turn) => isAbout(turn, 'Try it'));
    const second = await queue.run('run');
    assert.equal(second.code, 4);
    assert.match(second.stdout, /Nothing runs: worker \d+ is running task 1\./);
    assert.equal((await queue.run('cancel 1')).code, 0);
    const { code, stdout } = await running.ended;
    assert.equal(code, 1);
    assert.match(stdout, /ended: cancelled/);
    assert.equal((await queue.task(1)).status, 'cancelled');
  });

  it('is 2 for a closed gate, 2 for a used-up budget, and 4 for no eligible task', async () => {
    const limited = await openPlace({ respond: () => LIMIT });
    const frugal = await openPlace({ env: { CLAUDE_QUEUE_MAX_PER_HOUR: '1' } });
    const rows = [
      { id: 1, prompt: 'Try it' },
      { id: 2, prompt: 'Then this' },
    ];
    await Promise.all([limited, frugal].map(({ queue }) => queue.trust(rows)));
    assert.deepEqual([(await limited.queue.run('run')).code, (await frugal.queue.run('run')).code], [2, 0]);
    const [gate, budget] = await Promise.all([limited, frugal].map(({ queue }) => queue.run('run')));
    assert.equal(gate?.code, 2, gate?.stdout);
    assert.equal(budget?.code, 2);
    assert.match(budget.stdout, /at most 1 an hour, next at/);
    assert.equal(limited.api.turns().length, 1);

    frugal.queue.write([{ id: 1, prompt: 'Try it', status: 'completed' }]);
    const nothing = await frugal.queue.run('run');
    assert.equal(nothing.code, 4, nothing.stdout);
  });

  it('is 64 for an invalid call', async () => {
    const { queue } = await openPlace();
    await queue.trust([{ id: 1, prompt: 'Try it' }]);
    const calls = [
      'run --id none',
      'run --faster',
      'run 1 2',
      'work --max-tasks many',
      'work --until noonish',
      'approve --all 1',
      'dance',
    ];
    const ends = await Promise.all(calls.map((call) => queue.run(call)));
    assert.deepEqual(
      ends.map(({ code }, index) => [calls[index], code]),
      calls.map((call) => [call, 64]),
    );
    assert.ok(ends.every(({ stderr }) => stderr !== ''));
    assert.equal((await queue.task(1)).status, 'pending');
  });
});

describe('The exit code of work', () => {
  it('is 0 when every attempt succeeded, then 4 when nothing is left', async () => {
    const { queue } = await openPlace();
    await queue.trust([
      { id: 1, prompt: 'One' },
      { id: 2, prompt: 'Two' },
      { id: 3, prompt: 'Three' },
    ]);
    const bounded = await queue.run('work --max-tasks 2');
    assert.deepEqual([bounded.code, bounded.stdout.trim().split('\n').at(-1)], [0, 'Ran 2 attempts.']);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.equal((await queue.run('work --until-empty')).code, 4);
    const { tasks } = await queue.status();
    assert.deepEqual(new Set(tasks.map(({ status }) => status)), new Set(['completed']));
  });

  it('is 1 when a task failed permanently, after the others completed', async () => {
    const { queue } = await openPlace();
    await queue.trust([
      { id: 1, prompt: 'One', priority: 'high', verify: '["false"]', max_retries: 1 },
      { id: 2, prompt: 'Two' },
    ]);
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 1);
    assert.match(stdout, /Ran 2 attempts; failed: task 1\./);
    assert.deepEqual(
      (await queue.status()).tasks.map(({ shown }) => shown),
      ['dead', 'completed'],
    );
  });

  it('is 2 when the gate needs the user; after the sign-in, "resume" continues', async () => {
    let signedIn = false;
    const place = await openPlace({ respond: () => (signedIn ? text('Done.') : signInFailure()) });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'One' },
      { id: 2, prompt: 'Two' },
    ]);
    const closed = await queue.run('work --until-empty');
    assert.equal(closed.code, 2, closed.stdout);
    const asked = place.api.turns().length;
    signedIn = true;
    assert.equal(
      (await queue.run('work --until-empty')).code,
      2,
      'a sign-in without "resume" changes nothing',
    );
    assert.equal(place.api.turns().length, asked);
    const status = await queue.status();
    assert.deepEqual([status.gate.state, status.gate.until, status.gate.reason], ['closed', null, 'sign-in']);
    assert.deepEqual(
      status.tasks.map(({ retryCount }) => retryCount),
      [0, 0],
    );

    assert.equal((await queue.run('resume')).code, 0);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(
      new Set((await queue.status()).tasks.map((task) => task.status)),
      new Set(['completed']),
    );
  });
});
