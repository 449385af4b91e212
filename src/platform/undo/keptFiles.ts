import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../domain/time/epoch';
import {
  listNames,
  makePrivateFolder,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  syncPath,
  writeAll,
} from '../files/files';
import { pathOf } from '../git/fileNames';
import { foldersAbove, LINK } from './diskVersion';
import type { UndoStep } from './undoPlan';

/** Time for which the files that undos replaced and removed are kept, in days. */
export const KEPT_DAYS = 30;

const DAY_MS = 24 * 3_600_000;

/** Files that undos replaced and removed: a folder of the user's own for each undo. */
export class KeptFiles {
  constructor(private readonly folder: string) {}

  /**
   * Copies the files that a plan replaces and removes. They are on the disk when this resolves. Returns their folder;
   * null: there are none.
   */
  async keep(
    name: string,
    steps: readonly UndoStep[],
    read: (step: UndoStep) => Buffer,
  ): Promise<string | null> {
    if (steps.every(({ from }) => from === null)) return null;
    const top = path.join(this.folder, name);
    await makePrivateFolder(top);
    const folders = new Set<string>();
    for (const step of steps) {
      if (step.from === null) continue;
      for (const above of foldersAbove(step.path)) {
        if (!folders.has(above)) mkdirSync(pathOf(top, above), { mode: PRIVATE_FOLDER });
        folders.add(above);
      }
      const file = pathOf(top, step.path);
      if (step.from.mode === LINK) symlinkSync(read(step), file);
      else await writeFile(file, read(step));
    }
    for (const below of folders) await syncPath(pathOf(top, below));
    for (const one of [top, this.folder, path.dirname(this.folder)]) await syncPath(one);
    return top;
  }

  /** Removes the files of undos that are too old. */
  async prune(now: EpochMs): Promise<void> {
    for (const name of await listNames(this.folder)) {
      const folder = path.join(this.folder, name);
      const found = statSync(folder, { throwIfNoEntry: false });
      if (found !== undefined && found.mtimeMs < now - KEPT_DAYS * DAY_MS)
        await fs.rm(folder, { recursive: true, force: true });
    }
  }
}

async function writeFile(file: Buffer, bytes: Buffer): Promise<void> {
  const handle = await fs.open(file, 'wx', PRIVATE_FILE);
  try {
    await writeAll(handle, bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
