import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { cleanEnvironment, createGit, GitFailure } from '../../platform/git/git';
import type { Host } from './host';

const GIT_MS = 10_000;

/**
 * Refuses a state folder of which git has taken something up: it would come and go with commits, and everybody who has
 * the repository could write its history. Where git does not answer nothing is known.
 * @throws Problem `state-tracked`
 */
export async function refuseTracked(stateFolder: string, { env }: Pick<Host, 'env'>): Promise<void> {
  if (!existsSync(stateFolder) || !isInRepository(stateFolder)) return;
  const tracked = await listTracked(stateFolder, { ...env });
  if (tracked === '') return;
  throw new Problem(
    'state-tracked',
    `git tracks files in ${stateFolder} (${tracked}). They would change with every checkout, and hold prompts and answers. ` +
      `Run "git rm -r --cached ${stateFolder}" and commit, then "claude-queue check".`,
  );
}

/** The first tracked name; empty where there is none. */
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

/** Most queues stand in no repository: they need not wait for git. */
function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (path.dirname(at) === at) return false;
  }
}
