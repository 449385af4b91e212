import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SESSION_IN_USE, SESSION_UNUSABLE, type Job } from '../../domain/task/attempt';
import { hasCode, statIfThere } from '../../platform/files/files';
import { homeFolder } from '../../platform/files/paths';
import { isElsewhere, nameMachine } from '../../platform/processes/machine';
import { hasStarted, type EndFacts, type Finding } from '../stream/endFacts';

/** Way to open a session: `start` gives a new one its ID, `resume` continues an existing one. */
export type SessionMode = 'start' | 'resume';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether the text is a session ID (UUID). A queue's `state/` may have come from anywhere, and another text
 * could be a path or an option.
 */
export function isSessionName(text: string): boolean {
  return UUID.test(text);
}

/** Returns the folder of Claude Code's settings and sessions in this environment. */
export function findConfigFolder(environment: NodeJS.ProcessEnv): string {
  const { CLAUDE_CONFIG_DIR: folder = '' } = environment;
  return folder === '' ? join(homeFolder(environment), '.claude') : folder;
}

/**
 * Returns the path of a session's transcript; null if it has none. Claude Code names the folders after working
 * directories, and a session may be resumed from another one. So all folders are searched.
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

/**
 * Says why a task without a transcript does not resume its session: its last attempt ran on another machine. Null if it did not, or
 * that is not known.
 */
export function describeNewSession({ resume, last }: Pick<Job, 'resume' | 'last'>): string | null {
  const machine = last?.machine;
  return resume === undefined || machine === undefined || !isElsewhere(machine)
    ? null
    : `The session is on ${nameMachine(machine)}. The task starts in a new one.`;
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // No session was ever saved here, or the folder belongs to another user.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    return (await statIfThere(file)) !== null;
  } catch (error) {
    // The folder belongs to another user, for example because Claude Code was run there as root.
    if (hasCode(error, 'EACCES')) return false;
    throw error;
  }
}

/** Finding for a session that a crash at its very start left as a transcript without a conversation. */
export const UNUSABLE_SESSION: Finding = {
  outcome: 'transient',
  reason: SESSION_UNUSABLE,
  message: 'The session can be neither started nor resumed. The next attempt starts a new one.',
};

/**
 * Returns the other machine that ran the last attempt in this session, if the transcript here ends before that; else null.
 * Machines may share the folder of transcripts, so the machine alone does not say it.
 */
export async function findNewerSession(
  transcript: string,
  { session, last }: Pick<Job, 'session' | 'last'>,
): Promise<string | null> {
  const machine = last?.machine;
  if (last?.session !== session || machine === undefined || !isElsewhere(machine)) return null;
  const { mtimeMs } = await stat(transcript);
  return mtimeMs >= last.startedAt ? null : machine;
}

/** Finding for a session that lacks the last attempt, which ran on another machine. */
export function outdatedSession(machine: string): Finding {
  const message = `The session here lacks the last attempt, which ran on ${nameMachine(machine)}. The next attempt starts a new one.`;
  return { outcome: 'transient', reason: SESSION_UNUSABLE, message };
}

/** Finding for a session that another Claude Code has open. */
export function sessionInUse(session: string, pid: number): Finding {
  return {
    outcome: 'transient',
    reason: SESSION_IN_USE,
    message: `Its session ${session} is open in another Claude Code (process ${pid}). It resumes when that one has ended.`,
  };
}

/** Returns the mode that Claude Code asks for in its refusal to start; null if it did not refuse for that. */
export function findWantedMode(facts: EndFacts): SessionMode | null {
  const { exitCode, endedBy, stderr, stream } = facts;
  // After the start, the same words may come from a hook or a tool. A second start would cost money.
  if (exitCode === 0 || endedBy !== undefined || hasStarted(facts)) return null;
  return readOtherMode([stderr, ...(stream.result?.errors ?? [])].join('\n'));
}

/**
 * Returns the mode that Claude Code asks for instead, from what it wrote when it refused to start. The
 * transcript can appear or disappear between the check and the start. Null if it did not refuse for that.
 */
function readOtherMode(refusal: string): SessionMode | null {
  if (/^No conversation found with session ID\b/m.test(refusal)) return 'start';
  return /^Error: Session ID \S+ is already in use\b/m.test(refusal) ? 'resume' : null;
}
