import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Attempt } from '../../../../../src/domain/task/attempt';
import { FollowedAttempts } from '../../../../../src/cli/output/followedAttempts';
import { renderLine, type Line } from '../../../../../src/cli/output/line';
import { decide } from '../../../../../src/domain/task/decide';
import { defaults } from '../../../../../src/domain/settings/settings';
import type { ClaimRef, TaskQueue } from '../../../../../src/queue/taskQueue';
import { CliHarness, FakeKeyboard, type Answer } from '../../cliHarness';
import { registerWorker, openCliQueue, startAttempt } from '../../fileQueue';

const RUN = { pid: 4242, startedAt: 'then' };
const openReportToken = () => ({ find: () => Promise.resolve(undefined) });

let cli: CliHarness;
let queue: TaskQueue;
let running: ClaimRef & { readonly attempt: number };

function prepareEach(): void {
  beforeEach(async () => {
    cli = new CliHarness();
    cli.write(
      '1,high,.,"Write the report\nwith care",pending,,,no,,0,3',
      '2,low,.,Then that,pending,,,no,,0,3',
    );
    queue = await openCliQueue(cli);
    running = await startAttempt(cli, queue, RUN);
  });
  afterEach(async () => {
    await queue.close();
    cli.remove();
  });
}

/** Appends a text of Claude to the attempt's output. */
function say(text: string, attempt = running.attempt): void {
  const file = join(cli.queueFolder, 'state', 'outputs', `task-1-attempt-${String(attempt)}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(
    file,
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`,
  );
}

async function end(): Promise<void> {
  const { tasks } = await queue.read();
  assert.ok(tasks[0]);
  const { definition, state } = tasks[0];
  const verdict = { outcome: 'success', reason: 'done' } as const;
  const circumstances = { now: cli.now, random: 0.5, settings: defaults, timeZone: 'UTC' };
  const counts = { retryCount: 0, transientInRow: 0, lostInRow: 0 };
  const change = decide(definition, counts, verdict, circumstances);
  const attempt: Attempt = {
    id: 1,
    number: running.attempt,
    power: state.power,
    session: null,
    startedAt: cli.now,
    endedAt: cli.now,
    ...verdict,
    message: 'It is done.',
    code: 0,
    output: `task-1-attempt-${String(running.attempt)}.jsonl`,
  };
  await queue.finish(running, { change, attempt, definition }, `end ${String(running.attempt)}`);
}

/** Calls `attach`, and does something at the first line that matches. */
function attach(at: RegExp, then: () => void | Promise<void>, ...args: readonly string[]): Promise<Answer> {
  let isDone = false;
  return new Promise((resolve, reject) => {
    cli.onLine = (text) => {
      if (isDone || !at.test(text)) return;
      isDone = true;
      Promise.resolve(then()).catch(reject);
    };
    cli.call('attach', ...args).then(resolve, reject);
  });
}

