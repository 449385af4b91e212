import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inhibitSleep } from '../../../../src/platform/processes/sleepInhibitor';
import { refuseSpawn } from '../../../support/machine/refuseSpawn';
import { SleepProgram } from '../../../support/machine/sleepProgram';
import { until } from '../../../support/until';

describe('Preventing sleep', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-sleep-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  for (const [platform, name] of [
    ['linux', 'systemd-inhibit'],
    ['darwin', 'caffeinate'],
  ] as const) {
    it(`ends at once when it is released (${name})`, async () => {
      const program = new SleepProgram(folder, name);
      const inhibitor = inhibitSleep({ platform, env: program.path(), cwd: folder, pid: 123 });
      assert.equal(inhibitor?.program, name);
      const [start] = await until('it runs', () => (program.lines().length > 0 ? program.lines() : null));
      if (platform === 'darwin') assert.equal(start, 'start -i -w 123');
      inhibitor.release();
      assert.equal(await inhibitor.ended, null);
      assert.deepEqual(program.lines().slice(1), ['end']);
    });

    it(`reports why it does not start (${name})`, async () => {
      const inhibitor = inhibitSleep({ platform, env: { PATH: folder }, cwd: folder, pid: 123 });
      assert.equal(await inhibitor?.ended, 'it is not installed');
    });
  }

  it('can be released if it did not start because too many files are open', async () => {
    const restore = refuseSpawn('EMFILE');
    try {
      const inhibitor = inhibitSleep({ platform: 'linux', env: {}, cwd: folder, pid: 123 });
      inhibitor?.release();
      assert.equal(await inhibitor?.ended, null);
    } finally {
      restore();
    }
  });

  it('is not available on another system', () => {
    assert.equal(inhibitSleep({ platform: 'win32', env: {}, cwd: folder, pid: 123 }), null);
  });
});
