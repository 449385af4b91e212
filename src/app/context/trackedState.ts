import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { cleanEnvironment, createGit, GitFailure } from '../../platform/git/git';
import { t } from '../../platform/text/translate';
import type { Host } from './host';

const GIT_MS = 10_000;

/**
 * Refuses a state folder in which git tracks a file: commits would change it, and anyone with access to the repository
 * could write its history. Allows it if git does not answer.
 * @throws Problem `state-tracked`
 */
export async function refuseTracked(stateFolder: string, { env }: Pick<Host, 'env'>): Promise<void> {
  if (!existsSync(stateFolder) || !mayBeTracked(stateFolder)) return;
  const tracked = await listTracked(stateFolder, { ...env });
  if (tracked === '') return;
  throw new Problem(
    'state-tracked',
    t(
      'git tracks files in {0} ({1}). They would change with every checkout, and contain prompts and answers. ' +
        'Run "git rm -r --cached {0}" and commit, then "claude-queue check".',
      stateFolder,
      tracked,
    ),
  );
}

/** Returns the first tracked name; empty if there is none. */
async function listTracked(stateFolder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const git = createGit(path.dirname(stateFolder), cleanEnvironment(env));
  try {
    const names = await git(
      ['ls-files', '-z', '--', path.basename(stateFolder)],
      AbortSignal.timeout(GIT_MS),
    );
    return names.split('\0', 1)[0] ?? '';
  } catch (error) {
    if (error instanceof GitFailure) return '';
    throw error;
  }
}

/** Whether git has to be asked. Not if there is no repository, or if its index names nothing in the folder. */
function mayBeTracked(stateFolder: string): boolean {
  const top = findRepository(stateFolder);
  if (top === null) return false;
  const git = path.join(top, '.git');
  // The index has the last two names, whichever folder is the repository's top.
  const names = `${path.relative(top, stateFolder).split(path.sep).slice(-2).join('/')}/`;
  if (!/^[ -~]+$/.test(names) || !isPlainRepository(git)) return true;
  const index = path.join(git, 'index');
  if (!existsSync(index)) return false;
  const bytes = readFileSync(index);
  return !hasWholeNames(bytes) || bytes.includes(names);
}

/** Returns the folder with the nearest `.git`; null if there is none. */
function findRepository(folder: string): string | null {
  if (existsSync(path.join(folder, '.git'))) return folder;
  const above = path.dirname(folder);
  return above === folder ? null : findRepository(above);
}

/** Whether one index lists all that git tracks; false in a linked worktree, a split index or a sparse checkout. */
function isPlainRepository(git: string): boolean {
  return (
    statSync(git).isDirectory() &&
    !existsSync(path.join(git, 'info', 'sparse-checkout')) &&
    !readdirSync(git).some((name) => name.startsWith('sharedindex.'))
  );
}

/** Whether this is an index of version 2 or 3; later versions shorten names. */
function hasWholeNames(index: Buffer): boolean {
  return (
    index.length >= 8 && index.toString('latin1', 0, 4) === 'DIRC' && [2, 3].includes(index.readUInt32BE(4))
  );
}
