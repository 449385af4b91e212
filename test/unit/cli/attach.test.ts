import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Attempt } from '../../../src/domain/attempt';
import { decide } from '../../../src/domain/decide';
import { defaults } from '../../../src/domain/settings';
import type { ClaimRef, TaskQueue } from '../../../src/queue/taskQueue';
import { Desk, FakeKeyboard, type Answer } from './desk';
import { openDeskQueue, startRun } from './fileQueue';

const RUN = { pid: 4242, startedAt: 'then' };

let desk: Desk;
let queue: TaskQueue;
let running: ClaimRef & { readonly attempt: number };
beforeEach(async () => {
  desk = new Desk();
  desk.write(
    '1,high,.,"Write the report\nwith care",pending,,,no,,0,3',
    '2,low,.,Then that,pending,,,no,,0,3',
  );
  queue = await openDeskQueue(desk);
  running = await startRun(desk, queue, RUN);
});
afterEach(async () => {
  await queue.close();
  desk.remove();
});

/** What the run says. */
function say(text: string, attempt = running.attempt): void {
  const file = join(desk.queueFolder, 'state', 'outputs', `task-1-attempt-${String(attempt)}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(
    file,
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`,
  );
}

async function end(): Promise<void> {
  const { tasks } = await queue.read();
  const definition = tasks[0]?.definition;
  assert.ok(definition);
  const verdict = { outcome: 'success', reason: 'done' } as const;
  const circumstances = { now: desk.now, random: 0.5, settings: defaults, timeZone: 'UTC' };
  const counts = { retryCount: 0, transientInRow: 0, lostInRow: 0 };
  const change = decide(definition, counts, verdict, circumstances);
  const attempt: Attempt = {
    id: 1,
    number: running.attempt,
    power: 'p',
    session: null,
    startedAt: desk.now,
    endedAt: desk.now,
    ...verdict,
    message: 'It is done.',
    code: 0,
    output: `task-1-attempt-${String(running.attempt)}.jsonl`,
  };
  await queue.finish(running, { change, attempt, definition }, 'end');
}

/** Calls `attach`, and does something at the first line that matches. */
function attach(at: RegExp, then: () => void | Promise<void>, ...args: readonly string[]): Promise<Answer> {
  let isDone = false;
  return new Promise((resolve, reject) => {
    desk.onLine = (text) => {
      if (isDone || !at.test(text)) return;
      isDone = true;
      Promise.resolve(then()).catch(reject);
    };
    desk.call('attach', ...args).then(resolve, reject);
  });
}

describe('One who attaches', () => {
  it('sees what runs, what it says, and how it ends', async () => {
    say('I begin.');
    const answer = await attach(/I begin/, async () => {
      say('I go on.');
      desk.onLine = (text) => {
        if (text.includes('I go on')) void end();
        if (text === 'Nothing is running.') desk.end.abort();
      };
      await Promise.resolve();
    });
    assert.equal(answer.code, 0);
    assert.deepEqual(answer.out.split('\n'), [
      'Task 1, attempt 1: Write the report',
      '  1 │ I begin.',
      '  1 │ I go on.',
      'Task 1 ended: success (done). It is done.',
      'Nothing is running.',
    ]);
  });

  it('to one task stays to its end and no longer', async () => {
    say('I begin.');
    const { code, out } = await attach(/I begin/, end, '1');
    assert.equal(code, 0);
    assert.match(out, /Task 1 ended: success \(done\)\. It is done\.$/);
  });

  it('to a task that has ended sees its newest output', async () => {
    say('I begin.');
    await end();
    const { code, out } = await desk.call('attach', '1');
    assert.deepEqual([code, out], [0, 'I begin.\nTask 1 ended: success (done). It is done.']);
  });

  it('to a task that has not run is told so', async () => {
    const { code, err } = await desk.call('attach', '2');
    assert.deepEqual([code, err], [1, 'Task 2 has no output yet: it has not run here.']);
  });

  it('sees that a task was given back', async () => {
    const { out } = await attach(
      /^Task 1, attempt 1/,
      () => queue.release(running, 'stopped', 'release'),
      '1',
    );
    assert.match(out, /Task 1 was given back\.$/);
  });

  it('sees only once that nothing runs, and does not see what a person does by hand', async () => {
    await end();
    await desk.call('next');
    let looks = 0;
    desk.onSleep = () => {
      looks += 1;
      if (looks === 3) desk.end.abort();
    };
    assert.equal((await desk.call('attach')).out, 'Nothing is running.');
    assert.equal(looks, 3);
  });
});

describe('The keys of one who attaches', () => {
  let keyboard: FakeKeyboard;
  beforeEach(() => {
    keyboard = new FakeKeyboard();
    desk.keyboard = keyboard;
  });

  for (const [name, key] of [
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ] as const) {
    it(`leave with ${name}, and nothing stops`, async () => {
      const { code, out } = await attach(/^Task 1/, () => {
        assert.equal(keyboard.isRaw, true);
        keyboard.press('?');
        keyboard.press(key);
      });
      assert.equal(code, 0);
      assert.match(out, /^s: stop after this task · x: stop now · q: leave\n/);
      const { stop, claims } = await queue.read();
      assert.deepEqual([stop, claims.length], [null, 1]);
      assert.deepEqual([keyboard.isRaw, keyboard.isPaused, keyboard.listenerCount('data')], [false, true, 0]);
    });
  }

  for (const [key, how] of [
    ['s', 'after-task'],
    ['x', 'now'],
  ] as const) {
    it(`ask the workers to stop with ${key} (${how}), and go on showing`, async () => {
      const asked = new AbortController();
      queue.watch(() => {
        void queue.read().then(({ stop }) => {
          if (stop !== null) keyboard.press('q');
        });
      }, asked.signal);
      await attach(/^Task 1/, () => {
        keyboard.press(key);
      });
      asked.abort();
      assert.equal((await queue.read()).stop?.how, how);
    });
  }

  it('say so when a stop could not be asked for', async () => {
    const { code, err } = await attach(/^Task 1/, () => {
      desk.onLine = () => {
        keyboard.press('q');
      };
      desk.failIds = true;
      keyboard.press('s');
    });
    assert.deepEqual([code, err], [0, 'The queue does not take it.']);
  });
});
