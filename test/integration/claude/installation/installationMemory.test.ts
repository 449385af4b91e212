import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { InstallationFacts } from '../../../../src/claude/installation/installation';
import { InstallationMemory } from '../../../../src/claude/installation/installationMemory';

const LATER = new Date('2030-01-01T00:00:00Z');

describe('The stored answer of Claude Code', () => {
  let folder: string;
  let program: string;
  let environment: Record<string, string>;
  let memory: InstallationMemory;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'memory-'));
    program = join(folder, 'claude');
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    environment = { PATH: [folder, dirname(process.execPath)].join(':'), HOME: join(folder, 'home') };
    mkdirSync(join(folder, 'home', '.claude'), { recursive: true });
    memory = new InstallationMemory(join(folder, 'state'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const facts = (version = '2.1.330'): InstallationFacts => ({
    path: program,
    version,
    auth: { loggedIn: true, method: 'claude.ai', planTier: 'max_20x', email: 'a@b.c', orgId: 'o-1' },
    billing: 'subscription',
    billingChoice: 'auto',
    unusedKeys: [],
    accountKey: 'k',
  });
  const stored = (): string => readFileSync(join(folder, 'state', 'claude.json'), 'utf8');

  it('is empty before the first answer', async () => {
    assert.equal(await memory.recall({ environment }), null);
  });

  it('has its time, and no address of the account', async () => {
    await memory.remember({ environment }, facts('2.1.329'), 1000);
    await memory.remember({ environment }, facts(), 2000);
    const { email: _email, orgId: _orgId, ...auth } = facts().auth;
    assert.deepEqual(await memory.recall({ environment }), {
      claude: { ...facts(), auth },
      offers: null,
      askedAt: 2000,
      since: 2000,
      isCurrent: true,
    });
    assert.doesNotMatch(stored(), /a@b\.c|o-1/);
  });

  it('has the time since which it has been the same', async () => {
    for (const at of [1000, 2000, 3000]) await memory.remember({ environment }, facts(), at);
    const before = await memory.recall({ environment });
    assert.deepEqual([before?.askedAt, before?.since], [3000, 1000]);
    await memory.remember({ environment }, { ...facts(), billing: 'api-key' }, 4000);
    assert.equal((await memory.recall({ environment }))?.since, 4000);
  });

  for (const [what, change] of [
    ['the program', () => program],
    ['the sign-in', () => join(folder, 'home', '.claude', '.credentials.json')],
    ["Claude Code's settings", () => join(folder, 'home', '.claude', 'settings.json')],
  ] as const) {
    it(`is outdated after ${what} changed`, async () => {
      await memory.remember({ environment }, facts(), 1000);
      writeFileSync(change(), '{}');
      utimesSync(change(), LATER, LATER);
      assert.equal((await memory.recall({ environment }))?.isCurrent, false);
    });
  }

  it('is separate for each way to pay, and contains no key', async () => {
    const byKey = { environment: { ...environment, ANTHROPIC_API_KEY: 'sk-made-up' } };
    const cloud = { environment: { ...environment, CLAUDE_CODE_USE_BEDROCK: '1' } };
    await memory.remember({ environment }, facts('1.0.0'), 1000);
    await memory.remember(byKey, facts('2.0.0'), 1000);
    await memory.remember({ environment, billing: 'api-key' }, facts('3.0.0'), 1000);
    assert.equal(await memory.recall(cloud), null);
    const byOtherKey = { environment: { ...environment, ANTHROPIC_API_KEY: 'sk-other' } };
    assert.equal(await memory.recall(byOtherKey), null);
    assert.equal((await memory.recall({ environment }))?.claude.version, '1.0.0');
    assert.equal((await memory.recall(byKey))?.claude.version, '2.0.0');
    assert.equal((await memory.recall({ environment, billing: 'api-key' }))?.claude.version, '3.0.0');
    assert.doesNotMatch(stored(), /sk-made-up/);
  });

  it('is one of at most eight: the oldest is dropped', async () => {
    for (let at = 1; at <= 9; at += 1) await memory.remember({ environment, account: `a${at}` }, facts(), at);
    assert.equal(await memory.recall({ environment, account: 'a1' }), null);
    assert.notEqual(await memory.recall({ environment, account: 'a2' }), null);
  });

  it('is stored beside the options of at most eight programs', async () => {
    const offers = { flags: new Set(['-p']), modes: new Set(['plan']) };
    await memory.remember({ environment }, facts(), 1000);
    for (let at = 1; at <= 9; at += 1) await memory.rememberOffers(`program ${at}`, offers);
    assert.deepEqual(await memory.recallOffers('program 9'), offers);
    assert.equal(await memory.recallOffers('program 1'), null);
    assert.notEqual(await memory.recallOffers('program 2'), null);
    await memory.remember({ environment }, facts(), 2000);
    assert.notEqual(await memory.recallOffers('program 9'), null);
    assert.equal((await memory.recall({ environment }))?.askedAt, 2000);
  });

  it('is dropped if its file is damaged', async () => {
    mkdirSync(join(folder, 'state'));
    for (const text of ['', '{', '{"version":2,"entries":{}}', '{"version":1,"entries":{"a":{}}}']) {
      writeFileSync(join(folder, 'state', 'claude.json'), text);
      assert.equal(await memory.recall({ environment }), null);
    }
    await memory.remember({ environment }, facts(), 1000);
    assert.notEqual(await memory.recall({ environment }), null);
  });

  it('is not stored if its folder cannot be made, without an error', async () => {
    writeFileSync(join(folder, 'state'), '');
    await memory.remember({ environment }, facts(), 1000);
    await memory.rememberOffers('program', { flags: new Set(), modes: new Set() });
    assert.equal(await memory.recallOffers('program'), null);
  });
});
