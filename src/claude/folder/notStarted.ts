import { access, constants, stat } from 'node:fs/promises';
import { BAD_WORKING_DIR, UNUSABLE_WORDS } from '../../domain/task/ownMistakes';
import { Problem } from '../../domain/problem';
import { hasCode, isOfSystem } from '../../platform/files/files';
import { isProgram } from '../../platform/processes/findProgram';
import { firstLine } from '../../platform/text/plainText';
import type { Finding } from '../stream/endFacts';

/** Returns why nothing can run in this folder; null if something can. */
export async function findFolderFault(folder: string): Promise<Finding | null> {
  try {
    const fault = await describeFault(folder);
    if (fault === null) return null;
    const message = `The working directory ${folder} ${fault}. Fix that, or change working_dir of the row.`;
    return { outcome: 'permanent', reason: BAD_WORKING_DIR, message };
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    const message = `The working directory ${folder} cannot be reached (${String(error.code)}). Check its disk, or its connection.`;
    return { outcome: 'transient', reason: 'not-started', message };
  }
}

async function describeFault(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'is not a folder';
    await access(folder, constants.X_OK);
    return null;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', HOLDS_NUL)) return 'does not exist';
    if (hasCode(error, 'EACCES')) return 'cannot be entered by you';
    throw error;
  }
}

/** Node's error code for text that no system call accepts, since it holds a NUL character. */
const HOLDS_NUL = 'ERR_INVALID_ARG_VALUE';

/**
 * Returns the finding for a program that the system did not start. A fault in the row fails that row alone;
 * otherwise it would stop one worker after the other.
 * @throws Problem `claude-missing` if the program is at fault
 */
export async function explainNotStarted(
  cause: unknown,
  program: string,
  workingDir: string,
): Promise<Finding> {
  const why = firstLine(cause instanceof Error ? cause.message : String(cause));
  if (hasCode(cause, 'E2BIG', HOLDS_NUL)) {
    const message = `Claude Code cannot be started with the model and the tools that the row names (${why}). Shorten them.`;
    return { outcome: 'permanent', reason: UNUSABLE_WORDS, message };
  }
  const fault = await findFolderFault(workingDir);
  if (fault !== null) return fault;
  // A script without its interpreter looks like a program but cannot start.
  if (hasCode(cause, 'ENOENT', 'ENOEXEC') || !(await isProgram(program))) {
    const message = `Claude Code cannot be started from ${program}: ${why}. Check the path of claude, and whether it starts by itself.`;
    throw new Problem('claude-missing', message, { cause });
  }
  const message = `Claude Code could not be started (${why}). The machine may be short of memory, processes or open files.`;
  return { outcome: 'transient', reason: 'not-started', message };
}

/** Returns the finding for a prompt that could not be delivered to Claude Code. */
export function explainPromptNotDelivered(cause: unknown): Finding {
  const why = firstLine(cause instanceof Error ? cause.message : String(cause));
  const message = `The prompt could not be given to Claude Code (${why}). The machine may be short of disk space, memory or processes.`;
  return { outcome: 'transient', reason: 'not-started', message };
}
