import assert from 'node:assert/strict';
import { limit, signInFailure, text } from '../../support/claude/replies';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { configureMachine, KEY, payers, signIn, signOut } from './payers';

describe('Attempts while what pays for them changes', () => {
  it('follow a change of the setting billing from the next task on, while a worker runs', async () => {
    const place = await openPlace({
      signIn: 'api-key',
      respond: () => {
        configureMachine(place, 'billing: subscription\n');
        return text('Done.');
      },
    });
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'Paid by the key' },
      { id: 2, prompt: 'Not by the key' },
    ]);
    const { stdout } = await queue.run('work --until-empty');
    assert.match(stdout, /From now on: Claude Code .*not signed in/);
    assert.equal(place.turnsOf('Not by the key').length, 0, stdout);
    assert.equal((await queue.task(2)).shown, 'waiting');
    assert.equal((await queue.run('usage')).code, 1);
    configureMachine(place, 'billing: auto\n');
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.equal(place.turnsOf('Not by the key').length, 1);
  });

  it("follow the user's change of account while a worker runs; a limit then closes the gate of that account", async () => {
    const place = await openPlace({
      respond: (turn) => {
        configureMachine(place, 'account: two\n');
        return isAbout(turn, 'Meets it') ? limit({ kind: 'five_hour', resetInSeconds: 3600 }) : text('Done.');
      },
    });
    const { queue } = place;
    configureMachine(place, 'account: one\n');
    await queue.trust([
      { id: 1, prompt: 'Of the first' },
      { id: 2, prompt: 'Meets it' },
    ]);
    await queue.run('work --until-empty --max-tasks 2');
    assert.equal(place.turnsOf('Meets it').length, 1);
    assert.equal((await queue.run('usage')).code, 1);
    configureMachine(place, 'account: one\n');
    assert.equal((await queue.run('usage')).code, 0);
  });

  it('are not billed to the key after the sign-in was lost while a worker runs', async () => {
    const place = await openPlace({
      signIn: 'none',
      env: KEY,
      respond: () => {
        signOut(place);
        return signInFailure();
      },
    });
    const { queue } = place;
    signIn(place, 'ann');
    await queue.trust([
      { id: 1, prompt: 'Do it' },
      { id: 2, prompt: 'And that' },
    ]);
    const { stdout } = await queue.run('work --until-empty');
    assert.deepEqual(payers(place), ['subscription']);
    assert.match(
      stdout,
      /This worker started on a subscription and would now be billed to the API key in ANTHROPIC_API_KEY/,
    );
  });

  it('are billed to a cloud provider if Claude Code is switched to one, and that is printed', async () => {
    const { queue } = await openPlace({ env: { CLAUDE_CODE_USE_BEDROCK: '1' } });
    queue.write([{ id: 1, prompt: 'Do it' }]);
    assert.match((await queue.run('usage')).stdout, /billed by Amazon Bedrock, not to a subscription\.$/m);
  });
});
