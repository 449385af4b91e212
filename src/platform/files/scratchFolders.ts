import { hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { Processes } from '../processes/processes';
import { hasCode, isOfOtherUser, listNames, PRIVATE_FOLDER } from './files';
import { resolveLinks } from './paths';

const PREFIX = 'claude-queue-copy-';

/** `PREFIX-PID-START-RANDOM`: the process that made the folder, and a hash of its start time. */
const NAME = new RegExp(`^${PREFIX}(?<pid>\\d+)-(?<start>[0-9a-f]{16})-`);

/**
 * Temporary folders of this process, for this user alone. Each name tells its owner, so that those
 * of a process that was killed are found.
 */
export class ScratchFolders {
  private readonly parent: string;

  /** @param parent folder in which they are; absent: the system's temporary folder */
  constructor(
    private readonly processes: Pick<Processes, 'self' | 'identify' | 'isAlive'>,
    parent = tmpdir(),
  ) {
    this.parent = resolveLinks(parent);
  }

  /** Makes an empty folder, and returns its path without links. */
  make(): Promise<string> {
    const { pid, startedAt } = this.processes.self();
    return fs.mkdtemp(path.join(this.parent, `${PREFIX}${String(pid)}-${hashOf(startedAt)}-`));
  }

  /** Removes a folder with all that is in it. */
  async remove(folder: string): Promise<void> {
    try {
      await fs.rm(folder, { recursive: true, force: true });
    } catch (error) {
      if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
      // Some package managers protect the folders that they fill.
      await unprotect(folder);
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes the folders of processes that have ended. */
  async removeLeftovers(): Promise<void> {
    for (const name of await listNames(this.parent)) {
      const found = NAME.exec(name)?.groups;
      if (found === undefined || this.isAlive(Number(found['pid']), found['start'] ?? '')) continue;
      const folder = path.join(this.parent, name);
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true && !isOfOtherUser(stats)) await this.remove(folder);
    }
  }

  private isAlive(pid: number, start: string): boolean {
    const owner: ProcessIdentity | null = this.processes.identify(pid);
    return owner !== null && hashOf(owner.startedAt) === start && this.processes.isAlive(owner);
  }
}

function hashOf(startedAt: string): string {
  return hash('sha256', startedAt).slice(0, 16);
}

/** Lets this user change all folders below one. Links are not followed. */
async function unprotect(folder: string): Promise<void> {
  await fs.chmod(folder, PRIVATE_FOLDER);
  for (const entry of await fs.readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await unprotect(path.join(folder, entry.name));
}
