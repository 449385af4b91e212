import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { Script } from 'node:vm';
import { build as bundle, type Plugin } from 'esbuild';
import { FileCalls } from './fileCalls';
import { createFileModules } from './fileModules';
import { createGlobals, createModules } from './globals';
import type { SimProcess } from './process';
import { Seat } from './seat';
import { withResets } from './resets';

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

/** The program as it is loaded in a seat. */
interface Loaded<Exports> {
  readonly seat: Seat;
  readonly exports: Exports;
  /** Forgets what modules keep of the last process. */
  readonly reset: () => void;
}

/**
 * The product's code. Processes that live at the same time have their own of it each; what a module keeps is forgotten before
 * the next process has it.
 */
export class Program<Exports> {
  private readonly loaded: Loaded<Exports>[] = [];

  private constructor(private readonly load: Load) {}

  /** Bundles the product, with these texts of it replaced. @throws Error if a text is not there once */
  static async build<Exports>(...replaced: readonly Replacement[]): Promise<Program<Exports>> {
    const { outputFiles } = await bundle({
      absWorkingDir: ROOT,
      entryPoints: [ENTRY],
      ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', write: false },
      logLevel: 'silent',
      supported: { 'dynamic-import': false },
      external: SHARED,
      define: { 'import.meta.dirname': '"/"' },
      plugins: [withoutWorld, loadedWith(replaced)],
    });
    const source = outputFiles[0]?.text ?? '';
    const wrapped = `(function (exports, module, require, onReset, ${SHADOWED.join(', ')}) {${source}\n})`;
    return new Program<Exports>(new Script(wrapped, { filename: 'simulated.js' }).runInThisContext() as Load);
  }

  /** Starts the program in a process. */
  start(process: SimProcess): Exports {
    const free = this.loaded.find(({ seat }) => seat.isFreeFor(process));
    if (free === undefined) {
      const one = this.loadIn(new Seat(process));
      this.loaded.push(one);
      return one.exports;
    }
    free.seat.take(process);
    free.reset();
    return free.exports;
  }

  private loadIn(seat: Seat): Loaded<Exports> {
    const calls = new FileCalls(seat);
    const globals = createGlobals(seat);
    const modules = createModules(seat, createFileModules(calls));
    const module = { exports: {} };
    const resets = [() => calls.reset()];
    const find = (name: string): unknown => {
      const plain = name.replace(/^node:/, '');
      return modules.get(plain) ?? realModule(plain);
    };
    const onReset = (reset: () => void): void => void resets.push(reset);
    this.load(module.exports, module, find, onReset, ...SHADOWED.map((name) => globals[name]));
    const reset = (): void => {
      for (const one of resets) one();
    };
    return { seat, exports: module.exports as Exports, reset };
  }
}

const require_ = createRequire(import.meta.url);
/** Packages that only compute: loaded once for all processes, since loading them takes most of a start. */
const SHARED = ['yaml', '@date-fns/tz', 'csv-parse'];
/** Modules of Node that only compute. */
const PURE = ['path', 'util', 'buffer', 'events', 'assert', 'url', 'string_decoder'];

const realModules = new Map<string, unknown>();

/** Returns a module that all processes share. It is looked up once: each start of a process asks for all of them. */
function realModule(name: string): unknown {
  if (!realModules.has(name)) realModules.set(name, loadReal(name));
  return realModules.get(name);
}

function loadReal(name: string): unknown {
  if (PURE.includes(name)) return require_(`node:${name}`);
  if (SHARED.includes(name)) return require_(name);
  // Loaded by a package and not used: any use fails.
  return Object.freeze({});
}

/** Packages that reach for the machine when they are loaded, and are not needed here. */
const withoutWorld: Plugin = {
  name: 'without-world',
  setup: (build) => {
    build.onResolve({ filter: /^(graceful-fs|signal-exit|ioredis|vscode)$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'stub',
    }));
    build.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
      contents: 'module.exports = Object.assign(() => () => undefined, { realpath() {} });',
    }));
    build.onLoad({ filter: /src\/platform\/processes\/programs\.ts$/ }, () => ({
      contents: 'export * from "../../../test/simulation/program/programs";',
      resolveDir: path.join(ROOT, 'src/platform/processes'),
      loader: 'ts',
    }));
  },
};

/** Returns a source file with these texts of it replaced. @throws Error if one is not there once */
export function plantIn(file: string, replaced: readonly Replacement[]): string {
  let source = readFileSync(path.join(ROOT, file), 'utf8');
  for (const { find, replace } of replaced) {
    const { length } = source.split(find);
    if (length !== 2)
      throw new Error(`${file} must contain this once, not ${String(length - 1)} times: ${find}`);
    source = source.replace(find, () => replace);
  }
  return source;
}

/** Loads the source with these texts of it replaced, and with resets of what its modules keep. */
function loadedWith(replaced: readonly Replacement[]): Plugin {
  return {
    name: 'loaded',
    setup: (build) => {
      build.onLoad(
        { filter: /(\/src\/.*|\/program\/\w+)\.ts$|\/proper-lockfile\/lib\/lockfile\.js$/ },
        (loaded) => {
          const file = path.relative(ROOT, loaded.path);
          const source = plantIn(
            file,
            replaced.filter((one) => one.file === file),
          );
          const loader = file.endsWith('.ts') ? ('ts' as const) : ('js' as const);
          return { contents: withResets(source), loader, resolveDir: path.dirname(loaded.path) };
        },
      );
    },
  };
}
