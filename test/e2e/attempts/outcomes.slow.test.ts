import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbout, NO_SECOND_TRY, openPlace } from '../../support/queue/queuePlace';
import { overload, text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';

/** Claude is refused a tool, and says that it has finished all the same. */
const refused = (turn: Turn): Reply =>
  turn.toolResults === 0 ? tool('Bash', { command: 'python3 -c "print(1)"' }) : text('Finished.');

describe('The outcome of a task', () => {
  it('is review after Claude was refused an action: dependents wait until it is accepted', async () => {
    const place = await openPlace({
      respond: (turn) => (isAbout(turn, 'Build it') ? refused(turn) : text('Done.')),
    });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Build it' },
      { id: 2, prompt: 'Ship it', dependencies: 1 },
    ]);
    const worked = await queue.run('work --until-empty');
    assert.equal(worked.code, 0);
    assert.match(worked.stdout, /^Ran 1 attempt; in review: task 1 \(task 2 waits for it\)\.$/m);
    const [build, ship] = (await queue.status()).tasks;
    assert.deepEqual(
      [build?.shown, ship?.shown, ship?.reason],
      ['review', 'blocked', 'waits for 1 (review)'],
    );
    assert.match(build?.reason ?? '', /refused an action: Bash python3/);
    assert.equal(queue.log('executed'), '');
    assert.equal((await queue.run('accept 2')).code, 1, 'only what is in review can be accepted');

    assert.equal((await queue.run('accept 1')).code, 0);
    assert.match(queue.log('executed'), /^1,[^\n]*,0,Build it\n$/);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.equal(place.turnsOf('Ship it').length, 1);
    assert.match(queue.log('executed'), /^1,[^\n]*\n2,[^\n]*,0,Ship it\n$/);
    assert.match(queue.read(), /^1,.*,completed,.*\n2,.*,completed,/m);
  });

  it('is review for a repeating task, whose schedule continues', async () => {
    const place = await openPlace({
      respond: (turn) => (isAbout(turn, 'Build it') ? refused(turn) : text('Done.')),
    });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Build it', repeat: 'yes', repeat_interval: 'daily' },
      { id: 2, prompt: 'Ship it', dependencies: 1 },
    ]);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    const [build, ship] = (await queue.status()).tasks;
    assert.deepEqual(
      [build?.shown, build?.status, ship?.shown, ship?.reason],
      ['review', 'pending', 'blocked', 'waits for 1 (review)'],
    );
    assert.match(build?.reason ?? '', /refused an action: Bash python3.*; next time /);
    assert.match((await queue.run('status')).stdout, /^> ?1 +review|^ +1 +review/m);

    assert.equal((await queue.run('accept 1')).code, 0);
    const accepted = await queue.task(1);
    assert.deepEqual([accepted.shown, accepted.reason.startsWith('next time ')], ['scheduled', true]);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.equal(place.turnsOf('Ship it').length, 1);
  });

  it('is review: retried by the user, the task resumes its session', async () => {
    const place = await openPlace({
      respond: (turn) => (turn.number <= 2 ? refused(turn) : text('Now it is.')),
    });
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Build it' }]);
    assert.equal((await queue.run('run')).code, 0);
    assert.equal((await queue.run('retry 1')).code, 0);
    assert.equal((await queue.run('run')).code, 0);
    assert.equal(new Set(place.turnsOf('Build it').map(({ session }) => session)).size, 1);
    assert.equal((await queue.task(1)).shown, 'completed');
  });

  it('is the result of its check: passed, failed, or could not run', async () => {
    const { queue } = await openPlace({ respond: refused, env: NO_SECOND_TRY });
    writeFileSync(join(queue.folder, 'done'), '');
    await queue.trust([
      { id: 1, prompt: 'Passes', verify: '["test", "-e", "done"]' },
      { id: 2, prompt: 'Fails', verify: '["test", "-e", "missing; touch missing"]' },
      { id: 3, prompt: 'Cannot run', verify: '["no-such-program"]' },
      { id: 4, prompt: 'After the first', dependencies: 1, verify: '["true"]' },
    ]);
    const { code, stdout } = await queue.run('work --max-tasks 4');
    assert.equal(code, 1);
    assert.match(stdout, /Task 2 ended: error \(verify-failed\).*The check failed: test -e missing/);
    assert.match(stdout, /Task 3 ended: review \(verify-not-run\).*could not run: no-such-program/);
    assert.deepEqual(
      (await queue.status()).tasks.map(({ shown, retryCount }) => [shown, retryCount]),
      [
        ['completed', 0],
        ['retrying', 1],
        ['review', 0],
        ['completed', 0],
      ],
    );
    assert.match(queue.log('retry_tasks'), /^2,[^\n]*,1,1,3,Fails\n$/);
  });

  it('counts no retry when the API is overloaded; the task resumes its session by itself', async () => {
    const place = await openPlace({
      // Met again before anybody was let through, it would close the account's gate for a minute.
      respond: (turn) => (turn.number <= 1 ? overload() : text('Done.')),
      env: { CLAUDE_QUEUE_RETRY_BACKOFF: '100ms' },
    });
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Do it', max_retries: 1 }]);
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.equal(stdout.match(/ended: transient/g)?.length, 1);
    const task = await queue.task(1);
    assert.deepEqual([task.shown, task.retryCount], ['completed', 0]);
    assert.equal(new Set(place.api.turns().map(({ session }) => session)).size, 1);
    assert.equal(queue.log('retry_tasks'), '');
  });

  it('is failed after the last retry; its dependents are stuck', async () => {
    const place = await openPlace({ env: { CLAUDE_QUEUE_RETRY_BACKOFF: '50ms' } });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Do it', max_retries: 2, verify: '["false"]' },
      { id: 2, prompt: 'Then this', dependencies: 1 },
    ]);
    const { code } = await queue.run('work --until-empty');
    assert.equal(code, 1);
    assert.equal(place.turnsOf('Do it').length, 2);
    assert.deepEqual(
      (await queue.status()).tasks.map(({ shown }) => shown),
      ['dead', 'stuck'],
    );
    assert.match(queue.log('retry_tasks'), /^1,[^\n]*,1,1,2,Do it\n1,[^\n]*,3,2,2,Do it\n$/);
    assert.match(queue.read(), /^1,medium,\.,Do it,failed,,,no,,2,2,/m);
  });
});
