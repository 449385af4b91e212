import assert from 'node:assert/strict';
import { defaults } from '../../../../../src/domain/settings/settings';
import { decide } from '../../../../../src/domain/task/decide';
import { VERIFIED, type Attempt, type Outcome } from '../../../../../src/domain/task/attempt';
import type { TaskId } from '../../../../../src/domain/task/task';
import type { TaskQueue } from '../../../../../src/queue/taskQueue';
import { attemptOf } from '../../../../conformance/harness';
import { CliHarness, FakeKeyboard } from '../../cliHarness';
import { endFirstTask, openCliQueue, startAttempt } from '../../fileQueue';

const lines = (insertions: number): Pick<Attempt, 'diff' | 'changedTests'> => ({
  diff: { files: 1, insertions, deletions: 0 },
  changedTests: true,
});
const checked = { outcome: 'success', reason: VERIFIED } as const;
const DENIALS = [{ tool: 'Bash', detail: 'rm -r build' }];

/** Ends of the tasks, in order. */
const ENDS: readonly (Partial<Attempt> & { readonly outcome: Outcome; readonly reason: string })[] = [
  { ...checked, ...lines(50) },
  { ...checked, ...lines(51) },
  { ...checked, ...lines(1), denials: DENIALS },
  { outcome: 'success', reason: 'done', ...lines(2) },
  { outcome: 'review', reason: 'denied', ...lines(3), denials: DENIALS },
  checked,
  { ...checked, ...lines(0), changedTests: false },
];

interface ReviewJson {
  readonly unreviewed: number;
  readonly max: number | null;
  readonly tasks: readonly {
    readonly task: TaskId;
    readonly risk: string | null;
    readonly verifiedAndSmall: boolean;
    readonly commands: readonly string[];
  }[];
}

