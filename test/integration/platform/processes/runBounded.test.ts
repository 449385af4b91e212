import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { runBounded } from '../../../../src/platform/processes/programs';
import { refuseSpawn } from '../../../support/machine/refuseSpawn';

const how = { cwd: tmpdir(), env: process.env, input: '', timeoutMs: 60_000 };

const node = (script: string, timeoutMs = how.timeoutMs): Promise<string | null> =>
  runBounded(process.execPath, ['-e', script], { ...how, timeoutMs });

describe('A program with a time limit', () => {
  it('that succeeds has no failure', async () => {
    assert.equal(await node(''), null);
  });

  it('fails with its exit code and its output', async () => {
    assert.equal(
      await node('console.error("no route"); process.exit(2)'),
      'it ended with exit code 2 (no route)',
    );
  });

  it('that does not exist fails', async () => {
    // With its folder: on a PATH with an unreadable folder, the system reports that instead.
    assert.match((await runBounded('/no-such-folder/program', [], how)) ?? '', /ENOENT/);
  });

  it('that cannot start because too many files are open fails', async () => {
    const restore = refuseSpawn('EMFILE');
    try {
      assert.equal(await node(''), 'spawn EMFILE');
    } finally {
      restore();
    }
  });

  it('that cannot be started fails', async () => {
    assert.equal(await runBounded(`${process.execPath}/program`, [], how), 'spawn ENOTDIR');
  });

  it('is killed when the time is up, whatever signals it ignores', async () => {
    const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1_000)';
    assert.equal(await node(script, 500), 'it was killed after 0.5 s');
  });

  it('is not waited for because of its background processes', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20_000)'], { stdio: 'inherit', detached: true }).unref();`;
    assert.equal(await node(script), null);
  });
});
