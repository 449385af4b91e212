import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { showOutput } from '../../../../src/cli/commands/look/log';
import { FollowedAttempts } from '../../../../src/cli/output/followedAttempts';
import { renderLine, type Line } from '../../../../src/cli/output/line';
import { decide } from '../../../../src/domain/task/decide';
import { defaults } from '../../../../src/domain/settings/settings';
import type { Claim } from '../../../../src/domain/queue/view';
import type { ClaimRef, TaskQueue } from '../../../../src/queue/taskQueue';
import { CliHarness } from '../cliHarness';
import { openCliQueue, startAttempt } from '../fileQueue';

const RUN = { pid: 4242, startedAt: 'then' };

describe('Followed attempts', () => {
  let cli: CliHarness;
  let queue: TaskQueue;
  let shown: string[];

  beforeEach(async () => {
    cli = new CliHarness();
    cli.write('1,high,.,Write the report,pending,,,no,,0,3');
    queue = await openCliQueue(cli);
    shown = [];
  });

  afterEach(async () => {
    await queue.close();
    cli.remove();
  });

  const place = () => ({
    paths: cli.paths,
    system: {
      out: (line: Line): void => {
        shown.push(renderLine(line, false));
      },
    },
    openReportToken: () => ({ find: () => Promise.resolve(undefined) }),
  });

  async function end(
    running: ClaimRef & Pick<Claim, 'attempt'>,
    session: string | null = null,
  ): Promise<void> {
    const [task] = (await queue.read()).tasks;
    assert.ok(task);
    const verdict = { outcome: 'success', reason: 'done' } as const;
    const circumstances = { now: cli.now, random: 0.5, settings: defaults, timeZone: 'UTC' };
    const counts = { retryCount: 0, transientInRow: 0, lostInRow: 0 };
    const attempt = {
      ...{ id: 1, number: running.attempt, power: task.state.power, session },
      ...{ startedAt: cli.now, endedAt: cli.now },
      ...verdict,
      ...{ message: 'It is done.', code: 0, output: 'task-1-attempt-1.jsonl' },
    };
    const change = decide(task.definition, counts, verdict, circumstances);
    await queue.finish(running, { change, attempt, definition: task.definition }, 'end');
  }

  it('show a task whose worker was killed as lost, not as returned', async () => {
    await startAttempt(cli, queue, RUN);
    const runs = new FollowedAttempts(place(), queue, null);
    const snapshot = await queue.read();
    await runs.look(snapshot);
    const claims = snapshot.claims.map((claim) => ({ ...claim, ownerDied: true as const }));
    await runs.look({ ...snapshot, claims });
    assert.deepEqual(shown.slice(1), [
      'Task 1 was lost: worker 42 died during the attempt. The next worker recovers the task.',
    ]);
  });

  it('say where the output is of one that runs on another machine', async () => {
    await startAttempt(cli, queue, RUN);
    const runs = new FollowedAttempts(place(), queue, null);
    const snapshot = await queue.read();
    const claims = snapshot.claims.map((claim) => ({
      ...claim,
      owner: { ...claim.owner, machine: 'mars/0123456789ab' },
    }));
    await runs.look({ ...snapshot, claims });
    assert.deepEqual(shown, [
      'Task 1, attempt 1: Write the report',
      'Its output is not shown: it stays on mars, where the worker runs.',
    ]);
  });

  it('have no prompt if the row of the task was removed', async () => {
    await startAttempt(cli, queue, RUN);
    const runs = new FollowedAttempts(place(), queue, null);
    await runs.look({ ...(await queue.read()), tasks: [] });
    assert.deepEqual(shown, ['Task 1, attempt 1']);
  });

  it('say that the output of one that ended is not here', async () => {
    await end(await startAttempt(cli, queue, RUN));
    await showOutput(place(), queue, 1);
    assert.deepEqual(shown, [
      'Its output is not there: the attempt wrote none, its file was removed, or that is of an earlier queue.',
      'Task 1 succeeded. It is done.',
    ]);
  });

  describe('beside an output that an earlier queue with the same ids left', () => {
    const EARLIER = '11111111-2222-4333-8444-555555555555';
    const NOT_HERE =
      'Its output is not there: the attempt wrote none, its file was removed, or that is of an earlier queue.';

    function writeOutput(session: string, text: string): void {
      const file = cli.paths.state.outputOf({ id: 1, attempt: 1 });
      mkdirSync(dirname(file), { recursive: true });
      const lines = [
        { type: 'system', subtype: 'init', session_id: session },
        { type: 'assistant', message: { content: [{ type: 'text', text }] }, session_id: session },
      ];
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }

    it('do not show it while the attempt runs, and show its own once it is there', async () => {
      const { session } = await startAttempt(cli, queue, RUN);
      writeOutput(EARLIER, 'Of the earlier queue.');
      const runs = new FollowedAttempts(place(), queue, null);
      await runs.look(await queue.read());
      await runs.look(await queue.read());
      writeOutput(session, 'Of this queue.');
      await runs.look(await queue.read());
      assert.deepEqual(shown, [
        'Task 1, attempt 1: Write the report',
        '  1 │ Claude Code',
        '  1 │ Of this queue.',
      ]);
    });

    it('do not show it in its place', async () => {
      const running = await startAttempt(cli, queue, RUN);
      writeOutput(EARLIER, 'Of the earlier queue.');
      await showOutput(place(), queue, 1);
      await end(running, running.session);
      await showOutput(place(), queue, 1);
      assert.deepEqual(
        shown.filter((line) => !line.startsWith('Task 1')),
        [NOT_HERE, NOT_HERE],
      );
    });
  });
});