describe('Unreviewed tasks in a terminal', () => {
  let cli: CliHarness;
  let queue: TaskQueue;
  let ended: number;

  beforeEach(async () => {
    cli = new CliHarness();
    cli.write(
      ...ENDS.map((_, index) => `${String(index + 1)},high,.,Task ${String(index + 1)},pending,,,no,,0,3`),
    );
    queue = await openCliQueue(cli);
    ended = 0;
    for (const end of ENDS) await endNext(end);
  });
  afterEach(async () => {
    await queue.close();
    cli.remove();
  });

  /** Runs the next task: it ends like this. */
  async function endNext(end: (typeof ENDS)[number]): Promise<void> {
    ended += 1;
    const ref = await startAttempt(cli, queue, { pid: 4242 + ended, startedAt: 'then' });
    const task = (await queue.find([ref.id]))[0];
    assert.ok(task?.claim !== undefined);
    const { definition, state, claim } = task;
    const circumstances = { now: cli.now, random: 0.5, settings: defaults, timeZone: 'UTC' };
    const change = decide(definition, state, { outcome: end.outcome, reason: end.reason }, circumstances);
    const attempt = attemptOf({ kind: 'claimed', claim, definition, state }, change, cli.now, {
      ...end,
      message: '',
    });
    await queue.finish(ref, { change, attempt: { ...attempt, ...end }, definition }, `end-${String(ended)}`);
    cli.now += 60_000;
  }

  const unreviewed = async (): Promise<TaskId[]> => {
    const { out } = await cli.call('review', '--json');
    return (JSON.parse(out) as ReviewJson).tasks.map(({ task }) => task);
  };
  const press = (answer: string): void => {
    const keyboard = new FakeKeyboard();
    cli.keyboard = keyboard;
    cli.onLine = (line) => {
      if (line.endsWith('[y/N]')) setImmediate(() => keyboard.press(`${answer}\n`));
    };
  };

  it('are listed with the riskiest first, and those without a risk last', async () => {
    const { code, out } = await cli.call('review', '--json');
    assert.equal(code, 0);
    const { tasks, max, unreviewed: number } = JSON.parse(out) as ReviewJson;
    assert.deepEqual([number, max], [7, null]);
    assert.deepEqual(
      tasks.map(({ task, risk }) => [task, risk]),
      [[5, 'refused'], [4, 'unchecked'], ...[3, 7, 2, 1, 6].map((id) => [id, null])],
    );
    assert.deepEqual(
      tasks.filter((task) => task.verifiedAndSmall).map(({ task }) => task),
      [7, 1],
    );
    for (const { task, commands } of tasks)
      assert.ok(commands.includes(`claude-queue accept ${String(task)}`), String(task));
    const text = (await cli.call('review')).out;
    assert.match(text, /^7 unreviewed tasks\.\n {2}5 {2}refused/);
    assert.match(text, /\nVerified and small: 2\. Accept with "claude-queue accept --verified"\.$/);
  });

  it('are accepted together where they are verified and small, once the user says yes', async () => {
    press('n');
    assert.equal((await cli.call('accept', '--verified')).code, 4);
    assert.equal((await unreviewed()).length, 7);
    press('y');
    const { code, out } = await cli.call('accept', '--verified');
    assert.equal(code, 0);
    assert.match(
      out,
      /^ {2}id {2}changed {11}task\n {2}7 {3}\+0 -0 in 1 file {3}Task 7\n {2}1 {3}\+50 -0 in 1 file {2}Task 1\n/,
    );
    assert.match(out, /\nAccept 2 tasks as listed\? \[y\/N\]\nAccepted 2 tasks\.$/);
    assert.deepEqual(await unreviewed(), [5, 4, 3, 2, 6]);
  });

  it('are accepted up to the lines that the user names, without a question', async () => {
    assert.equal((await cli.call('accept', '--verified', '--max-lines', '51', '--yes')).code, 0);
    assert.deepEqual(await unreviewed(), [5, 4, 3, 6]);
    assert.match((await cli.call('accept', '--verified', '--yes')).out, /^No unreviewed task fits\.$/);
  });

  it('are accepted by id, and all completed ones with --all', async () => {
    assert.deepEqual(await cli.call('accept', '4'), { code: 0, out: 'Task 4 is completed.', err: '' });
    assert.match((await cli.call('accept', '4')).err, /^Task 4 is completed: there is nothing to accept\.$/);
    assert.match((await cli.call('accept', '--all', '--yes')).out, /\nAccepted 5 tasks\.$/);
    assert.deepEqual(await unreviewed(), [5]);
  });

  it('are not accepted where they ran again while the question was open', async () => {
    const keyboard = new FakeKeyboard();
    cli.keyboard = keyboard;
    cli.onLine = (line) => {
      if (!line.endsWith('[y/N]')) return;
      void (async () => {
        await queue.command(1, 'retry', 'retry');
        await endNext({ ...checked, ...lines(2) });
        keyboard.press('y\n');
      })();
    };
    const { code, out, err } = await cli.call('accept', '--verified');
    assert.equal(code, 1);
    assert.match(out, /Accepted 1 task\.$/);
    assert.equal(err, 'Not accepted, because they changed meanwhile: 1.');
    assert.ok((await unreviewed()).includes(1));
  });

  it('are refused without a terminal, and with options that exclude each other', async () => {
    assert.equal((await cli.call('accept', '--verified')).code, 64);
    assert.equal((await cli.call('accept')).code, 64);
    assert.equal((await cli.call('accept', '1', '--all')).code, 64);
    assert.equal((await cli.call('accept', '1', '--max-lines', '5')).code, 64);
    assert.equal((await unreviewed()).length, 7);
  });

  it('hold the queue at the limit, as its status says', async () => {
    cli.env['CLAUDE_QUEUE_MAX_UNREVIEWED'] = '7';
    const { out } = await cli.call('status');
    assert.match(
      out,
      /\nNo task starts: unreviewed: 7 of at most 7; accept or retry one\. List them with "claude-queue review"\.\n/,
    );
    const json = JSON.parse((await cli.call('status', '--json')).out) as {
      unreviewed: object;
      tasks: { unreviewed: boolean }[];
    };
    assert.deepEqual(json.unreviewed, { tasks: 7, max: 7 });
    assert.ok(json.tasks.every((task) => task.unreviewed));
    assert.match((await cli.call('retry', '1')).out, /^Task 1 is pending again\.$/m);
    assert.match(
      (await cli.call('review')).out,
      /^6 unreviewed tasks\. No task starts at 7 \(maxUnreviewed\)\./,
    );
    cli.env['CLAUDE_QUEUE_MAX_UNREVIEWED'] = '6';
    await cli.call('trust');
    assert.match((await cli.call('why', '1')).out, /unreviewed: 6 of at most 6; accept or retry one/);
  });

  it('are in the report with the minutes per accepted task', async () => {
    cli.now += 10 * 60_000;
    await cli.call('accept', '7');
    await cli.call('accept', '6');
    const { out } = await cli.call('report');
    assert.match(
      out,
      /Accepted: 2\. Per task: 0 min of attempts \(mean\), 12 min until you accepted it\n\(median\)\./,
    );
    const { night } = JSON.parse((await cli.call('report', '--json')).out) as { night: { accepted: object } };
    assert.deepEqual(night.accepted, { tasks: 2, attemptMinutesPerTask: 0, medianMinutesToAccept: 12 });
    assert.match((await cli.call('report', '--markdown')).out, /- Accepted: 2\\?\./);
  });
});

describe('A task that was edited while it was in review', () => {
  it('is shown, and accepted, with a note that the row as it is now has not run', async () => {
    const cli = new CliHarness();
    cli.write('1,high,.,Wash the car,pending,,,no,,0,3');
    const queue = await openCliQueue(cli);
    await endFirstTask(cli, queue, { outcome: 'review', reason: 'denied', message: '' });
    await queue.close();
    await cli.call('edit', '1', '--prompt', 'Wash the bus');
    assert.match((await cli.call('show', '1')).out, /The task was changed after this attempt\.$/);
    const { code, out } = await cli.call('accept', '1');
    cli.remove();
    assert.equal(code, 0);
    assert.match(
      out,
      /^Task 1 is completed\.\nThe task was changed after this attempt\. "claude-queue retry 1" runs/,
    );
  });
});

describe('A repeating task in a terminal', () => {
  let cli: CliHarness;

  beforeEach(() => {
    cli = new CliHarness();
    cli.write('1,high,.,Each day,pending,2026-11-20 17:00,,yes,daily,0,3');
    cli.installClaude('ok');
  });
  afterEach(() => cli.remove());

  it('is accepted until its next time, and is not called completed', async () => {
    await cli.call('trust');
    assert.equal((await cli.call('run')).code, 0);
    const { code, out } = await cli.call('accept', '1');
    assert.deepEqual([code, out], [0, 'Accepted task 1, which repeats: next time 2026-11-21 18:00.']);
  });
});
