import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attempt } from '../../../src/domain/task/attempt';
import { openPlace } from '../../support/queue/queuePlace';
import { text, tool } from '../../support/claude/replies';

/** A line of `history --json`. */
type Reported = Attempt & { readonly claudeExitCode: number };

describe('The history of an attempt', () => {
  it('has tokens, cost, model, version, payer, permissions, check and the change to the repository', async () => {
    const place = await openPlace({
      respond: ({ toolResults }) =>
        [
          tool('Write', { file_path: join(place.queue.folder, 'notes.txt'), content: 'one\ntwo\nthree\n' }),
          tool('Bash', { command: 'git commit -qm more --allow-empty', description: 'commit' }),
        ][toolResults] ?? text('Done.'),
    });
    const { queue } = place;
    const git = (...args: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], { cwd: queue.folder });
    };
    git('init', '-q');
    writeFileSync(join(queue.folder, 'made.txt'), 'by hand\n');
    await queue.trust([{ id: 1, prompt: 'Take notes', user: 'ann', verify: '["test", "-e", "notes.txt"]' }]);
    git('add', '-A');
    git('commit', '-qm', 'first');
    writeFileSync(join(queue.folder, 'made.txt'), 'by hand, and not committed\n');

    assert.equal((await queue.run('work --until-empty')).code, 0);
    const { attempts } = JSON.parse((await queue.run('history --json')).stdout) as { attempts: Reported[] };
    const [attempt] = attempts;
    assert.ok(attempt);
    assert.deepEqual(
      [attempt.outcome, attempt.reason, attempt.user, attempt.claudeExitCode, attempt.billing],
      ['success', 'verified', 'ann', 0, 'subscription'],
    );
    assert.deepEqual([attempt.subtype, attempt.terminalReason], ['success', 'completed']);
    assert.deepEqual(attempt.diff, { files: 1, insertions: 3, deletions: 0 });
    assert.deepEqual([attempt.check?.result, attempt.check?.exitCode], ['passed', 0]);
    assert.equal(attempt.permissions?.mode, 'acceptEdits');
    assert.match(`${String(attempt.version)} ${String(attempt.model)}`, /^2\.1\.\d+ claude-/);
    assert.ok((attempt.tokens?.input ?? 0) > 0 && (attempt.costUsd ?? 0) > 0);
    const { stdout } = await queue.run('history 1');
    assert.match(stdout, /^changed +\+3 -0 in 1 file: "claude-queue diff 1 --attempt 1"$/m);
    assert.match(
      (await queue.run('report --by user')).stdout,
      /^ann +1 +1 success .*\$0\.\d{4} +0 +\d+ m?s/m,
    );
  });

  it('counts against the budget of the night, after which nothing starts', async () => {
    // A night ends at noon: here that is hours away.
    const isDay = Math.abs(new Date().getUTCHours() - 12) < 6;
    const place = await openPlace({ env: { TZ: isDay ? 'Etc/GMT+12' : 'UTC' } });
    const { queue } = place;
    queue.writeRules('nightBudget: 0.0001');
    await queue.trust([
      { id: 1, prompt: 'Spend it' },
      { id: 2, prompt: 'Nothing left' },
    ]);
    assert.equal((await queue.run('run')).code, 0);
    assert.equal((await queue.run('run')).code, 2);
    assert.equal(place.turnsOf('Nothing left').length, 0);
    assert.match(
      (await queue.task(2)).reason,
      /^the night's budget of \$0\.0001 is used up \(\$0\.00\d\d\), next at/,
    );
    assert.equal((await queue.run('usage')).code, 1);
  });
});
