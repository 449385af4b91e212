import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliHarness, EVENING } from './cliHarness';

describe('The billing in status', () => {
  let cli: CliHarness;

  /** A `claude` that counts how often it is started. */
  function installCounting(): void {
    const program = join(cli.folder, 'claude');
    const status = JSON.stringify({ loggedIn: true, authMethod: 'claude.ai', planTier: 'max_20x' });
    writeFileSync(
      program,
      `#!/bin/sh\necho x >> '${join(cli.folder, 'starts')}'\ncase $1 in --version) echo 2.1.329;; *) echo '${status}';; esac\n`,
      { mode: 0o755 },
    );
    cli.env['CLAUDE_QUEUE_CLAUDE'] = program;
    cli.env['PATH'] = '/usr/bin:/bin';
  }
  const isStarted = (): boolean => existsSync(join(cli.folder, 'starts'));

  beforeEach(() => {
    cli = new CliHarness();
    cli.write('1,high,.,Do it,pending,,,no,,0,3');
    installCounting();
  });
  afterEach(() => cli.remove());

  it('is unknown before Claude Code was asked; status does not ask it', async () => {
    const { out } = await cli.call('status');
    assert.match(out, /^Claude Code was not checked yet: claude-queue status --live$/m);
    assert.equal((await cli.status()).claude, null);
    assert.equal(isStarted(), false);
  });

  it('is asked with --live, and shown with its age afterwards', async () => {
    const live = await cli.call('status', '--live');
    assert.match(live.out, /^Claude Code 2\.1\.329, billed to the subscription .*max 20x.*\)\.$/m);
    rmSync(join(cli.folder, 'starts'));
    cli.now = EVENING + 20 * 60_000;
    const { out } = await cli.call('status');
    assert.match(out, /^Claude Code 2\.1\.329, billed to .* as of 20 min ago\.$/m);
    const { claude } = await cli.status();
    assert.deepEqual(
      [claude?.['billing'], claude?.['version'], claude?.['asOf']],
      ['subscription', '2.1.329', '2026-11-20T18:00:00.000Z'],
    );
    assert.equal(isStarted(), false);
  });

  it('is known after check', async () => {
    await cli.call('check');
    assert.match((await cli.call('status')).out, /^Claude Code 2\.1\.329, billed to .* as of 0 s ago\.$/m);
  });

  for (const words of [
    'approve',
    'edit 1 --priority low',
    'retry 1',
    'retry --all',
    'history 1 --occurrences',
  ]) {
    it(`is not asked for by "${words}"`, async () => {
      await cli.call(...words.split(' '));
      assert.equal(isStarted(), false);
    });
  }

  it('is unknown after the sign-in changed', async () => {
    await cli.call('status', '--live');
    mkdirSync(join(cli.env['HOME'] ?? '', '.claude'), { recursive: true });
    writeFileSync(join(cli.env['HOME'] ?? '', '.claude', '.credentials.json'), '{}');
    const { out } = await cli.call('status');
    assert.match(out, /^Claude Code changed since it was checked 0 s ago: claude-queue status --live$/m);
    assert.equal((await cli.status()).claude, null);
  });
});
