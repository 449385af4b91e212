import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isProblem } from '../../domain/problem';
import { hasCode, isOfSystem, readIfThere } from '../../platform/files/files';
import { homeFolder } from '../../platform/files/paths';
import { asObject, parseObject } from '../stream/json';
import { findConfigFolder } from '../attempt/session';

/**
 * Whether the user trusts this folder in Claude Code itself.
 *
 * `claude -p` asks nobody, and loads hooks, variables, servers, commands and CLAUDE.md of any folder. So this
 * is checked before an unattended attempt. The configuration is only read, never written. Measured with
 * 2.1.329: the repository's root counts, or the folder itself if there is no repository.
 */
export async function isTrusted(folder: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const real = await resolveOrNull(folder);
  if (real === null) return false;
  const root = await findProjectRoot(real);
  const projects = asObject((await readClaudeConfig(environment))['projects']);
  return Object.hasOwn(projects, root) && asObject(projects[root])['hasTrustDialogAccepted'] === true;
}

async function resolveOrNull(folder: string): Promise<string | null> {
  try {
    return await realpath(folder);
  } catch (error) {
    // Nobody trusts a folder yet that does not exist, nor one on a disk that does not answer.
    if (isOfSystem(error)) return null;
    throw error;
  }
}

/** Returns the folder under whose name Claude Code keeps its trust in this one. */
export async function findProjectRoot(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const git = await look(join(at, '.git'));
    if (git !== null) return git === 'file' ? ((await findMainRoot(at)) ?? at) : at;
    if (dirname(at) === at) return folder;
  }
}

/** Returns `folder` for anything but a file; null if nothing is there. */
async function look(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isFile() ? 'file' : 'folder';
  } catch (error) {
    if (isOfSystem(error)) return null;
    throw error;
  }
}

/**
 * Returns the main repository of a worktree, which is trusted with it. That repository has to list the
 * worktree: anybody can write a file that names somebody else's repository.
 */
async function findMainRoot(worktree: string): Promise<string | null> {
  const named = /^gitdir: (.+)$/m.exec((await readOrNull(join(worktree, '.git'))) ?? '')?.[1];
  if (named === undefined) return null;
  const own = resolve(worktree, named.trim());
  const back = (await readOrNull(join(own, 'gitdir')))?.trim();
  const common = (await readOrNull(join(own, 'commondir')))?.trim();
  if (back === undefined || common === undefined) return null;
  const git = resolve(own, common);
  const isKnown = dirname(own) === join(git, 'worktrees') && resolve(own, back) === join(worktree, '.git');
  return isKnown && basename(git) === '.git' ? dirname(git) : null;
}

/** Returns Claude Code's data about this user: from the file of its older versions if that still exists. */
async function readClaudeConfig(environment: NodeJS.ProcessEnv): Promise<Readonly<Record<string, unknown>>> {
  const { CLAUDE_CONFIG_DIR: folder = '' } = environment;
  const older = await readOrNull(join(findConfigFolder(environment), '.config.json'));
  const text =
    older ?? (await readOrNull(join(folder === '' ? homeFolder(environment) : folder, '.claude.json')));
  return parseObject(text ?? '') ?? {};
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return (await readIfThere(file))?.toString() ?? null;
  } catch (error) {
    // An unreadable file proves nothing. A repository may hold a named pipe, or a link to a device without end.
    if (isProblem(error, 'not-a-file') || hasCode(error, 'ENOTDIR', 'EACCES', 'ELOOP')) return null;
    throw error;
  }
}

/** Returns the note for an attempt that starts in an untrusted folder. */
export function describeUntrusted(folder: string): string {
  return `You have not trusted ${folder} in Claude Code: its settings, hooks, MCP servers, commands and CLAUDE.md are ignored. To use them, open "claude" there once and trust the folder.`;
}
