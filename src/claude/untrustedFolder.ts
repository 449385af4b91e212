import { delimiter } from 'node:path';
import { listFixedFolders } from '../platform/environment';
import { cleanEnvironment, createGit, GitFailure } from '../platform/git';

/** By what else a folder's own configuration would have git start a program where it only looks. */
const GUARDS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // Signatures are checked by whatever program the configuration names.
  ['log.showSignature', 'false'],
  ['format.pretty', 'medium'],
  ['protocol.ext.allow', 'never'],
  // A folder that comes with a clone may look like a repository, with a configuration that came along.
  ['safe.bareRepository', 'explicit'],
];

const SLOWEST_MS = 5000;

/**
 * The environment for work in a folder that nobody trusts: git would start whatever program the folder's own configuration
 * names to watch its files and to filter them, and older versions of Claude Code ask git for the state of the folder before
 * anything else: measured with 2.0.20 and 2.1.90. Nor are programs looked for in the folder itself, where the person's own
 * `PATH` would have that.
 */
export async function guardUntrusted(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const { PATH } = environment;
  const filters = await listFilters(folder, environment);
  return {
    ...environment,
    ...(PATH === undefined ? {} : { PATH: listFixedFolders(environment).join(delimiter) }),
    // Missing objects are not fetched by whatever the configuration names for that.
    GIT_NO_LAZY_FETCH: '1',
    // Where nobody can say what git would start there, it is to find no repository.
    ...(filters === null ? { GIT_DIR: '/dev/null' } : {}),
    ...configure(environment, [...GUARDS, ...(filters ?? []).flatMap(switchOff)]),
  };
}

/** What is set here counts over every file of git's, and what the person set in the same way stays. */
function configure(
  { GIT_CONFIG_COUNT: own = '' }: NodeJS.ProcessEnv,
  entries: readonly (readonly [key: string, value: string])[],
): NodeJS.ProcessEnv {
  const first = /^\d+$/.test(own) ? Number(own) : 0;
  const pairs = entries.flatMap(([key, value], index) => {
    const number = String(first + index);
    return [[`GIT_CONFIG_KEY_${number}`, key] as const, [`GIT_CONFIG_VALUE_${number}`, value] as const];
  });
  return { GIT_CONFIG_COUNT: String(first + entries.length), ...Object.fromEntries(pairs) };
}

/** The filters that git would know in this folder, by their names; null: it cannot tell. To look runs nothing. */
async function listFilters(folder: string, environment: NodeJS.ProcessEnv): Promise<string[] | null> {
  const git = createGit(folder, cleanEnvironment(environment));
  try {
    const keys = await git(['config', '--list', '--name-only', '-z'], AbortSignal.timeout(SLOWEST_MS));
    const names = keys.split('\0').map((key) => /^filter\.([^]+)\.[^.]+$/.exec(key)?.[1]);
    return [...new Set(names.flatMap((name) => name ?? []))];
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}

function switchOff(filter: string): (readonly [key: string, value: string])[] {
  const programs = ['clean', 'smudge', 'process'].map((kind) => [`filter.${filter}.${kind}`, ''] as const);
  return [...programs, [`filter.${filter}.required`, 'false']];
}
