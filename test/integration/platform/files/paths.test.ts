import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import {
  homeFolder,
  resolveFile,
  userConfigFile,
  userStateFolder,
} from '../../../../src/platform/files/paths';

describe('Paths', () => {
  it('of user files follow the system’s convention and the environment', () => {
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

  it('start at the system’s home without one in the environment', () => {
    assert.equal(homeFolder({}), homedir());
  });

  it('are resolved through links, also to a missing file', async () => {
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
