// Bundles a program as two files: the first has what is evaluated at once, the second what is imported by import() and is read
// when the first of that is used. Each module is in one of them alone, so that its classes and its state exist once.
import { basename, relative } from 'node:path';

/** Marks what a plugin asks esbuild itself to resolve. */
const RESOLVED = Symbol('resolved');

/** The modules that are evaluated with the entry, and those that these import by import(). */
async function sortModules(bundle, options) {
  const { metafile } = await bundle(options);
  const [atOnce, later] = [new Set(options.entryPoints), new Set()];
  for (const file of atOnce)
    for (const { path, kind, external } of metafile.inputs[file].imports)
      if (external !== true) (kind === 'dynamic-import' ? later : atOnce).add(path);
  return { atOnce, later: new Set([...later].filter((file) => !atOnce.has(file))) };
}

/** Takes the modules that `isThere` says from the file `beside`, where `expression` gives one by its path. */
const takeFrom = (beside, root, isThere, expression) => ({
  name: 'take-from-beside',
  setup: ({ resolve, onResolve, onLoad }) => {
    onResolve({ filter: /.*/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === RESOLVED) return undefined;
      if (path === beside) return { path, external: true };
      const found = await resolve(path, { ...from, pluginData: RESOLVED });
      const file = relative(root, found.path);
      return isThere(file, from.kind) ? { path: file, namespace: 'beside' } : found;
    });
    onLoad({ filter: /.*/, namespace: 'beside' }, ({ path }) => ({
      contents: `module.exports = require('${beside}').${expression(path)};`,
    }));
  },
});

/** Types and what it gives: bundleSplit.d.mts. */
export async function bundleSplit(bundle, options, laterFile) {
  const { absWorkingDir: root, entryPoints, outfile, plugins } = options;
  const { atOnce, later } = await sortModules(bundle, options);
  const bundleText = (lines, file, plugin) =>
    bundle({
      ...options,
      entryPoints: undefined,
      stdin: { contents: lines.join('\n'), resolveDir: root, sourcefile: basename(file) },
      outfile: file,
      plugins: [...plugins, plugin],
    });
  const shared = new Set();
  const isShared = (file) => atOnce.has(file) && shared.add(file).size > 0;
  const second = await bundleText(
    ['export const modules = {', ...[...later].map((file) => `'${file}': () => require('./${file}'),`), '};'],
    laterFile,
    takeFrom(`./${basename(outfile)}`, root, isShared, (file) => `shared['${file}']`),
  );
  const isLater = (file, kind) => kind === 'dynamic-import' && later.has(file);
  const first = await bundleText(
    [
      ...entryPoints.map((file) => `export * from './${file}';`),
      ...[...shared].map((file, index) => `import * as shared${index} from './${file}';`),
      'export const shared = {',
      ...[...shared].map((file, index) => `'${file}': shared${index},`),
      '};',
    ],
    outfile,
    takeFrom(`./${basename(laterFile)}`, root, isLater, (file) => `modules['${file}']()`),
  );
  return [first, second];
}
