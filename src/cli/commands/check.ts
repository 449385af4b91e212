import * as fs from 'node:fs/promises';
import type { Command } from 'commander';
import { isProblem } from '../../domain/problem';
import { hasCode } from '../../platform/files';
import type { Snapshot } from '../../queue/taskQueue';
import type { Act } from '../action';
import type { Context } from '../context';
import { FAILED, OK } from '../exitCodes';
import { placeSettings, tellPlace } from '../../app/settingPlaces';
import { count } from '../../app/words';
import { formatJson } from '../words';

/** One thing that is wrong, and where. */
interface Finding {
  readonly where: string;
  readonly message: string;
}

export function defineCheck(program: Command, act: Act): void {
  const command = program
    .command('check')
    .description('find every problem of the queue, the settings and this machine: exit 1 if there is any')
    .option('--json', 'for programs');
  act(command, async (context, _args, options) => {
    const findings = await findProblems(context);
    if (options['json'] === true) context.system.out(formatJson({ problems: findings }));
    else {
      for (const { where, message } of findings) context.system.out(`${where}  ${message}`);
      context.system.out(findings.length === 0 ? 'No problems.' : `${count(findings.length, 'problem')}.`);
    }
    return findings.length === 0 ? OK : FAILED;
  });
}

async function findProblems(context: Context): Promise<Finding[]> {
  try {
    const { problems } = await context.configure();
    return [
      ...(await placeSettings(problems)).map((one) => ({ where: tellPlace(one), message: one.message })),
      ...(await checkQueue(context)),
      ...(await checkClaude(context)),
    ];
  } catch (error) {
    // Without its settings nothing of a queue can be read.
    if (isProblem(error, 'settings-invalid')) return [{ where: 'settings', message: error.message }];
    throw error;
  }
}

async function checkQueue(context: Context): Promise<Finding[]> {
  try {
    const snapshot = await context.withQueue((queue) => queue.read());
    const rows = snapshot.problems.map(({ line, column, message }) => ({
      where: `${context.queueFile}:${String(line)}:${String(column)}`,
      message,
    }));
    return [...rows, ...(await checkFolders(context, snapshot))];
  } catch (error) {
    if (isProblem(error)) return [{ where: context.queueFile, message: error.message }];
    throw error;
  }
}

/** Of tasks that are still to run. */
async function checkFolders(context: Context, { tasks, lines }: Snapshot): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { definition, state } of tasks) {
    if (state.status !== 'pending' || (await isFolder(definition.workingDir))) continue;
    const line = lines.get(definition.id) ?? 1;
    const message = `The working directory ${definition.workingDir} of task ${String(definition.id)} is not there. Create it, or correct the row.`;
    findings.push({ where: `${context.queueFile}:${String(line)}:1`, message });
  }
  return findings;
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await fs.stat(folder)).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false;
    throw error;
  }
}

async function checkClaude(context: Context): Promise<Finding[]> {
  try {
    const { auth, billing, path } = await context.findClaude();
    if (auth.loggedIn || billing === 'api-key' || auth.method === 'unknown') return [];
    return [{ where: path, message: 'Claude Code is not signed in. Run "claude" and then /login.' }];
  } catch (error) {
    if (isProblem(error)) return [{ where: 'claude', message: error.message }];
    throw error;
  }
}
