import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineId } from '../../../../src/platform/processes/machine';

describe('This machine', () => {
  it('has a unique id that stays the same', () => {
    assert.ok(machineId().startsWith(hostname()));
    assert.equal(machineId(), machineId());
  });

  it('is identified by its hardware on a Mac, whose host name changes with the network', () => {
    const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-machine-'));
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
});
