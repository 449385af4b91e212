import { buildSync } from 'esbuild';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

let folder: string | null = null;

function createFolder(): string {
  const created = mkdtempSync(join(tmpdir(), 'claude-task-queue-child-'));
  process.once('exit', () => {
    rmSync(created, { recursive: true, force: true });
  });
  return created;
}

/** Returns the path of this TypeScript program as one file of JavaScript: it starts in a tenth of the time. */
export function bundleProgram(source: string): string {
  folder ??= createFolder();
  const outfile = join(folder, `${basename(source, '.ts')}.cjs`);
  if (!existsSync(outfile)) {
    buildSync({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
  }
  return outfile;
}
