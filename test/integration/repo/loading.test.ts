import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Metafile } from 'esbuild';

const ROOT = resolve(__dirname, '../../..');

/** Returns the inputs of a bundle that is made as scripts/build.mjs makes it. */
async function bundle(entry: string): Promise<Metafile['inputs']> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    metafile: true,
    write: false,
  });
  return metafile.inputs;
}

/** Returns the modules that run when the bundle is loaded: all that are imported, but not by import(). */
function findEager(inputs: Metafile['inputs'], entry: string): ReadonlySet<string> {
  const eager = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (eager.has(file)) continue;
    eager.add(file);
    const imports = inputs[file]?.imports ?? [];
    waiting.push(
      ...imports
        .filter(({ kind, external }) => kind !== 'dynamic-import' && external !== true)
        .map(({ path }) => path),
    );
  }
  return eager;
}

/** Small and without effects: the status bar shows times in the queue's zone. */
const LIGHT = 'node_modules/@date-fns/tz/';

/** The names of a queue's files: the window looks for the queue by them. */
const NAMES = 'src/queue/queuePaths.ts';

describe('Loading the extension', () => {
  let inputs: Metafile['inputs'];
  let eager: readonly string[];

  before(async () => {
    inputs = await bundle('src/extension.ts');
    eager = [...findEager(inputs, 'src/extension.ts')];
  });

  it('evaluates none of its libraries but a small one', () => {
    const libraries = (files: readonly string[]): string[] =>
      files.filter((file) => file.includes('node_modules/') && !file.startsWith(LIGHT));
    assert.deepEqual(libraries(eager), []);
    // They are in it.
    for (const name of ['croner', 'yaml', 'proper-lockfile'])
      assert.ok(
        libraries(Object.keys(inputs)).some((file) => file.includes(`/${name}/`)),
        name,
      );
  });

  it('evaluates nothing of the engine: no queue is read before the window shows one', () => {
    const engine = /^src\/(?:queue|account|worker)\//;
    assert.deepEqual(
      eager.filter((file) => engine.test(file) && file !== NAMES),
      [],
    );
    assert.ok(Object.keys(inputs).some((file) => engine.test(file)));
  });

  it('formats no time: the first use of Intl.DateTimeFormat takes 10 ms', () => {
    const evaluates = /^(?:export )?const [^(]*Intl\.DateTimeFormat/m;
    const isUsing = (file: string): boolean => evaluates.test(readFileSync(resolve(ROOT, file), 'utf8'));
    const own = eager.filter((file) => file.startsWith('src/'));
    assert.deepEqual(own.filter(isUsing), []);
    assert.match('const ZONE = Intl.DateTimeFormat();', evaluates);
  });

  it('evaluates no command before it is called', () => {
    const commands = (files: readonly string[]): string[] =>
      files.filter((file) => file.startsWith('src/editor/commands/'));
    assert.deepEqual(commands(eager), []);
    assert.ok(commands(Object.keys(inputs)).length > 0);
  });
});

describe('Loading the command', () => {
  it('does not evaluate what only tables and texts of changes need', async () => {
    const inputs = await bundle('src/cli.ts');
    const eager = [...findEager(inputs, 'src/cli.ts')];
    for (const name of ['string-width', 'diff']) {
      const isOf = (file: string): boolean => file.startsWith(`node_modules/${name}/`);
      assert.ok(Object.keys(inputs).some(isOf), name);
      assert.deepEqual(eager.filter(isOf), []);
    }
  });
});
