// Bundles a program as several files: the first has what is evaluated at once. Each of the others is read when the first module in
// it is imported by import(). Each module is in one of them alone, so that its classes and its state exist once.
import { basename, relative } from 'node:path';

/** Marks what a plugin asks esbuild itself to resolve. */
const RESOLVED = Symbol('resolved');

/** The index of the file that each module is in: the first that has it as a root, or imports it other than by import(). */
function findOwners(inputs, parts) {
  const owners = new Map();
  for (const [index, { roots = Object.keys(inputs) }] of parts.entries()) {
    const files = new Set(roots);
    for (const file of files) {
      if (owners.has(file)) continue;
      owners.set(file, index);
      for (const { path, kind, external } of inputs[file].imports)
        if (external !== true && kind !== 'dynamic-import') files.add(path);
    }
  }
  return owners;
}

/** The modules of each file that others import. */
function findShared(inputs, owners, parts) {
  const shared = parts.map(() => new Set());
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path, external } of imports)
      if (external !== true && owners.get(path) !== owners.get(file)) shared[owners.get(path)].add(path);
  return shared;
}

const beside = ({ file }) => `./${basename(file)}`;

/** Takes the modules of other files from there. */
const takeFromOthers = (own, parts, owners, root) => ({
  name: 'take-from-others',
  setup: ({ resolve, onResolve, onLoad }) => {
    onResolve({ filter: /.*/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === RESOLVED) return undefined;
      if (from.namespace === 'beside') return { path, external: true };
      const found = await resolve(path, { ...from, pluginData: RESOLVED });
      const file = relative(root, found.path);
      return (owners.get(file) ?? own) === own ? found : { path: file, namespace: 'beside' };
    });
    onLoad({ filter: /.*/, namespace: 'beside' }, ({ path }) => ({
      contents: `module.exports = require('${beside(parts[owners.get(path)])}').modules['${path}']();`,
    }));
  },
});

/** The first file has what the program gives; its modules are evaluated when it is read. */
const composeFirst = (entries, shared) => [
  ...entries.map((file) => `export * from './${file}';`),
  ...shared.map((file, index) => `import * as shared${index} from './${file}';`),
  'export const modules = {',
  ...shared.map((file, index) => `'${file}': () => shared${index},`),
  '};',
];

const composeOther = (shared) => [
  'export const modules = {',
  ...shared.map((file) => `'${file}': () => require('./${file}'),`),
  '};',
];

/** Types and what it gives: bundleSplit.d.mts. */
export async function bundleSplit(bundle, options, later) {
  const { absWorkingDir: root, entryPoints, outfile, plugins } = options;
  const parts = [{ file: outfile, roots: entryPoints }, ...later];
  const { inputs } = (await bundle(options)).metafile;
  const owners = findOwners(inputs, parts);
  const shared = findShared(inputs, owners, parts).map((files) => [...files].sort());
  return Promise.all(
    parts.map(({ file }, index) => {
      const lines = index === 0 ? composeFirst(entryPoints, shared[index]) : composeOther(shared[index]);
      return bundle({
        ...options,
        entryPoints: undefined,
        stdin: { contents: lines.join('\n'), resolveDir: root, sourcefile: basename(file) },
        outfile: file,
        plugins: [...plugins, takeFromOthers(index, parts, owners, root)],
      });
    }),
  );
}
