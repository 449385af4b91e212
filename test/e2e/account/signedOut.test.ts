import assert from 'node:assert/strict';
import { openPlace } from '../../support/queue/queuePlace';
import { signInFailure, text } from '../../support/claude/replies';

interface Reported {
  readonly gate: { readonly state: string; readonly reason: string };
  readonly account: readonly {
    readonly kind: string;
    readonly needsUser: boolean;
    readonly title: string;
    readonly message: string;
  }[];
}

describe('An expired sign-in', () => {
  it('is on the first line of status and in its JSON until the queue is resumed, and costs no retry', async () => {
    let isSignedIn = false;
    const { queue, turnsOf } = await openPlace({
      respond: () => (isSignedIn ? text('Done.') : signInFailure()),
    });
    await queue.trust([
      { id: 1, prompt: 'First' },
      { id: 2, prompt: 'Second' },
    ]);
    await queue.run('work --until-empty');
    assert.deepEqual(turnsOf('Second'), []);
    const { stdout } = await queue.run('status');
    assert.match(
      stdout,
      /^Sign in needed: Claude Code is not signed in.*"claude auth login".*Claude Code said: /,
    );
    const reported = JSON.parse((await queue.run('status --json')).stdout) as Reported;
    assert.deepEqual([reported.gate.state, reported.gate.reason], ['closed', 'sign-in']);
    assert.deepEqual(
      reported.account.map(({ kind, needsUser, title }) => [kind, needsUser, title]),
      [['sign-in', true, 'Sign in needed']],
    );
    assert.match(reported.account[0]?.message ?? '', /OAuth token/);

    isSignedIn = true;
    await queue.run('resume');
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.doesNotMatch((await queue.run('status')).stdout, /Sign in needed/);
    assert.deepEqual(
      (await queue.status()).tasks.map(({ status, retryCount }) => [status, retryCount]),
      [
        ['completed', 0],
        ['completed', 0],
      ],
    );
  });
});
