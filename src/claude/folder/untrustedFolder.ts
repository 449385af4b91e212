import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { homeFolder, isBelow, realFolder } from '../../platform/files/paths';
import { listFixedFolders } from '../../platform/processes/environment';
import { createGit, type Git, GitFailure } from '../../platform/git/git';

type Setting = readonly [key: string, value: string];

/** Setting that git has nowhere by default. If git lists it, git also applies the other settings. */
const BARE = 'safe.bareRepository';

/** Settings against programs that a folder can make git start without naming them in its configuration. */
const GUARDS: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['protocol.ext.allow', 'never'],
  // A folder in a clone may look like a repository and bring its own configuration.
  [BARE, 'explicit'],
];

/** Settings that name a program, with values that let git continue without it. */
const STAND_INS: readonly (readonly [keys: RegExp, value: string])[] = [
  [/^alias\./, ''],
  [/^core\.askpass$/, ''],
  [/^core\.sshcommand$/, 'ssh'],
  [/^credential\.(?:[^]+\.)?helper$/, ''],
  // Files that the driver would have merged become conflicts.
  [/^merge\.[^]+\.driver$/, 'false'],
  [/^submodule\.[^]+\.update$/, 'none'],
];

/**
 * All other settings that name a program for git and its tools, or a file with more settings. Filters are among
 * them: without its filter, git would take a file as it is, even a secret that was to be encrypted.
 */
const PROGRAMS =
  /\.(?:path|clean|smudge|process|textconv|external|difffilter|gitproxy|uploadpack|receivepack|vcs|tunnel|httpd|modulepath|templatedir|smtpserver|viewer|browser|standalonetransferagent|[\w-]*(?:cmd|command|prog|program|hook|editor|driver))$/;

/** Replacement character for bytes that are no text. Keys and paths with such bytes cannot be named. */
const NO_TEXT = '\ufffd';

/**
 * Timeout for git, in milliseconds. It is much more than git needs: a busy machine must not leave the
 * repository unseen.
 */
const SLOWEST_MS = 20_000;

/**
 * Returns the environment for work in an untrusted folder.
 *
 * Git would start any program that the folder's own configuration names to watch its files, to filter and to
 * compare them. Older versions of Claude Code ask git for the state of the folder before anything else:
 * measured with 2.0.20 and 2.1.90. Programs are not searched for in the folder itself, even if the user's own
 * `PATH` would allow that.
 */
export async function guardUntrusted(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const { PATH } = environment;
  const guarded = {
    ...environment,
    ...(PATH === undefined ? {} : { PATH: listOutside(folder, environment).join(delimiter) }),
    // Git fetches no missing objects with a program that the configuration names.
    GIT_NO_LAZY_FETCH: '1',
    // Overrides the pagers configured for all commands and for single ones.
    GIT_PAGER: 'cat',
    ...configure(environment, GUARDS),
  };
  const standIns = await findStandIns(folder, guarded);
  // If the programs cannot be listed or replaced, git must find no repository.
  return standIns === null
    ? { ...guarded, GIT_DIR: '/dev/null' }
    : { ...guarded, ...configure(guarded, standIns) };
}

/**
 * Returns the absolute folders of a `PATH` that are not in this folder. In a folder that has the user's home in it they are
 * the user's own.
 */
function listOutside(folder: string, environment: NodeJS.ProcessEnv): string[] {
  const fixed = listFixedFolders(environment);
  const real = realFolder(folder);
  if (isBelow(realFolder(homeFolder(environment)), real)) return fixed;
  return fixed.filter((one) => !isBelow(realFolder(one), real));
}

/**
 * Returns variables that override every configuration file of git. Settings that the user made in the same way
 * stay.
 */
