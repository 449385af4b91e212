import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { idsAfter, startChild } from './program';

/** Gives a program mounts of its own, as root of a user namespace of its own. */
const WITH_MOUNTS = ['unshare', '--user', '--map-root-user', '--mount'];

/** Containers and systems without user namespaces refuse that; badDisk.test.ts replaces these tests there. */
function canMount(): boolean {
  const [command = '', ...args] = WITH_MOUNTS;
  return spawnSync(command, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;
}

describe('A queue file on a real disk', () => {
  let folder = '';

  before(function () {
    if (canMount()) return;
    console.log(
      '      This system lets no test mount a small disk: full and read-only ones are only played.',
    );
    this.skip();
  });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'claude-task-queue-disk-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('that is full rejects a step whole, reports it, and works when there is room', async () => {
    const ended = await startChild({ file: folder, name: 'child', play: 'fullDisk' }, ...WITH_MOUNTS).ended;
    assert.match(ended.stdout, /^through$/m, ended.stdout + ended.stderr);
    const [refused = 0] = idsAfter('refused', ended);
    assert.ok(refused > 3, `only ${String(refused)} steps were refused`);
  });

  it('that is read-only shows everything, refuses changes, and works when it is writable', async () => {
    const ended = await startChild({ file: folder, name: 'child', play: 'readOnly' }, ...WITH_MOUNTS).ended;
    assert.match(ended.stdout, /^through$/m, ended.stdout + ended.stderr);
  });
});
