import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE, trustFolder } from '../../support/claude/claudeHome';
import { start } from '../../support/machine/processes';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import type { Place } from '../../support/queue/queuePlace';
import { limit, signInFailure, text } from '../../support/claude/replies';

const KEY = { ANTHROPIC_API_KEY: 'made-up' };

/** Payers of the turns so far, each once. */
const payers = ({ api }: Place): string[] => [...new Set(api.turns().map(({ auth }) => auth))];

/** Settings of the user's own Claude Code. */
function configureClaude({ home }: Place, settings: object): void {
  const folder = join(home.env['HOME'] ?? '', '.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
}

/** Settings of this program for the machine. */
function configureMachine({ home }: Place, settings: string): void {
  const folder = join(home.env['XDG_CONFIG_HOME'] ?? '', 'claude-queue');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), settings);
}

/** Signs in with a made-up account, as /login would. */
function signIn(place: Place, who: string): void {
  const home = place.home.env['HOME'] ?? '';
  mkdirSync(join(home, '.claude'), { recursive: true });
  const claudeAiOauth = {
    accessToken: who,
    refreshToken: 'made-up',
    expiresAt: Date.parse('2100-01-01'),
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  };
  writeFileSync(join(home, '.claude', '.credentials.json'), JSON.stringify({ claudeAiOauth }));
  const file = join(home, '.claude.json');
  const known = JSON.parse(readFileSync(file, 'utf8')) as object;
  const oauthAccount = {
    emailAddress: `${who}@example.org`,
    organizationUuid: `org-${who}`,
    accountUuid: who,
  };
  writeFileSync(file, JSON.stringify({ ...known, oauthAccount }));
}

function signOut({ home }: Place): void {
  rmSync(join(home.env['HOME'] ?? '', '.claude', '.credentials.json'));
}

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
