// Bundles the programs: src/cli.ts to dist/cli.js, src/extension.ts to dist/extension.js. A bundle needs no node_modules.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const PROGRAMS = [
  { entry: 'src/cli.ts', out: 'dist/cli.js', mode: 0o755, banner: '#!/usr/bin/env node' },
  { entry: 'src/extension.ts', out: 'dist/extension.js', mode: 0o644, banner: '' },
];

/** Whole or not at all, and untouched where nothing changed: another process may be running the file. */
function replaceFile(path, contents, mode) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents, { mode });
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}

/** Builds every program whose source is there; rejects where one does not compile. */
export async function build() {
  const { build: bundle } = await import('esbuild');
  const present = PROGRAMS.filter((program) => existsSync(join(ROOT, program.entry)));
  await Promise.all(
    present.map(async ({ entry, out, mode, banner }) => {
      const { outputFiles } = await bundle({
        absWorkingDir: ROOT,
        entryPoints: [entry],
        outfile: out,
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        minify: true,
        charset: 'utf8',
        sourcemap: 'linked',
        external: ['vscode'],
        loader: { '.lua': 'text' },
        banner: { js: banner },
        logLevel: 'warning',
        write: false,
      });
      mkdirSync(join(ROOT, 'dist'), { recursive: true });
      for (const file of outputFiles)
        replaceFile(file.path, Buffer.from(file.contents), file.path.endsWith('.map') ? 0o644 : mode);
    }),
  );
  return present.map((program) => program.out);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedMs = Date.now();
  const built = await build();
  console.log(`Built ${built.join(', ')} in ${Date.now() - startedMs} ms.`);
}
