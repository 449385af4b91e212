import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '../../../../src/app/schedule/scheduler';
import { composeService } from '../../../../src/app/schedule/systemdTexts';

/** Entry that starts this program, with an argument and a variable full of special characters. */
function entryOf(program: string): Entry {
  return {
    queueFile: '/tmp/x/claude_queue/prompts.csv',
    times: [],
    command: [program, '--queue', '/a $b/%h/"c\'\\d/prompts.csv'],
    environment: { PATH: '/usr/bin:/a $b/%h/"c\'\\d' },
    log: '/tmp/x/schedule.log',
  };
}

describe('A service of systemd', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'systemd-service-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  for (const name of ['plain', 'with a space', 'a$b', 'a${HOME}b', 'a$$b', 'a%h']) {
    it(`starts a program in a folder "${name}"`, function () {
      if (spawnSync('systemd-analyze', ['--version']).error !== undefined) this.skip();
      const programs = join(folder, name);
      mkdirSync(programs);
      copyFileSync('/bin/true', join(programs, 'node'));
      chmodSync(join(programs, 'node'), 0o755);
      const unit = join(folder, 'one.service');
      writeFileSync(unit, composeService(entryOf(join(programs, 'node'))));
      // Its exit code does not say whether it found anything; it reports that on standard error.
      const env = { PATH: process.env['PATH'], XDG_RUNTIME_DIR: folder, LC_ALL: 'C' };
      const { stderr } = spawnSync('systemd-analyze', ['verify', '--user', unit], { env, encoding: 'utf8' });
      assert.equal(stderr, '');
    });
  }

  for (const name of ["o'neil", 'a"b', 'a\\b']) {
    it(`is refused for a program in a folder ${name}, which systemd does not start`, () => {
      assert.throws(
        () => composeService(entryOf(`/opt/${name}/node`)),
        /which systemd does not support in the path of a program/,
      );
    });
  }
});
