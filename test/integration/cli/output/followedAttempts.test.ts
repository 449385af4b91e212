import assert from 'node:assert/strict';
import { showOutput } from '../../../../src/cli/commands/look/log';
import { FollowedAttempts } from '../../../../src/cli/output/followedAttempts';
import { renderLine, type Line } from '../../../../src/cli/output/line';
import { decide } from '../../../../src/domain/task/decide';
import { defaults } from '../../../../src/domain/settings/settings';
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

  async function end(running: ClaimRef & { readonly attempt: number }): Promise<void> {
    const [task] = (await queue.read()).tasks;
    assert.ok(task);
    const verdict = { outcome: 'success', reason: 'done' } as const;
    const circumstances = { now: cli.now, random: 0.5, settings: defaults, timeZone: 'UTC' };
    const counts = { retryCount: 0, transientInRow: 0, lostInRow: 0 };
    const attempt = {
      ...{ id: 1, number: running.attempt, power: 'p', session: null, startedAt: cli.now, endedAt: cli.now },
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
      'Task 1 was lost: worker 42 died during the attempt. The next worker resumes it.',
    ]);
  });

  it('say where the output is of one that runs on another machine', async () => {
    await startAttempt(cli, queue, RUN);
    const runs = new FollowedAttempts(place(), queue, null);
    const snapshot = await queue.read();
    const claims = snapshot.claims.map((claim) => ({
      ...claim,
      owner: { ...claim.owner, machine: 'another' },
    }));
    await runs.look({ ...snapshot, claims });
    assert.deepEqual(shown, [
      'Task 1, attempt 1: Write the report',
      'Its output is not shown: it stays on the machine of the worker.',
    ]);
  });

  it('say that the output of one that ended is not here', async () => {
    await end(await startAttempt(cli, queue, RUN));
    await showOutput(place(), queue, 1);
    assert.deepEqual(shown, [
      'Its output is not on this machine: another machine ran the attempt, or the file was removed.',
      'Task 1 succeeded. It is done.',
    ]);
  });
});
