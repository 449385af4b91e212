import assert from 'node:assert/strict';
import { FollowedAttempts } from '../../../../src/cli/output/followedAttempts';
import { renderLine, type Line } from '../../../../src/cli/output/line';
import { CliHarness } from '../cliHarness';
import { openCliQueue, startAttempt } from '../fileQueue';

describe('Followed attempts', () => {
  it('show a task whose worker was killed as lost, not as returned', async () => {
    const cli = new CliHarness();
    cli.write('1,high,.,Write the report,pending,,,no,,0,3');
    const queue = await openCliQueue(cli);
    try {
      await startAttempt(cli, queue, { pid: 4242, startedAt: 'then' });
      const shown: string[] = [];
      const out = (line: Line): void => {
        shown.push(renderLine(line, false));
      };
      const openReportToken = () => ({ find: () => Promise.resolve(undefined) });
      const place = { paths: cli.paths, system: { out }, openReportToken };
      const runs = new FollowedAttempts(place, queue, null);
      const snapshot = await queue.read();
      await runs.look(snapshot);
      const claims = snapshot.claims.map((claim) => ({ ...claim, ownerDied: true as const }));
      await runs.look({ ...snapshot, claims });
      assert.deepEqual(shown.slice(1), [
        'Task 1 was lost: worker 42 died during the attempt. The next worker resumes it.',
      ]);
    } finally {
      await queue.close();
      cli.remove();
    }
  });
});
