// Programs of Debian that only the tests or the bench need: not installed on the system, but unpacked with the libraries that the
// system lacks into .vscode-test/NAME at their first use.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SetupFailure, findProgram, runBeside, step } from '../setup.mjs';

const SILENT = { stdio: ['ignore', 'pipe', 'pipe'] };

async function run(file, args, options) {
  const { status, output, error } = await runBeside(file, args, { ...SILENT, ...options });
  if (status === 0) return output;
  throw new SetupFailure(`${file} ${args.join(' ')} failed: ${error?.message ?? output.trim()}`);
}

/** Names of the package and of all that it needs, without those that the system has. */
async function listMissing(debianPackage) {
  const plan = await run('apt-get', ['-s', '-q', '--no-install-recommends', 'install', debianPackage]);
  const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name);
  // An installed package is needed too: its program may be too old for the one that looks for it on the PATH.
  return names.includes(debianPackage) ? names : [debianPackage, ...names];
}

/** A fresh system has no list of packages; only root may fetch it. */
async function listMissingOnFreshSystem(debianPackage) {
  try {
    return await listMissing(debianPackage);
  } catch (error) {
    if (process.getuid?.() !== 0) throw error;
    await run('apt-get', ['-qq', 'update']);
    return listMissing(debianPackage);
  }
}

/** Folders below `place` in which libraries may be, relative to it. */
function findLibraryFolders(place) {
  return ['lib', join('usr', 'lib')].flatMap((folder) => {
    try {
      const names = readdirSync(join(place, folder)).filter((name) => name.includes('-linux-'));
      return names.map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
}

/** Starts the unpacked program with the unpacked libraries, wherever the folder is. */
function writeLauncher(place, program) {
  const libraries = findLibraryFolders(place).map((folder) => `"$here/${folder}"`);
  const lines = [
    '#!/bin/sh',
    'here=${0%/*}',
    `export LD_LIBRARY_PATH=${libraries.join(':')}`,
    `exec "$here/usr/bin/${program}" "$@"`,
  ];
  writeFileSync(join(place, program), `${lines.join('\n')}\n`, { mode: 0o755 });
}

/** Put in place as a whole: two runs of tests may unpack it at once. */
async function unpack({ debianPackage, program, morePrograms = [], isAlone = false, works }, place) {
  const own = `${place}.${process.pid}`;
  mkdirSync(own, { recursive: true });
  try {
    const missing = await listMissingOnFreshSystem(debianPackage);
    const names = isAlone ? [debianPackage] : missing;
    await run('apt-get', ['download', '-q', ...names], { cwd: own });
    for (const file of readdirSync(own).filter((each) => each.endsWith('.deb'))) {
      await run('dpkg', ['-x', file, '.'], { cwd: own });
      rmSync(join(own, file));
    }
    for (const each of [program, ...morePrograms]) writeLauncher(own, each);
    if (works(join(place, program))) return;
    rmSync(place, { recursive: true, force: true });
    renameSync(own, place);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * A path of the program: of the unpacked package, or else of the one on the PATH. Undefined where neither answers as `works`
 * wants it.
 * @param tool its `name`; its `debianPackage`; its `program`; `works`, which is called with a path; `size` in words. Optional:
 * `morePrograms` of the package; `isAlone`, if they need no other package
 */
export async function findDebianTool(tool) {
  const place = join(ROOT, '.vscode-test', tool.name);
  const unpacked = join(place, tool.program);
  if (tool.works(unpacked)) return unpacked;
  if (findProgram(['apt-get']) !== undefined) {
    try {
      await step(`Unpacking ${tool.name} (once, ${tool.size})`, () => unpack(tool, place), place);
    } catch (error) {
      if (!(error instanceof SetupFailure)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
  return [unpacked, findProgram([tool.program])].find((file) => file !== undefined && tool.works(file));
}

/** Returns a program's output; empty if it does not run. */
export const ask = (file, args) => spawnSync(file, args, { encoding: 'utf8' }).stdout ?? '';
