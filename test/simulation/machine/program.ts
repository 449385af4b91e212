import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { Script } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { FileCalls } from './fileCalls';
import { createFileModules } from './fileModules';
import { createGlobals, createModules } from './globals';
import type { SimProcess } from './process';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const ENTRY = path.join(ROOT, 'test/simulation/program/main.ts');

/** A place in the product's source where a bug is planted. */
export interface Replacement {
  /** Path below the project. */
  readonly file: string;
  /** Text that must occur in it exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Names in the global scope that a process has its own of. */
const SHADOWED = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  ...['Date', 'Math', 'performance', 'process', 'crypto'],
];

type Load = (...words: readonly unknown[]) => void;

/** The product's code, loaded anew by each simulated process: what a module keeps belongs to one process. */
export class Program<Exports> {
  private constructor(private readonly load: Load) {}

  /** Bundles the product, with a bug in it where one is given. @throws Error if its text is not there once */
  static async build<Exports>(bug?: Replacement): Promise<Program<Exports>> {
    const { outputFiles } = await build({
      absWorkingDir: ROOT,
      entryPoints: [ENTRY],
      ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', write: false },
      logLevel: 'silent',
      supported: { 'dynamic-import': false },
      define: { 'import.meta.dirname': '"/"' },
      plugins: [withoutWorld, ...(bug === undefined ? [] : [planted(bug)])],
    });
    const source = outputFiles[0]?.text ?? '';
    const wrapped = `(function (exports, module, require, ${SHADOWED.join(', ')}) {${source}\n})`;
    return new Program<Exports>(new Script(wrapped, { filename: 'simulated.js' }).runInThisContext() as Load);
  }

  /** Loads the program in a process. */
  start(process: SimProcess): Exports {
    const calls = new FileCalls(process, process.kernel.disk);
    const globals = createGlobals(process);
    const modules = createModules(process, createFileModules(calls));
    const module = { exports: {} };
    const find = (name: string): unknown => {
      const plain = name.replace(/^node:/, '');
      return modules.get(plain) ?? realModule(plain);
    };
    this.load(module.exports, module, find, ...SHADOWED.map((name) => globals[name]));
    return module.exports as Exports;
  }
}

const require_ = createRequire(import.meta.url);
/** Modules of Node that only compute. */
const PURE = ['path', 'util', 'buffer', 'events', 'assert', 'url', 'string_decoder'];

function realModule(name: string): unknown {
  if (PURE.includes(name)) return require_(`node:${name}`);
  // Loaded by a package and not used: any use fails.
  return {};
}

/** Packages that reach for the machine when they are loaded, and are not needed here. */
const withoutWorld: Plugin = {
  name: 'without-world',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(graceful-fs|signal-exit|ioredis|vscode)$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'stub',
    }));
    onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
      contents: 'module.exports = Object.assign(() => () => undefined, { realpath() {} });',
    }));
    onLoad({ filter: /src\/platform\/processes\/programs\.ts$/ }, () => ({
      contents: 'export * from "../../../test/simulation/program/programs";',
      resolveDir: path.join(ROOT, 'src/platform/processes'),
      loader: 'ts',
    }));
  },
};

function planted({ file, find, replace }: Replacement): Plugin {
  const whole = path.join(ROOT, file);
  const source = readFileSync(whole, 'utf8');
  const { length } = source.split(find);
  if (length !== 2)
    throw new Error(`${file} must contain this once, not ${String(length - 1)} times: ${find}`);
  return {
    name: 'planted',
    setup: ({ onLoad }) => {
      const escaped = file.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      onLoad({ filter: new RegExp(`${escaped}$`) }, () => ({
        contents: source.replace(find, () => replace),
        loader: 'ts',
        resolveDir: path.dirname(whole),
      }));
    },
  };
}
