import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { readWorkerFile, type WorkerFile, type WorkerFileProblem } from '../../domain/settings/workerFile';
import { ENVIRONMENT } from '../../domain/settings/settings';
import { placeInConfig, readConfig } from '../../platform/files/config';
import { redact } from '../../platform/text/redact';
import { describeWorkerProblem } from '../present/problems/settingProblem';
import type { Host } from './host';
import { describePlace } from './settingPlaces';

/**
 * Reads what a worker file says, and the environment over it. Without a file, only the environment.
 * @throws Problem `settings-invalid` with the place of each wrong value
 */
export async function openWorkerFile(
  { env, cwd }: Pick<Host, 'env' | 'cwd'>,
  named: string | undefined,
): Promise<WorkerFile> {
  const file = named === undefined ? null : path.resolve(cwd, named);
  if (file !== null && !existsSync(file))
    throw new Problem('settings-invalid', `The worker file ${file} does not exist. Name one that does.`);
  const { file: found, problems } = readWorkerFile(file === null ? {} : await readConfig(file), env);
  if (problems.length === 0) return found;
  const lines = await Promise.all(problems.map((problem) => describeProblem(problem, file)));
  throw new Problem('settings-invalid', `Invalid settings of the worker:\n${lines.join('\n')}`);
}

async function describeProblem(problem: WorkerFileProblem, file: string | null): Promise<string> {
  // A URL in the wrong place may hold a password.
  const message = redact(describeWorkerProblem(problem));
  const { path: keys } = problem;
  const isInFile = file !== null && keys !== undefined;
  const source = isInFile ? file : ENVIRONMENT;
  const place = isInFile ? await placeInConfig(file, ...keys) : null;
  return `${describePlace({ source, place })}  ${message}`;
}
