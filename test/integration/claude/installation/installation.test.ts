import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isProblem } from '../../../../src/domain/problem';
import { findInstallation } from '../../../../src/claude/installation/installation';
import { InstallationMemory } from '../../../../src/claude/installation/installationMemory';
import { findTranscript } from '../../../../src/claude/attempt/session';

const HELP = `Options:
  -p, --print                   Print response, for pipes (only with --verbose)
  --allowedTools, --allowed-tools <tools...>
      List of tools
  --permission-mode <mode>      Permission mode to use
                                (choices: "acceptEdits", "auto",
                                "manual", "plan")
`;

describe('The installation of Claude Code', () => {
  let folder: string;
  let environment: Record<string, string>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'installation-'));
    environment = { PATH: [folder, dirname(process.execPath)].join(':'), HOME: join(folder, 'home') };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A program that answers both questions; `auth` is code that gives the status. */
  function install(auth: string, version = '2.1.329 (Claude Code)', name = 'claude'): string {
    const path = join(folder, name);
    const code = `#!/usr/bin/env node
require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'asked'))}, process.argv.slice(2).join(' ') + '\\n');
if (process.argv[2] === '--version') console.log(${JSON.stringify(version)});
else if (process.argv[2] === '--help') console.log(${JSON.stringify(HELP)});
else { const status = ${auth}; console.log(JSON.stringify(status)); process.exit(status.loggedIn ? 0 : 1); }
`;
    writeFileSync(path, code);
    chmodSync(path, 0o755);
    return path;
  }
  const byKey = `process.env.ANTHROPIC_API_KEY
    ? { loggedIn: true, authMethod: 'api_key' } : { loggedIn: false, authMethod: 'none' }`;
  const subscriber = `process.env.ANTHROPIC_API_KEY ? { loggedIn: true, authMethod: 'api_key' }
    : { loggedIn: true, authMethod: 'claude.ai', subscriptionType: 'max', email: 'a@b.c', orgId: 'o-1', orgName: null }`;

  it('is the one on the PATH, or the configured one', async () => {
    const path = install(byKey);
    const other = install(byKey, '2.1.197 (Claude Code)', 'other');
    assert.equal((await findInstallation({ environment })).path, path);
    const named = await findInstallation({ environment, claude: other });
    assert.deepEqual([named.path, named.version], [other, '2.1.197']);
  });

  it('is reported as missing with advice', async () => {
    mkdirSync(join(folder, 'claude'));
    writeFileSync(join(folder, 'plain'), '');
    for (const claude of [undefined, 'nowhere', join(folder, 'plain'), join(folder, 'claude')]) {
      const options = claude === undefined ? { environment } : { environment, claude };
      await assert.rejects(
        findInstallation(options),
        (error) => isProblem(error, 'claude-missing') && error.message.includes('Install Claude Code'),
      );
    }
  });

  it('is reported as missing if it does not answer in time', async () => {
    const path = join(folder, 'claude');
    writeFileSync(path, '#!/usr/bin/env node\nsetInterval(() => {}, 1e6);\n');
    chmodSync(path, 0o755);
    await assert.rejects(findInstallation({ environment, timeoutMs: 200 }), (error) =>
      isProblem(error, 'claude-missing'),
    );
  });

  it('bills the subscription if there is one, whatever key is in the environment', async () => {
    install(subscriber);
    const found = await findInstallation({ environment: { ...environment, ANTHROPIC_API_KEY: 'k' } });
    assert.equal(found.billing, 'subscription');
    assert.deepEqual(found.auth, {
      loggedIn: true,
      method: 'claude.ai',
      subscriptionType: 'max',
      email: 'a@b.c',
      orgId: 'o-1',
    });
  });

  it('names the unused key', async () => {
    install(subscriber);
    const found = await findInstallation({ environment: { ...environment, ANTHROPIC_API_KEY: 'k' } });
    assert.deepEqual(found.unusedKeys, ['ANTHROPIC_API_KEY']);
  });

  it('bills the key if the user chose it, whatever subscription there is', async () => {
    install(subscriber);
    const billing = 'api-key';
    const found = await findInstallation({
      environment: { ...environment, ANTHROPIC_API_KEY: 'k' },
      billing,
    });
    assert.deepEqual([found.billing, found.auth.method, found.unusedKeys], ['api-key', 'api_key', []]);
    const without = await findInstallation({ environment, billing });
    assert.equal(without.billing, 'none');
  });

  it('never bills a key if the user chose the subscription', async () => {
    install(byKey);
    const keys = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' };
    const found = await findInstallation({
      environment: { ...environment, ...keys },
      billing: 'subscription',
    });
    assert.deepEqual([found.billing, found.unusedKeys], ['none', Object.keys(keys)]);
    install(`({ loggedIn: true, authMethod: 'claude.ai', apiKeySource: 'ANTHROPIC_API_KEY' })`);
    const hidden = await findInstallation({ environment, billing: 'subscription' });
    assert.deepEqual([hidden.billing, hidden.auth.keySource], ['none', 'ANTHROPIC_API_KEY']);
    assert.equal((await findInstallation({ environment })).billing, 'api-key');
  });

  it('does not count a gateway token as a subscription, although Claude Code uses the same word', async () => {
    install(`process.env.ANTHROPIC_AUTH_TOKEN ? { loggedIn: true, authMethod: 'oauth_token' }
      : { loggedIn: false, authMethod: 'none' }`);
    const found = await findInstallation({ environment: { ...environment, ANTHROPIC_AUTH_TOKEN: 't' } });
    assert.equal(found.billing, 'api-key');
  });

  it('is billed by a cloud provider if switched to one, unless the user chose otherwise', async () => {
    install(`process.env.CLAUDE_CODE_USE_BEDROCK
      ? { loggedIn: true, authMethod: 'third_party', apiProvider: 'bedrock' }
      : { loggedIn: true, authMethod: 'claude.ai', apiProvider: 'firstParty' }`);
    const switched = { ...environment, CLAUDE_CODE_USE_BEDROCK: '1' };
    const found = await findInstallation({ environment: switched });
    assert.deepEqual([found.billing, found.auth.provider], ['cloud', 'bedrock']);
    const chosen = await findInstallation({ environment: switched, billing: 'subscription' });
    assert.equal(chosen.billing, 'subscription');
  });

  it('is not asked with the settings of the current folder', async () => {
    install(`({ loggedIn: true, authMethod: process.cwd() })`);
    assert.equal((await findInstallation({ environment })).auth.method, '/');
  });

  it('lists its options in its help', async () => {
    install(byKey);
    const offers = await (await findInstallation({ environment })).readOffers();
    assert.deepEqual(
      [...offers.flags],
      ['-p', '--print', '--allowedTools', '--allowed-tools', '--permission-mode', '--max-turns'],
    );
    assert.deepEqual(
      ['auto', 'manual', 'default', 'dontAsk'].map((mode) => offers.modes.has(mode)),
      [true, true, true, false],
    );
  });

  describe('whose help is remembered', () => {
    /** The offers for a new process, and how often the help was asked until now. */
    async function readAnew(): Promise<{ readonly flags: readonly string[]; readonly asked: number }> {
      const memory = new InstallationMemory(join(folder, 'state'));
      const { flags } = await (await findInstallation({ environment }, memory)).readOffers();
      const asked = readFileSync(join(folder, 'asked'), 'utf8').match(/--help/g) ?? [];
      return { flags: [...flags], asked: asked.length };
    }

    it('is asked for its help once', async () => {
      install(byKey);
      const first = await readAnew();
      assert.deepEqual(await readAnew(), { ...first, asked: 1 });
    });

    it('is asked again after its file changed, even with the same version, size and time', async () => {
      const path = install(byKey);
      const time = new Date('2026-01-01T00:00:00Z');
      utimesSync(path, time, time);
      await readAnew();
      writeFileSync(path, readFileSync(path, 'utf8').replace('--print', '--spell'));
      utimesSync(path, time, time);
      const { flags, asked } = await readAnew();
      assert.deepEqual([flags.includes('--spell'), asked], [true, 2]);
    });

    it('is asked again after its link changed', async () => {
      const link = join(folder, 'claude');
      symlinkSync(install(byKey, undefined, 'one'), link);
      await readAnew();
      rmSync(link);
      symlinkSync(install(byKey, undefined, 'other'), link);
      assert.equal((await readAnew()).asked, 2);
    });

    it('is asked again after the program that it starts was updated', async () => {
      const path = join(folder, 'claude');
      const started = install(byKey, '2.1.329 (Claude Code)', 'started');
      writeFileSync(path, `#!/bin/sh\nexec '${started}' "$@"\n`, { mode: 0o755 });
      await readAnew();
      install(byKey, '2.1.330 (Claude Code)', 'started');
      assert.equal((await readAnew()).asked, 2);
    });

    it('is asked again if its help was empty', async () => {
      install(byKey, '2.1.329', 'claude');
      const program = readFileSync(join(folder, 'claude'), 'utf8');
      writeFileSync(join(folder, 'claude'), program.replace(JSON.stringify(HELP), '""'));
      await readAnew();
      assert.equal((await readAnew()).asked, 2);
    });
  });

  it('bills a key without a subscription, and nothing without both', async () => {
    install(byKey);
    const withKey = await findInstallation({ environment: { ...environment, ANTHROPIC_API_KEY: 'k' } });
    assert.deepEqual([withKey.billing, withKey.auth.method], ['api-key', 'api_key']);
    const without = await findInstallation({ environment });
    assert.deepEqual([without.billing, without.auth.loggedIn], ['none', false]);
  });

  it('is not asked for the sign-in if it would take the question for a prompt', async () => {
    install(byKey, '2.1.40 (Claude Code)');
    const found = await findInstallation({ environment: { ...environment, CLAUDE_CODE_OAUTH_TOKEN: 't' } });
    assert.deepEqual([found.auth.method, found.billing], ['unknown', 'subscription']);
    assert.equal(readFileSync(join(folder, 'asked'), 'utf8'), '--version\n');
  });

  it('is usable if its answer is not understood', async () => {
    install('"?"', 'no number');
    const found = await findInstallation({ environment: { ...environment, ANTHROPIC_AUTH_TOKEN: 't' } });
    assert.deepEqual([found.version, found.auth.method, found.billing], [null, 'unknown', 'api-key']);
  });

  it('identifies its account without revealing it', async () => {
    install(subscriber);
    const { accountKey } = await findInstallation({ environment });
    assert.match(accountKey, /^[0-9a-f]{64}$/);
    const named = await findInstallation({ environment, account: 'work' });
    assert.notEqual(named.accountKey, accountKey);
    const moved = await findInstallation({ environment: { ...environment, CLAUDE_CONFIG_DIR: '/else' } });
    assert.equal(moved.accountKey, accountKey);
    install(byKey);
    const here = await findInstallation({ environment });
    const there = await findInstallation({ environment: { ...environment, CLAUDE_CONFIG_DIR: '/else' } });
    assert.equal(new Set([accountKey, here.accountKey, there.accountKey]).size, 3);
  });

  describe('with a credential in the environment', () => {
    const byToken = `process.env.CLAUDE_CODE_OAUTH_TOKEN ? { loggedIn: true, authMethod: 'oauth_token' } : ${byKey}`;
    const accountOf = async (more: Record<string, string>): Promise<string> =>
      (await findInstallation({ environment: { ...environment, ...more } })).accountKey;

    for (const name of ['CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN']) {
      it(`has the account of ${name}, whatever the home folder is`, async () => {
        install(byToken);
        const account = await accountOf({ [name]: 'secret' });
        assert.equal(await accountOf({ [name]: 'secret', HOME: '/else' }), account);
        assert.notEqual(await accountOf({ [name]: 'other' }), account);
        assert.notEqual(account, hash('sha256', 'secret'));
      });
    }

    it('has the account that Claude Code shows, whatever the token is', async () => {
      install(`({ loggedIn: true, authMethod: 'oauth_token', email: 'a@b.c', orgId: 'o' })`);
      const accounts = ['one', 'two'].map((token) => accountOf({ CLAUDE_CODE_OAUTH_TOKEN: token }));
      assert.equal(await accounts[0], await accounts[1]);
    });

    it('has the account that it is signed in with if the key is not used', async () => {
      install(subscriber);
      assert.equal(await accountOf({ ANTHROPIC_API_KEY: 'k' }), await accountOf({}));
    });

    it('has the account of its home folder if a program supplies the key', async () => {
      install(`({ loggedIn: true, authMethod: 'api_key', apiKeySource: 'apiKeyHelper' })`);
      assert.equal(await accountOf({ ANTHROPIC_API_KEY: 'k' }), await accountOf({}));
      assert.notEqual(await accountOf({ HOME: '/else' }), await accountOf({}));
    });
  });

  it('finds a session if one of its projects has its transcript', async () => {
    const session = 'b305b02c-5deb-4f87-83d9-5b88b4856a21';
    assert.equal(await findTranscript(session, environment), null);
    const config = join(folder, 'config');
    for (const name of ['a', 'b']) mkdirSync(join(config, 'projects', name), { recursive: true });
    writeFileSync(join(config, 'projects', 'notes.txt'), '');
    const elsewhere = { ...environment, CLAUDE_CONFIG_DIR: config };
    assert.equal(await findTranscript(session, elsewhere), null);
    const transcript = join(config, 'projects', 'b', `${session}.jsonl`);
    writeFileSync(transcript, '');
    assert.equal(await findTranscript(session, elsewhere), transcript);
    assert.equal(await findTranscript(session, environment), null);
  });
});
