import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE } from '../../support/claude/claudeHome';
import { openPlace } from '../../support/queue/queuePlace';
import { limit, text } from '../../support/claude/replies';
import type { RowCells } from '../../support/queue/rows';
import { openTerminal } from '../../support/machine/terminal';
import { until } from '../../support/until';

/** Fails the first time, and says why; passes when it is run again. */
const CHECK = `if [ -e seen ]; then exit 0; fi; touch seen; echo 'expected 4, got 5' >&2; exit 3`;
const ROW: RowCells = { id: 1, prompt: 'Add it up', verify: JSON.stringify(['sh', '-c', CHECK]) };
const SOON = { CLAUDE_QUEUE_RETRY_BACKOFF: '50ms' };

describe('A task that continues', () => {
  it("after a failed check gets the check's output in the same session; attach shows it", async () => {
    const place = await openPlace({ env: SOON });
    const { queue } = place;
    await queue.trust([ROW]);
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /Task 1 ended: error \(verify-failed\).*\(exit code 3\): expected 4, got 5/);
    const [first, second, ...more] = place.turnsOf('Add it up');
    assert.deepEqual([second?.session, more.length], [first?.session, 0]);
    assert.match(second?.lastUserText ?? '', /^The last attempt at this task did not pass its check\./);
    assert.match(second?.lastUserText ?? '', /ended with exit code 3:.*```\nexpected 4, got 5\n```/s);
    assert.equal((await queue.task(1)).status, 'completed');

    await queue.trust([{ ...ROW, id: 2, verify: '["sh","-c","echo it is wrong; false"]', max_retries: 1 }]);
    await queue.run('run');
    const shown = (await queue.run('attach 2')).stdout;
    assert.match(shown, /The check failed: sh -c echo it is wrong; false \(exit code 1\)\nit is wrong\n/);
  });

  it('with a session that is too large starts a new one with a summary', async () => {
    const place = await openPlace({
      respond: () => text('It is 5.'),
      // The stand-in says that each request holds 120 tokens.
      env: { ...SOON, CLAUDE_QUEUE_FRESH_SESSION_AT: '120' },
    });
    const { queue } = place;
    await queue.trust([ROW]);
    const { stdout } = await queue.run('work --until-empty');
    assert.match(stdout, /Task 1 ended: error \(verify-failed\)/);
    assert.equal((await queue.task(1)).status, 'completed', stdout);
    const [first, second, ...more] = place.turnsOf('Add it up');
    assert.deepEqual([second?.number, more.length], [1, 0]);
    assert.notEqual(second?.session, first?.session);
    const [note = ''] = second?.userTexts ?? [];
    assert.match(note, /^An earlier session of Claude Code worked on this task and has grown too large/);
    assert.match(note, /exit code 3:.*expected 4, got 5.*earlier session:\n\n```\nIt is 5\.\n```/s);
    assert.match(note, /This is the task, in full:\n\nAdd it up\s*$/);
  });

  it('waits while the user has its session open, and resumes it afterwards', async () => {
    let isFull = true;
    const place = await openPlace({
      interactive: true,
      respond: () => (isFull ? limit({ kind: 'five_hour', resetInSeconds: 3600 }) : text('Done.')),
    });
    const { queue, home } = place;
    await queue.trust([{ id: 1, prompt: 'Add it up' }]);
    assert.equal((await queue.run('run')).code, 2);
    isFull = false;
    const { session } = await queue.task(1);
    assert.ok(session);
    const asked = place.api.turns().length;
    const terminal = openTerminal(CLAUDE, ['--resume', session], { cwd: home.workspace, env: home.env });
    const open = join(home.env['HOME'] ?? '', '.claude', 'sessions');
    await until('Claude Code has it open', () =>
      readdirSync(open).some((name) => readFileSync(join(open, name), 'utf8').includes(session)),
    );

    await queue.run('resume');
    const stopped = await queue.run('run');
    assert.match(stopped.stdout, /ended: transient \(session-in-use\).*open in another Claude Code/);
    const waiting = await queue.task(1);
    assert.deepEqual([waiting.shown, waiting.retryCount, waiting.session], ['retrying', 0, session]);
    assert.equal(place.api.turns().length, asked, 'nothing was said to Claude');

    terminal.close();
    await until('Claude Code is closed', () => place.processes().length === 0);
    await queue.run('retry 1');
    assert.equal((await queue.run('run')).code, 0);
    assert.equal(place.api.turns().at(-1)?.session, session);
    assert.match(place.api.turns().at(-1)?.lastUserText ?? '', /^The user had this session open/);
  });
});
