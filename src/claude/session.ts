import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../platform/files';

/** How a run meets its session: `start` gives a new one its id, `resume` goes on in it. */
export type SessionMode = 'start' | 'resume';

/** Where Claude Code keeps its settings and sessions, by the environment of the run. */
export function findConfigFolder(environment: NodeJS.ProcessEnv): string {
  const { CLAUDE_CONFIG_DIR: folder = '', HOME: home = '' } = environment;
  return folder === '' ? join(home === '' ? homedir() : home, '.claude') : folder;
}

/**
 * Whether the session has a transcript. Claude Code names the folders after working directories, and a session may be
 * resumed from another one, so all of them are looked into.
 */
export async function hasTranscript(session: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const projects = join(findConfigFolder(environment), 'projects');
  const found = await Promise.all(
    (await list(projects)).map((folder) => exists(join(projects, folder, `${session}.jsonl`))),
  );
  return found.includes(true);
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // No session was ever kept here.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/**
 * The mode that Claude Code asks for instead, by what it wrote when it refused to start: the transcript can appear or
 * go between the look and the start. Null where the refusal, if any, is about something else.
 */
export function readOtherMode(refusal: string): SessionMode | null {
  if (/^No conversation found with session ID\b/m.test(refusal)) return 'start';
  return /^Error: Session ID \S+ is already in use\b/m.test(refusal) ? 'resume' : null;
}
