import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleSplit } from '../../../scripts/bundleSplit.mjs';

/** All use `both`; `later` and `last` use `deep`. */
const SOURCES = {
  'both.ts': "export class Problem extends Error {}\nexport const ids = { last: 0 };\nconsole.log('both');\n",
  'deep.ts': "console.log('deep');\nexport const deep = true;\n",
  'later.ts': [
    "import { ids, Problem } from './both';",
    "import { deep } from './deep';",
    'export function fail(): never {',
    '  ids.last += 1;',
    '  throw new Problem(`deep ${deep}`);',
    '}',
  ].join('\n'),
  'last.ts': [
    "import { ids } from './both';",
    "import { deep } from './deep';",
    "export { fail } from './later';",
    'export const seen = () => `${ids.last} ${deep}`;',
  ].join('\n'),
  'main.ts': [
    "import { ids, Problem } from './both';",
    'export async function activate(): Promise<void> {',
    "  console.log('activate');",
    "  const { fail } = await import('./later');",
    '  try {',
    '    fail();',
    '  } catch (error) {',
    '    console.log(error instanceof Problem, error.message, ids.last);',
    '  }',
    '}',
    'export async function end(): Promise<void> {',
    "  const last = await import('./last');",
    "  const later = await import('./later');",
    '  console.log(last.seen(), last.fail === later.fail);',
    '}',
  ].join('\n'),
};

describe('A bundle in three files', () => {
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'claude-queue-split-'));
    mkdirSync(join(folder, 'src'));
    for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, 'src', name), text);
    await bundleSplit(
      build,
      {
        absWorkingDir: folder,
        entryPoints: ['src/main.ts'],
        outfile: 'dist/main.js',
        bundle: true,
        format: 'cjs',
        metafile: true,
        supported: { 'dynamic-import': false },
        plugins: [],
      },
      [{ file: 'dist/later.js', roots: ['src/later.ts'] }, { file: 'dist/last.js' }],
    );
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function run(script: string): readonly string[] {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      cwd: join(folder, 'dist'),
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    return stdout.trim().split('\n');
  }

  it('reads no other file before import()', () => {
    const script = "require('./main.js'); console.log(Object.keys(require.cache).length)";
    assert.deepEqual(run(script), ['both', '1']);
  });

  it('does not read the third file for a module of the second', () => {
    const script =
      "require('./main.js').activate().then(() => console.log(Object.keys(require.cache).length))";
    assert.equal(run(script).at(-1), '2');
  });

  it('has the modules of the second file once where the third one uses them', () => {
    const script = "const { activate, end } = require('./main.js'); activate().then(end)";
    assert.deepEqual(run(script), ['both', 'activate', 'deep', 'true deep true 1', '1 true true']);
  });

  it('has each module once: a class and a value of the first file are the same in the second', () => {
    assert.deepEqual(run("void require('./main.js').activate()"), [
      'both',
      'activate',
      'deep',
      'true deep true 1',
    ]);
  });
});
