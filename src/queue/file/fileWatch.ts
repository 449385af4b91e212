import { watch } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../../platform/files/files';
import type { QueuePaths } from '../queuePaths';
import { isJournalName } from './journal/generations';

/** Time within which events count as one change, in ms. */
const COALESCE_MS = 10;

/**
 * Polling interval, in ms. Some file systems report no changes (NFS, a Windows drive under WSL), so sizes and times
 * are compared too.
 */
const POLL_MS = 2_000;

/** Node keeps a combined signal, also one that was aborted, as long as it has a listener. */
const ONCE = { once: true } as const;

/**
 * Calls back after changes to the queue file or the journal, by any process, until the signal is aborted. Also when
 * `markPrompts` returns another text, as it does after changes to the files that rows name.
 */
export function watchQueue(
  { file, state }: QueuePaths,
  changed: () => void,
  signal: AbortSignal,
  markPrompts: () => string,
): void {
  // Nothing would end the polling.
  if (signal.aborted) return;
  let timer: NodeJS.Timeout | null = null;
  let last = '';
  /** Marks what is there now, before others look at it: so polling finds what comes after, and nothing twice. */
  const look = async (isReported: boolean): Promise<void> => {
    const now = (await mark()).join('|');
    const isNew = last !== '' && now !== last;
    last = now;
    if ((isReported || isNew) && !signal.aborted) changed();
  };
  const report = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void look(true);
    }, COALESCE_MS);
  };
  // Watch folders, not files: a rename puts another file under the name.
  watchFolder(path.dirname(file), (name) => name === path.basename(file), report, signal);
  watchFolder(state.folder, isJournalName, report, signal);
  const mark = async (): Promise<readonly string[]> => [
    // First, before anything is awaited: each later change is reported.
    markPrompts(),
    await markOf(file),
    ...(await marksOfJournal(state.folder)),
  ];
  const polling = setInterval(() => void look(false), POLL_MS);
  void look(false);
  const cancel = (): void => {
    clearInterval(polling);
    if (timer !== null) clearTimeout(timer);
  };
  signal.addEventListener('abort', cancel, ONCE);
}

function watchFolder(
  folder: string,
  isWatched: (name: string) => boolean,
  report: () => void,
  signal: AbortSignal,
): void {
  try {
    const watcher = watch(folder, { signal }, (_event, changedName) => {
      if (changedName === null || isWatched(changedName)) report();
    });
    // Polling continues if watching fails.
    watcher.on('error', () => {
      watcher.close();
    });
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOSPC', 'EMFILE', 'ENOSYS', 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM'))
      throw error;
  }
}

/** Returns marks of all the journal's files, without looking which one is current. */
async function marksOfJournal(folder: string): Promise<readonly string[]> {
  try {
    const names = (await fs.readdir(folder)).filter(isJournalName).sort();
    return await Promise.all(names.map((name) => markOf(path.join(folder, name))));
  } catch {
    // See `markOf`.
    return ['none'];
  }
}

async function markOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await fs.stat(file);
    return `${String(ino)}/${String(size)}/${String(mtimeMs)}`;
  } catch {
    // A missing or unreadable file has a mark too. Reading it reports why.
    return 'none';
  }
}