describe('attach', () => {
  prepareEach();

  it('shows running tasks, their output and their end', async () => {
    say('I begin.');
    const answer = await attach(/I begin/, async () => {
      say('I continue.');
      cli.onLine = (text) => {
        if (text.includes('I continue')) void end();
        if (text === 'No worker is running.') cli.end.abort();
      };
      await Promise.resolve();
    });
    assert.equal(answer.code, 0);
    assert.deepEqual(answer.out.split('\n'), [
      'Task 1, attempt 1: Write the report',
      '  1 │ I begin.',
      '  1 │ I continue.',
      'Task 1 succeeded. It is done.',
      'No worker is running.',
    ]);
  });

  it('of one task ends with the task', async () => {
    say('I begin.');
    const { code, out } = await attach(/I begin/, end, '1');
    assert.equal(code, 0);
    assert.match(out, /Task 1 succeeded\. It is done\.$/);
  });

  it('of an ended task shows its newest output', async () => {
    say('I begin.');
    await end();
    const { code, out } = await cli.call('attach', '1');
    assert.deepEqual([code, out], [0, 'I begin.\nTask 1 succeeded. It is done.']);
  });

  it('of a task that never ran reports that', async () => {
    const { code, err } = await cli.call('attach', '2');
    assert.deepEqual([code, err], [1, 'Task 2 has no output yet: it has not run here.']);
  });

  it('shows that a task was returned', async () => {
    const { out } = await attach(
      /^Task 1, attempt 1/,
      () => queue.release(running, 'stopped', 'release'),
      '1',
    );
    assert.match(out, /Task 1 was returned to the queue\.$/);
  });

  it('shows only once that no worker is running, and not what the user does by hand', async () => {
    cli.keyboard = new FakeKeyboard();
    await end();
    await cli.call('next');
    let looks = 0;
    cli.onSleep = () => {
      looks += 1;
      if (looks === 3) cli.end.abort();
    };
    assert.match((await cli.call('attach')).out, /q: detach\nNo worker is running\.$/);
    assert.equal(looks, 3);
  });

  it('shows what the worker waits for, its changes, and its start', async () => {
    await end();
    await cli.call('trust');
    await registerWorker(cli, queue);
    await queue.hold({ by: 'person', why: 'lunch' }, 'hold');
    const steps: Record<string, () => Promise<unknown>> = {
      'Waiting: the queue is paused (lunch)': () => closeGate(),
      'Waiting 1 h 3 min: 5-hour usage window used up, resets 19:02': async () => {
        await cli.openGate().reopen();
        await startAttempt(cli, queue, { pid: 4243, startedAt: 'then' });
      },
      'Task 2, attempt 1: Then that': async () => {
        cli.end.abort();
        await Promise.resolve();
      },
    };
    const closeGate = async (): Promise<void> => {
      const signal = { kind: 'five_hour', resetAt: cli.now + 62 * 60_000, message: 'limit' } as const;
      await cli.openGate().report({ signal, usage: [] });
      await queue.resume('resume');
    };
    cli.onLine = (text) => {
      void steps[text]?.();
    };
    assert.equal((await cli.call('attach')).out, Object.keys(steps).join('\n'));
  });

  it('shows in a terminal the time until something runs', async () => {
    await end();
    await cli.call('trust');
    await registerWorker(cli, queue);
    const signal = { kind: 'five_hour', resetAt: cli.now + 62 * 60_000, message: 'limit' } as const;
    await cli.openGate().report({ signal, usage: [] });
    cli.passing = [];
    let looks = 0;
    cli.onSleep = () => {
      looks += 1;
      if (looks === 2) cli.now += 60_000;
      if (looks === 3) cli.end.abort();
    };
    const { out } = await cli.call('attach');
    assert.equal(out, '');
    assert.deepEqual(
      [...new Set(cli.passing)],
      [
        'Waiting 1 h 3 min: 5-hour usage window used up, resets 19:02',
        'Waiting 1 h 2 min: 5-hour usage window used up, resets 19:02',
        '',
      ],
    );
  });

  it('shows the outcome in words, with colours if they are enabled', async () => {
    cli.hasColours = true;
    say('I begin.');
    await end();
    const { out } = await cli.call('attach', '1');
    assert.ok(out.endsWith('\u001b[1mTask 1\u001b[22m \u001b[32msucceeded\u001b[39m. It is done.'), out);
  });

  it('reports once that the queue cannot be read, and continues when it can', async () => {
    // Closing writes what the start left to write, while there is still a file for it.
    await queue.close();
    queue = await openCliQueue(cli);
    const file = join(cli.queueFolder, 'prompts.csv');
    const bytes = readFileSync(file);
    let looks = 0;
    const { out, err } = await attach(/^Task 1, attempt 1/, () => {
      rmSync(file);
      cli.onSleep = () => {
        looks += 1;
        if (looks === 3) writeFileSync(file, bytes);
      };
      cli.onLine = (text) => {
        if (text === 'The queue is readable again.') void end();
        if (text === 'No worker is running.') cli.end.abort();
      };
    });
    assert.match(err, /^There is no queue file .*\nRetrying until it is readable\.$/);
    assert.match(out, /The queue is readable again\.\nTask 1 succeeded\. It is done\.\n/);
  });
});

