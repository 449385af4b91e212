import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

afterEach('no folder outlives its test', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
});

/** An empty folder; it is gone after the test that is running. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claude-task-queue-test-'));
  folders.add(folder);
  return folder;
}
