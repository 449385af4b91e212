// The folder for what tests write: in memory where this system has a large one, since tests wait long for a disk to sync.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Several times what the tests of a whole run take at once. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/** Returns the variable that makes programs use the folder in memory; none if the user chose one or this system has none. */
export function memoryFolder() {
  return process.env.TMPDIR === undefined && isLarge() && runsPrograms() ? { TMPDIR: IN_MEMORY } : {};
}

function isLarge() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    // macOS, for one, has no such folder.
    return false;
  }
}

/** Tests write programs and start them: some containers forbid that there. */
function runsPrograms() {
  let place;
  try {
    place = mkdtempSync(join(IN_MEMORY, 'claude-task-queue-test-'));
    const program = join(place, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0;
  } catch {
    return false;
  } finally {
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
  }
}