describe('The keys of attach', () => {
  prepareEach();

  let keyboard: FakeKeyboard;
  beforeEach(() => {
    keyboard = new FakeKeyboard();
    cli.keyboard = keyboard;
  });

  for (const [name, key] of [
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
    ['a repeated Ctrl-C that arrives at once', '\u0003\u0003'],
  ] as const) {
    it(`leave with ${name}, and nothing stops`, async () => {
      const { code, out } = await attach(/^Task 1/, () => {
        assert.equal(keyboard.isRaw, true);
        keyboard.press('?');
        keyboard.press(key);
      });
      assert.equal(code, 0);
      assert.match(out, /^\/.*prompts\.csv\ns: stop after this task · x: stop now · q: detach\n/);
      const { stop, claims } = await queue.read();
      assert.deepEqual([stop, claims.length], [null, 1]);
      assert.deepEqual([keyboard.isRaw, keyboard.isPaused, keyboard.listenerCount('data')], [false, true, 0]);
    });
  }

  for (const [key, how, says] of [
    ['s', 'after-task', 'Asked the workers of this queue to stop after their current task. Running: 1.'],
    ['x', 'now', 'Asked the workers of this queue to stop now. Running: 1. Waiting at most 20 s for that.'],
  ] as const) {
    it(`ask the workers to stop with ${key} (${how}), report it, and keep showing output`, async () => {
      await attach(/^Task 1/, () => {
        cli.onLine = (text) => {
          if (text === says) say('Still here.');
          if (text.includes('Still here.')) keyboard.press('q');
        };
        keyboard.press(key);
      });
      assert.equal((await queue.read()).stop?.how, how);
    });
  }

  it('close an output that stays open at its end', async () => {
    say('I begin.');
    await end();
    const { code, out } = await attach(/^q: detach$/, () => keyboard.press('q'), '1', '--stay');
    assert.equal(code, 0);
    assert.match(
      out,
      /\ntask +1, attempt 1\noutcome +success.*\n\nI begin\.\nTask 1 succeeded\. It is done\.\nq: detach$/s,
    );
  });

  it('are not read without a keyboard', async () => {
    say('I begin.');
    await end();
    cli.keyboard = null;
    const { out } = await cli.call('attach', '1', '--stay');
    assert.match(out, /It is done\.$/);
  });

  it('report that nothing is running', async () => {
    await end();
    const keys = ['s', 'q'];
    cli.onLine = (text) => {
      if (text === 'No worker is running.') keyboard.press(keys.shift() ?? 'q');
    };
    assert.match((await cli.call('attach')).out, /No worker is running\.\nNo worker is running\.$/);
  });

  it('act one after the other, and the action of x ends before the terminal is left', async () => {
    const { out } = await attach(/^Task 1/, () => {
      keyboard.press('x');
      keyboard.press('s');
      keyboard.press('q');
    });
    assert.match(out, /to stop now\. .*\nWorker 42 does not respond; .*\n.*to stop after/);
  });

  it('report a stop request that failed', async () => {
    const { code, err } = await attach(/^Task 1/, () => {
      cli.onLine = () => {
        keyboard.press('q');
      };
      cli.failIds = true;
      keyboard.press('s');
    });
    assert.deepEqual([code, err], [0, 'The queue does not take it.']);
  });
});

describe('Followed attempts', () => {
  prepareEach();

  it('are shown whole if they started and ended between two looks', async () => {
    say('I begin.');
    await end();
    const lines: string[] = [];
    const out = (line: Line): void => void lines.push(renderLine(line, false));
    const runs = new FollowedAttempts({ paths: cli.paths, openReportToken, system: { out } }, queue, null);
    await runs.look(await queue.read());
    assert.deepEqual(lines, []);

    cli.now += 1_000;
    await queue.command(1, 'retry', 'retry');
    running = await startAttempt(cli, queue, RUN);
    say('I begin anew.');
    await end();
    await runs.look(await queue.read());
    await runs.look(await queue.read());
    assert.deepEqual(lines, [
      'Task 1, attempt 2: Write the report',
      '  1 │ I begin anew.',
      'Task 1 succeeded. It is done.',
    ]);
  });
});
