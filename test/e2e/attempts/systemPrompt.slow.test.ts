import assert from 'node:assert/strict';
import { releases } from '../../support/claude/claudeVersions';
import { limit, NEXT_SECONDS, text } from '../../support/claude/replies';
import { openPlace } from '../../support/queue/queuePlace';

/** Looks like an option, has several lines and quotes, and is as long as a row may have it. */
const ADDED = `--version\n"Be brief", $(id), 'polite'.\n${'0123456789abcde\n'.repeat(4_000)}The end.`;

for (const claude of releases('oldest', 'newest')) {
  describe(`A text for the system prompt with Claude Code ${claude.version}`, () => {
    it('is in each request of the task, also after a limit, and in none of another task', async () => {
      let isReached = false;
      const place = await openPlace({
        env: { CLAUDE_QUEUE_CLAUDE: claude.program, CLAUDE_QUEUE_OPEN_STAGGER: '0s' },
        respond: (turn) => {
          if (isReached || !turn.system.includes(ADDED)) return text('Done.');
          isReached = true;
          return limit({ kind: 'five_hour', resetInSeconds: NEXT_SECONDS });
        },
      });
      const { queue } = place;
      await queue.trust([
        { id: 1, prompt: 'Explain it', append_system_prompt: ADDED },
        { id: 2, prompt: 'Something else' },
      ]);
      const ended = await queue.run('work --until-empty');
      assert.equal(ended.code, 0, ended.stdout);
      const turns = place.api.turns();
      const own = turns.filter(({ userTexts }) => userTexts.some((words) => words.includes('Explain it')));
      const others = turns.filter((turn) => !own.includes(turn));
      assert.equal(new Set(own.map(({ session }) => session)).size, 1);
      assert.deepEqual([own.length, others.length], [2, 1]);
      assert.ok(own.every(({ system }) => system.includes(ADDED)));
      assert.ok(others.every(({ system }) => !system.includes('Be brief')));
    });
  });
}

describe('A text for the system prompt', () => {
  it('needs an approval of its own, which shows it', async () => {
    const { queue } = await openPlace();
    queue.write([{ id: 1, prompt: 'Explain it', append_system_prompt: 'Be brief.' }]);
    await queue.approve('1');
    assert.equal((await queue.task(1)).shown, 'ready');
    queue.write([{ id: 1, prompt: 'Explain it', append_system_prompt: 'Be rude.' }]);
    assert.equal((await queue.task(1)).shown, 'unapproved');
    const { stdout } = await queue.run('approve');
    assert.match(stdout, /append_system_prompt:\n.*- Be brief\.\n.*\+ Be rude\./);
    const shown = await queue.run('show 1');
    assert.match(shown.stdout, /adds to the system prompt: Be rude\./);
    const json = JSON.parse((await queue.run('show 1 --json')).stdout) as { appendSystemPrompt: string };
    assert.equal(json.appendSystemPrompt, 'Be rude.');
  });

  it('is a problem of its cell if it is too long for an argument', async () => {
    const { queue } = await openPlace();
    await queue.trust([{ id: 1, prompt: 'Explain it', append_system_prompt: 'x'.repeat(64 * 1024 + 1) }]);
    const { problems } = await queue.status();
    assert.deepEqual(
      problems.map(({ line, message }) => [line, message.split('.')[0]]),
      [[2, 'The text for the system prompt is longer than 64 KiB']],
    );
  });
});