function configure(
  { GIT_CONFIG_COUNT: own = '' }: NodeJS.ProcessEnv,
  entries: readonly Setting[],
): NodeJS.ProcessEnv {
  const first = /^\d+$/.test(own) ? Number(own) : 0;
  const pairs = entries.flatMap(([key, value], index) => {
    const number = String(first + index);
    return [[`GIT_CONFIG_KEY_${number}`, key] as const, [`GIT_CONFIG_VALUE_${number}`, value] as const];
  });
  return { GIT_CONFIG_COUNT: String(first + entries.length), ...Object.fromEntries(pairs) };
}

/**
 * Returns replacements for the folder's own settings; null if some cannot be read or replaced. The search runs
 * none of their programs.
 */
async function findStandIns(folder: string, environment: NodeJS.ProcessEnv): Promise<Setting[] | null> {
  const own = await listOwnKeys(folder, environment);
  if (own === null) return null;
  const standIns: Setting[] = [];
  for (const key of own) {
    const value = STAND_INS.find(([keys]) => keys.test(key))?.[1];
    if (value === undefined ? PROGRAMS.test(key) : key.includes(NO_TEXT)) return null;
    if (value !== undefined) standIns.push([key, value]);
  }
  return standIns;
}

/**
 * Returns the setting keys of the repository and of its submodules, which git reads by itself; null if git
 * cannot list them.
 */
async function listOwnKeys(folder: string, environment: NodeJS.ProcessEnv): Promise<string[] | null> {
  const signal = AbortSignal.timeout(SLOWEST_MS);
  // An older git would fetch missing objects here. Paths have to be read as patterns.
  const env = { ...environment, GIT_ALLOW_PROTOCOL: 'none', GIT_LITERAL_PATHSPECS: '0' };
  const keys: string[] = [];
  const tops = new Set<string>();
  const ahead = [folder];
  try {
    for (const at of ahead) {
      const git = createGit(at, env);
      const [listed, submodules] = await Promise.all([listKeys(git, signal), listSubmodules(git, signal)]);
      keys.push(...listed);
      const top = submodules.length === 0 ? null : await findTop(git, signal);
      if (top === null || tops.has(top)) continue;
      tops.add(top);
      const folders = submodules.map((name) => join(top, name));
      ahead.push(...folders.filter((each) => existsSync(join(each, '.git'))));
    }
    return keys;
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}

/**
 * Returns the keys of the settings that are stored with the repository. The user's settings for all
 * repositories, such as Git LFS, stay as they are.
 */
async function listKeys(git: Git, signal: AbortSignal): Promise<string[]> {
  const list = await git(['config', '--list', '--show-scope', '--name-only', '-z'], signal);
  const words = list.split('\0');
  const keysOf = (...scopes: string[]): string[] =>
    words.filter((_, at) => at % 2 === 1 && scopes.includes(words[at - 1] ?? ''));
  // Git before 2.31 takes no settings from the environment.
  if (!keysOf('command').includes(BARE.toLowerCase()))
    throw new GitFailure('git does not apply the protection.');
  return keysOf('local', 'worktree');
}

/** Returns the top folder of the work tree; null if there is no repository, or none with files. */
async function findTop(git: Git, signal: AbortSignal): Promise<string | null> {
  try {
    return (await git(['rev-parse', '--show-toplevel'], signal)).slice(0, -1);
  } catch (error) {
    if (error instanceof GitFailure && !signal.aborted) return null;
    throw error;
  }
}

/** Returns the paths of all submodules in the repository; none if there is no repository. */
async function listSubmodules(git: Git, signal: AbortSignal): Promise<string[]> {
  let list: string;
  try {
    list = await git(['ls-files', '--stage', '-z', '--full-name', ':/'], signal);
  } catch (error) {
    if (error instanceof GitFailure && (await findTop(git, signal)) === null) return [];
    throw error;
  }
  const names = list.split('\0').flatMap((entry) => /^160000 [^\t]*\t([^]+)$/.exec(entry)?.[1] ?? []);
  if (names.some((name) => name.includes(NO_TEXT))) throw new GitFailure('A submodule cannot be named.');
  return names;
}
