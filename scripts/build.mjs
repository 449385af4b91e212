// Bundles the programs: src/cli.ts to dist/cli.js, src/watchdog.ts to dist/watchdog.js, src/extension.ts to dist/extension.js,
// with what that reads later beside it (dist/engine.js, dist/rest.js, dist/yaml.js, dist/redis.js, dist/metrics.js,
// dist/markdown.js, dist/charts.js). A bundle needs no node_modules;
// dist/NOTICES.txt has the licences of the packages in them.
// With --watch (npm run watch) it builds again at each change of a source, not minified, until it is stopped: the extension is
// one file then.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleSplit } from './bundleSplit.mjs';
import { ensurePackages, runScript } from './setup.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * The parser of settings files, which most queues have none of, would be a quarter of what the editor reads in every window.
 * cli.js has it inside: with a queue in a file, that one can be copied and started alone.
 */
const YAML_APART = {
  name: 'yaml-apart',
  setup: ({ onResolve }) => onResolve({ filter: /^yaml$/ }, () => ({ path: './yaml.js', external: true })),
};

/** The client of Redis, which most queues do not need either. */
const REDIS_APART = {
  name: 'redis-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^ioredis$/ }, () => ({ path: './redis.js', external: true })),
};

/** The library of metrics, which only those who monitor a queue need. */
const METRICS_APART = {
  name: 'metrics-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^prom-client$/ }, () => ({ path: './metrics.js', external: true })),
};

/** Parts of that library that nobody here uses: figures of the process, several processes, a gateway, summaries. */
const METRICS_SLIM = {
  name: 'metrics-slim',
  setup: ({ onResolve, onLoad }) => {
    const unused = /^\.\/lib\/(?:cluster|defaultMetrics|metricAggregators|pushgateway|summary)$/;
    onResolve({ filter: unused }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The renderer of Markdown, which only the page of an attempt needs. */
const MARKDOWN_APART = {
  name: 'markdown-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^markdown-it$/ }, () => ({ path: './markdown.js', external: true })),
};

/** Modules that the editor imports by import() to show a queue for the first time. */
const FIRST_LOOK = ['src/editor/state/openedQueue.ts', 'src/editor/tree/shownTree.ts', 'src/editor/views.ts'];

const PROGRAMS = [
  {
    entry: 'src/cli.ts',
    out: 'dist/cli.js',
    mode: 0o755,
    banner: '#!/usr/bin/env node',
    plugins: [REDIS_APART, METRICS_APART],
  },
  {
    entry: 'src/extension.ts',
    out: 'dist/extension.js',
    later: [{ file: 'dist/engine.js', roots: FIRST_LOOK }, { file: 'dist/rest.js' }],
    mode: 0o644,
    banner: '',
    plugins: [YAML_APART, REDIS_APART, MARKDOWN_APART],
  },
  { entry: 'src/watchdog.ts', out: 'dist/watchdog.js', mode: 0o644, banner: '', plugins: [] },
  { entry: 'node_modules/yaml/dist/index.js', out: 'dist/yaml.js', mode: 0o644, banner: '', plugins: [] },
  {
    entry: 'node_modules/ioredis/built/index.js',
    out: 'dist/redis.js',
    mode: 0o644,
    banner: '',
    plugins: [],
  },
  {
    entry: 'node_modules/prom-client/index.js',
    out: 'dist/metrics.js',
    mode: 0o644,
    banner: '',
    plugins: [METRICS_SLIM],
  },
  {
    entry: 'node_modules/markdown-it/dist/index.cjs.js',
    out: 'dist/markdown.js',
    mode: 0o644,
    banner: '',
    plugins: [],
  },
  {
    // For the pages, which are in a browser: media/charts.js uses it.
    entry: 'node_modules/uplot/dist/uPlot.esm.js',
    out: 'dist/charts.js',
    mode: 0o644,
    banner: '',
    plugins: [],
    inBrowser: { platform: 'browser', format: 'iife', globalName: 'uPlotModule' },
  },
];

/** Whole or not at all, and untouched where nothing changed: another process may be running the file. */
function replaceFile(path, contents, mode) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents, { mode });
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}

/** The folders of the packages that a bundle was made from. */
function packagesIn(metafile) {
  return Object.keys(metafile.inputs).flatMap(
    (input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [],
  );
}

/** Their licences ask to be passed on with them. */
function composeNotices(folders) {
  const notices = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const licence = readdirSync(join(ROOT, folder)).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined)
      throw new Error(`${name} is bundled, and ${folder} has no licence to pass on.`);
    return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, licence), 'utf8').trim()}\n`;
  });
  return ['The programs contain these packages:\n', ...notices].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The options that esbuild bundles a program with. */
function bundleOptions({ entry, out, banner, plugins, inBrowser = {} }) {
  return {
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
    sourcesContent: false,
    external: ['vscode'],
    plugins,
    // The bundle beside is no module, and its names are not found by import().
    supported: { 'dynamic-import': false },
    banner: { js: banner },
    logLevel: 'warning',
    write: false,
    metafile: true,
    ...inBrowser,
  };
}

function writeOutputs(outputFiles, mode) {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  for (const file of outputFiles)
    replaceFile(file.path, Buffer.from(file.contents), file.path.endsWith('.map') ? 0o644 : mode);
}

const presentPrograms = () => PROGRAMS.filter((program) => existsSync(join(ROOT, program.entry)));

/** Builds every program whose source is there; rejects where one does not compile. */
export async function build() {
  const { build: bundle } = await import('esbuild');
  const present = presentPrograms();
  const bundled = await Promise.all(
    present.map(async (program) => {
      const options = bundleOptions(program);
      const results =
        program.later === undefined
          ? [await bundle(options)]
          : await bundleSplit(bundle, options, program.later);
      for (const { outputFiles } of results) writeOutputs(outputFiles, program.mode);
      return results.flatMap(({ metafile }) => packagesIn(metafile));
    }),
  );
  replaceFile(join(ROOT, 'dist', 'NOTICES.txt'), Buffer.from(composeNotices(bundled.flat())), 0o644);
  return present.flatMap(({ out, later = [] }) => [out, ...later.map(({ file }) => file)]);
}

/** Writes what was built and prints two lines, which .vscode/tasks.json waits for. */
const reportBuilds = ({ entry, mode }) => ({
  name: 'report-builds',
  setup: ({ onStart, onEnd }) => {
    onStart(() => console.log(`Building ${entry}`));
    onEnd(({ errors, outputFiles }) => {
      if (errors.length === 0) writeOutputs(outputFiles, mode);
      console.log(errors.length === 0 ? `Built ${entry}` : `Failed to build ${entry}`);
    });
  },
});

/** Builds every program whose source is there, and each again when a file of it changes. */
async function watch() {
  const { context } = await import('esbuild');
  for (const program of presentPrograms()) {
    const options = bundleOptions(program);
    const plugins = [...options.plugins, reportBuilds(program)];
    await (await context({ ...options, minify: false, plugins })).watch();
  }
}

/** As a command of its own it also runs in a fresh clone, such as before npm pack. */
async function main() {
  await ensurePackages();
  if (process.argv.includes('--watch')) await watch();
  else {
    const startedMs = Date.now();
    const built = await build();
    console.log(`Built ${built.join(', ')} in ${Date.now() - startedMs} ms.`);
  }
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runScript(main);
