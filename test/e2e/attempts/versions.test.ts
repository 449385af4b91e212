import assert from 'node:assert/strict';
import { type ClaudeVersion, oldClaude, releases } from '../../support/claude/claudeVersions';
import { isLong } from '../../support/fuzz';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import { SOON_SECONDS, hang, limit, text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';
import { until } from '../../support/until';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

interface Reported {
  readonly id: number;
  readonly outcome: string;
  readonly reason: string;
  readonly turns?: number;
  readonly costUsd?: number;
  readonly version?: string;
  readonly session: string;
}

/** Opens a place where the user has this release. */
function openWith({ program }: ClaudeVersion, respond: (turn: Turn) => Reply): Promise<Place> {
  return openPlace({ respond, env: { CLAUDE_QUEUE_CLAUDE: program, CLAUDE_QUEUE_OPEN_STAGGER: '0s' } });
}

async function historyOf({ queue }: Place): Promise<readonly Reported[]> {
  const { stdout } = await queue.run('history --json');
  const { attempts } = JSON.parse(stdout) as { attempts: Reported[] };
  return attempts.toReversed();
}

for (const claude of releases('oldest', 'node20', 'newest')) {
  describe(`With Claude Code ${claude.version}`, () => {
    it('a queue completes tasks, resumes after a limit, and reviews a refused action', async () => {
      let isReached = false;
      const place = await openWith(claude, (turn) => {
        if (isAbout(turn, 'Publish'))
          return turn.toolResults === 0 ? tool('Bash', { command: 'python3 -c "print(1)"' }) : text('Done.');
        if (!isAbout(turn, 'Write the report')) return text('Done.');
        if (turn.toolResults === 0) return tool('Glob', { pattern: '*.md' });
        if (isReached) return text('Written.');
        isReached = true;
        // Long enough that the worker says it waits; the test looks at nothing meanwhile.
        return limit({ kind: 'five_hour', resetInSeconds: SOON_SECONDS / 2 });
      });
      const { queue } = place;
      await queue.trust([
        { id: 1, prompt: 'Collect the data' },
        { id: 2, prompt: 'Publish the package' },
        { id: 3, prompt: 'Write the report' },
      ]);
      const { stdout } = await queue.run('work --until-empty');
      assert.equal(stdout.match(/Waiting[^:]*: 5-hour usage window/g)?.length, 1, stdout);
      assert.match(stdout, new RegExp(`^Claude Code ${claude.version.replaceAll('.', '\\.')} `));
      assert.deepEqual(
        (await queue.status()).tasks.map(({ shown, retryCount }) => [shown, retryCount]),
        [
          ['completed', 0],
          ['review', 0],
          ['completed', 0],
        ],
      );
      const history = await historyOf(place);
      assert.deepEqual(
        history.map(({ id, outcome }) => [id, outcome]),
        [
          [1, 'success'],
          [2, 'review'],
          [3, 'limit'],
          [3, 'success'],
        ],
      );
      assert.equal(history[2]?.reason, 'five_hour');
      assert.equal(new Set(place.turnsOf('Write the report').map(({ session }) => session)).size, 1);
      assert.deepEqual([...new Set(history.map(({ version }) => version))], [claude.version]);
      assert.deepEqual([history[0]?.turns, (history[0]?.costUsd ?? 0) > 0], [1, true]);
    });
  });
}

if (isLong) {
  const OLD = oldClaude('older');

  describe(`With Claude Code ${OLD.version}, which reports in words only`, () => {
    it('a task completes, one with a refused tool needs review, and version and payer are shown', async () => {
      const place = await openWith(OLD, (turn) =>
        isAbout(turn, 'Publish') && turn.toolResults === 0
          ? tool('Bash', { command: 'python3 -c "print(1)"' })
          : text('Done.'),
      );
      await place.queue.trust([
        { id: 1, prompt: 'Collect the data' },
        { id: 2, prompt: 'Publish the package' },
      ]);
      const { stdout } = await place.queue.run('work --until-empty');
      assert.match(
        stdout,
        /billed to a subscription, as far.*\. This version of Claude Code is older than the tested ones/,
      );
      const { tasks } = await place.queue.status();
      assert.deepEqual(
        tasks.map(({ shown }) => shown),
        ['completed', 'review'],
      );
    });

    it('a limit closes the gate until the reset that it printed', async () => {
      const place = await openWith(OLD, () => limit({ kind: 'five_hour', resetInSeconds: HOUR_MS / 1000 }));
      await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
      const { code, stdout } = await place.queue.run('run');
      assert.equal(code, 2, stdout);
      const { gate } = await place.queue.status();
      const off = Date.parse(gate.until ?? '') - (Date.now() + HOUR_MS);
      assert.ok(Math.abs(off) <= MINUTE_MS + 10_000, `${gate.until ?? 'none'} is ${String(off)} ms off`);
      assert.equal((await place.queue.task(1)).retryCount, 0);
    });

    it('a stopped attempt leaves no process, and resumes its session', async () => {
      let isHanging = true;
      const place = await openWith(OLD, () => (isHanging ? hang() : text('Done.')));
      await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
      const worker = place.queue.start('work --until-empty');
      await place.api.waitForTurn(() => true);
      await place.queue.run('stop --now');
      await worker.ended;
      await until('no process is left over', () => place.processes().length === 0);
      isHanging = false;
      assert.equal((await place.queue.run('work --until-empty')).code, 0);
      const history = await historyOf(place);
      assert.deepEqual(
        history.map(({ outcome }) => outcome),
        ['cancelled', 'success'],
      );
      assert.equal(new Set(history.map(({ session }) => session)).size, 1);
    });
  });
}
