import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { listFixedFolders } from '../../platform/processes/environment';
import { createGit, type Git, GitFailure } from '../../platform/git/git';

type Setting = readonly [key: string, value: string];

/** A setting that git of its own accord has nowhere: where git lists it, it also obeys the others. */
const BARE = 'safe.bareRepository';

/** By what a folder would have git start a program that its configuration need not name. */
const GUARDS: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['protocol.ext.allow', 'never'],
  // A folder that comes with a clone may look like a repository, with a configuration that came along.
  [BARE, 'explicit'],
];

/** Settings that name a program, and what they can be set to so that git continues without it. */
const STAND_INS: readonly (readonly [keys: RegExp, value: string])[] = [
  [/^alias\./, ''],
  [/^core\.askpass$/, ''],
  [/^core\.sshcommand$/, 'ssh'],
  [/^credential\.(?:[^]+\.)?helper$/, ''],
  // What it would have merged is a conflict.
  [/^merge\.[^]+\.driver$/, 'false'],
  [/^submodule\.[^]+\.update$/, 'none'],
];

/**
 * All other settings that name a program for git and what comes with it, or a file with more settings. Filters are among
 * them: without its own one, git would take a file as it is, a secret that was to be encrypted too.
 */
const PROGRAMS =
  /\.(?:path|clean|smudge|process|textconv|external|difffilter|gitproxy|uploadpack|receivepack|vcs|tunnel|httpd|modulepath|templatedir|smtpserver|viewer|browser|standalonetransferagent|[\w-]*(?:cmd|command|prog|program|hook|editor|driver))$/;

/** A byte that is no text: such a key cannot be named, nor such a path. */
const NO_TEXT = '\ufffd';

/** Much more than git needs: a machine that is busy is no reason to leave the repository unseen. */
const SLOWEST_MS = 20_000;

/**
 * The environment for work in a folder that nobody trusts: git would start whatever program the folder's own configuration
 * names to watch its files, to filter and to compare them, and older versions of Claude Code ask git for the state of the
 * folder before anything else: measured with 2.0.20 and 2.1.90. Nor are programs looked for in the folder itself, where the
 * person's own `PATH` would have that.
 */
export async function guardUntrusted(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const { PATH } = environment;
  const guarded = {
    ...environment,
    ...(PATH === undefined ? {} : { PATH: listFixedFolders(environment).join(delimiter) }),
    // Missing objects are not fetched by whatever the configuration names for that.
    GIT_NO_LAZY_FETCH: '1',
    // This counts over what is configured for all commands, and for one.
    GIT_PAGER: 'cat',
    ...configure(environment, GUARDS),
  };
  const standIns = await findStandIns(folder, guarded);
  // Where nobody can say what git would start there, or keep it from that, it is to find no repository.
  return standIns === null
    ? { ...guarded, GIT_DIR: '/dev/null' }
    : { ...guarded, ...configure(guarded, standIns) };
}

/** What is set here counts over every file of git's, and what the person set in the same way stays. */
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

/** What takes the place of the folder's own settings; null: not all of them can be told, or replaced. To look runs nothing. */
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

/** Of the repository, and of what is in it as a submodule, into which git looks by itself; null: it cannot tell. */
async function listOwnKeys(folder: string, environment: NodeJS.ProcessEnv): Promise<string[] | null> {
  const signal = AbortSignal.timeout(SLOWEST_MS);
  // An older git would fetch missing objects for this look, and paths are patterns here.
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

/** The keys of what lies with the repository: what its person set for all of theirs, Git LFS say, stays as it is. */
async function listKeys(git: Git, signal: AbortSignal): Promise<string[]> {
  const list = await git(['config', '--list', '--show-scope', '--name-only', '-z'], signal);
  const words = list.split('\0');
  const keysOf = (...scopes: string[]): string[] =>
    words.filter((_, at) => at % 2 === 1 && scopes.includes(words[at - 1] ?? ''));
  // Before 2.31 git takes no settings from the environment.
  if (!keysOf('command').includes(BARE.toLowerCase()))
    throw new GitFailure('git does not apply the protection.');
  return keysOf('local', 'worktree');
}

/** Null: there is no repository, or none with files. */
async function findTop(git: Git, signal: AbortSignal): Promise<string | null> {
  try {
    return (await git(['rev-parse', '--show-toplevel'], signal)).slice(0, -1);
  } catch (error) {
    if (error instanceof GitFailure && !signal.aborted) return null;
    throw error;
  }
}

/** The submodules of the whole repository, by their paths in it; none where there is no repository. */
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
