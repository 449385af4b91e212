import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import {
  homeFolder,
  machineId,
  resolveFile,
  userConfigFile,
  userStateFolder,
} from '../../../src/platform/paths';

describe('Paths', () => {
  it('of what belongs to the person follow the system’s custom and the environment', () => {
    const env = { HOME: '/home/me' };
    assert.equal(userStateFolder(env, 'linux'), '/home/me/.local/state/claude-queue');
    assert.equal(userConfigFile(env, 'linux'), '/home/me/.config/claude-queue/config.yaml');
    assert.equal(userStateFolder(env, 'darwin'), '/home/me/Library/Application Support/claude-queue');
    assert.equal(
      userConfigFile(env, 'darwin'),
      '/home/me/Library/Application Support/claude-queue/config.yaml',
    );
    const xdg = { ...env, XDG_STATE_HOME: '/state', XDG_CONFIG_HOME: '/config' };
    assert.equal(userStateFolder(xdg, 'darwin'), '/state/claude-queue');
    assert.equal(userConfigFile(xdg, 'linux'), '/config/claude-queue/config.yaml');
    // An empty or relative home is none: a repository must not become the place of approvals.
    assert.equal(
      userStateFolder({ HOME: '' }, 'linux'),
      join(userInfo().homedir, '.local/state/claude-queue'),
    );
    const relative = { ...env, XDG_STATE_HOME: 'state', XDG_CONFIG_HOME: 'config' };
    assert.equal(userStateFolder(relative, 'linux'), '/home/me/.local/state/claude-queue');
    assert.equal(userConfigFile(relative, 'linux'), '/home/me/.config/claude-queue/config.yaml');
  });

  it('begin at the system’s home where the environment names none', () => {
    assert.equal(homeFolder({}), homedir());
  });

  it('tell this machine from others, always in the same words', () => {
    assert.ok(machineId().startsWith(hostname()));
    assert.equal(machineId(), machineId());
  });

  it('tell a Mac by its hardware: its host name changes with the network', () => {
    const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-paths-'));
    try {
      const ioreg = join(folder, 'ioreg');
      const said = '    "IOPlatformUUID" = "00000000-1111-2222-3333-444444444444"';
      writeFileSync(ioreg, `#!/bin/sh\necho '${said}'\n`, { mode: 0o700 });
      assert.equal(machineId('darwin', ioreg), '00000000-1111-2222-3333-444444444444');
      assert.ok(machineId('darwin', join(folder, 'none')).startsWith(hostname()));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('lead through links to the file that they mean, also to one that is not there', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'claude-task-queue-paths-')));
    try {
      writeFileSync(join(folder, 'real.csv'), '');
      symlinkSync('real.csv', join(folder, 'link.csv'));
      assert.equal(await resolveFile(join(folder, 'link.csv')), join(folder, 'real.csv'));
      assert.equal(await resolveFile(join(folder, 'none.csv')), join(folder, 'none.csv'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
