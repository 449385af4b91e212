import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../platform/files/files';
import { homeFolder } from '../../platform/files/paths';

/** How a run meets its session: `start` gives a new one its id, `resume` continues in it. */
export type SessionMode = 'start' | 'resume';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether this can be a session's name: a queue's `state/` may have come from anywhere, and another word in its place
 * could be a path, or an option.
 */
export function isSessionName(text: string): boolean {
  return UUID.test(text);
}

/** Where Claude Code keeps its settings and sessions, by the environment of the run. */
export function findConfigFolder(environment: NodeJS.ProcessEnv): string {
  const { CLAUDE_CONFIG_DIR: folder = '' } = environment;
  return folder === '' ? join(homeFolder(environment), '.claude') : folder;
}

/**
 * Where the transcript of a session is; null where it has none. Claude Code names the folders after working directories,
 * and a session may be resumed from another one, so all of them are looked into.
 */
export async function findTranscript(
  session: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  if (!isSessionName(session)) return null;
  const projects = join(findConfigFolder(environment), 'projects');
  const files = (await list(projects)).map((folder) => join(projects, folder, `${session}.jsonl`));
  const found = await Promise.all(files.map(async (file) => ((await exists(file)) ? [file] : [])));
  return found.flat()[0] ?? null;
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
