import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE, trustFolder } from '../../support/claude/claudeHome';
import { start } from '../../support/machine/processes';
import { openPlace } from '../../support/queue/queuePlace';
import { configureClaude, KEY, payers } from './payers';

describe('Attempts', () => {
  it('are billed to the subscription: a key in the environment is not used, and that is printed first', async () => {
    const place = await openPlace({ env: KEY });
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    const { code, stdout } = await place.queue.run('work --until-empty');
    assert.equal(code, 0, stdout);
    assert.deepEqual(payers(place), ['subscription']);
    assert.match(
      stdout,
      /^Claude Code \S+ \(\S+\), billed to the subscription of the token in CLAUDE_CODE_OAUTH_TOKEN \(account [0-9a-f]{8}\); ANTHROPIC_API_KEY is not used\.\n/,
    );
    const reported = /billed to the subscription .*; ANTHROPIC_API_KEY is not used\.$/m;
    assert.match((await place.queue.run('status --live')).stdout, reported);
    assert.match((await place.queue.run('usage')).stdout, reported);
  });

  it('are billed to the API key if the user chose it, although a subscription is signed in', async () => {
    const place = await openPlace({ env: { ...KEY, CLAUDE_QUEUE_BILLING: 'api-key' } });
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    const { code, stdout } = await place.queue.run('run');
    assert.equal(code, 0, stdout);
    assert.deepEqual(payers(place), ['api-key']);
    assert.match(stdout, /billed to the API key in ANTHROPIC_API_KEY, not to a subscription\.\n/);
  });

  it('are never billed to the key if billing is subscription: none starts, and the fix is printed', async () => {
    const place = await openPlace({ signIn: 'none', env: { ...KEY, CLAUDE_QUEUE_BILLING: 'subscription' } });
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    for (const command of ['run', 'work --until-empty']) {
      const { code, stderr } = await place.queue.run(command);
      assert.deepEqual([code, place.api.turns().length], [2, 0]);
      assert.match(stderr, /setting billing.*not signed in with one.*Run "claude" and then \/login/);
    }
    const checked = await place.queue.run('check');
    assert.equal(checked.code, 1);
    assert.equal(checked.stdout.match(/asks for a subscription/g)?.length, 1, checked.stdout);
    assert.equal((await place.queue.task(1)).shown, 'waiting');
    assert.equal((await place.queue.run('usage')).code, 1);
  });

  it("are billed as Claude Code's own settings say", async () => {
    const place = await openPlace({ signIn: 'none' });
    configureClaude(place, { apiKeyHelper: 'echo made-up' });
    await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
    const { code, stdout } = await place.queue.run('run');
    assert.equal(code, 0, stdout);
    assert.deepEqual(payers(place), ['api-key']);
    assert.match(stdout, /billed to the API key that apiKeyHelper in Claude Code's settings gives/);
    const refused = await place.queue.run('work', { CLAUDE_QUEUE_BILLING: 'subscription' });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /it would use the API key that apiKeyHelper/);
  });

  it('are never billed by the settings of a folder, even a trusted one', async () => {
    for (const settings of [
      { apiKeyHelper: 'touch asked; echo made-up' },
      { env: { ANTHROPIC_API_KEY: 'made-up' } },
      { env: { CLAUDE_CODE_USE_BEDROCK: '1' } },
    ]) {
      const place = await openPlace();
      mkdirSync(join(place.queue.folder, '.claude'));
      writeFileSync(join(place.queue.folder, '.claude', 'settings.json'), JSON.stringify(settings));
      trustFolder(place.home, place.queue.folder);
      await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
      const { code, stdout } = await place.queue.run('run');
      assert.equal(code, 0, stdout);
      assert.doesNotMatch(stdout, /You have not trusted/);
      assert.deepEqual(payers(place), ['subscription'], JSON.stringify(settings));
      assert.equal(existsSync(join(place.queue.folder, 'asked')), false);

      // Calling Claude Code directly there does use what the settings name.
      const args = ['-p', 'Do it', '--output-format', 'json'];
      await start(CLAUDE, args, { cwd: place.queue.folder, env: place.home.env }).ended;
      const pays = 'env' in settings && 'CLAUDE_CODE_USE_BEDROCK' in settings.env ? [] : ['api-key'];
      assert.deepEqual(payers(place), ['subscription', ...pays]);
    }
  });

  it('are not billed by the settings of a folder when nobody is signed in either', async () => {
    for (const settings of [
      { apiKeyHelper: 'touch asked; echo made-up' },
      { env: { ANTHROPIC_API_KEY: 'made-up' } },
    ]) {
      const place = await openPlace({ signIn: 'none' });
      mkdirSync(join(place.queue.folder, '.claude'));
      writeFileSync(join(place.queue.folder, '.claude', 'settings.json'), JSON.stringify(settings));
      trustFolder(place.home, place.queue.folder);
      await place.queue.trust([{ id: 1, prompt: 'Do it' }]);
      const { code, stdout } = await place.queue.run('run');
      assert.deepEqual([code, payers(place)], [2, []], stdout);
      assert.equal(existsSync(join(place.queue.folder, 'asked')), false);
      assert.equal((await place.queue.status()).gate.reason, 'sign-in');
    }
  });
});
