import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import * as path from 'node:path';
import { hasCode, syncPath } from '../files/files';
import { decode } from '../git/fileNames';
import type { RawVersion } from '../git/rawDiff';
import { type DiskLook, isThere, LINK, PROGRAM } from './diskVersion';
import type { UndoPlan, UndoStep } from './undoPlan';

/** A file changed after it was looked at. */
export class ChangedMeanwhile extends Error {
  /** @param file its path from the top of the repository */
  constructor(readonly file: string) {
    super(file);
  }
}

/** A file to write, with a name for its temporary file. */
interface Write {
  readonly path: string;
  readonly mode: string;
  readonly bytes: Buffer;
  /** Absent: not known, so only the owner gets them. */
  readonly permissions?: number;
  readonly temporary: string;
}

/** Carries out a plan, or takes it back. Each file is replaced in one step, and only if it is as expected. */
export class UndoWrites {
  /** @param id names the temporary files, which are beside those that they replace */
  constructor(
    private readonly plan: UndoPlan,
    private readonly disk: DiskLook,
    private readonly id: string,
  ) {}

  /**
   * Writes everything, and on to the disk. `read` returns the content of a version.
   * @throws ChangedMeanwhile, errors of `read` and of the disk: then `rollBack` is to be called
   */
  async apply(read: (version: RawVersion) => Promise<Buffer>): Promise<void> {
    const { steps, emptied, made } = this.plan;
    for (const step of steps.filter(({ to }) => to === null)) {
      this.requireUnchanged(step);
      unlinkSync(this.disk.pathOf(step.path));
    }
    for (const { path: folder } of emptied) this.removeFolder(folder);
    for (const folder of made)
      if (this.disk.folder(folder) === undefined) mkdirSync(this.disk.pathOf(folder));
    for (const [index, step] of steps.entries()) {
      if (step.to === null) continue;
      const bytes = await read(step.to);
      this.requireUnchanged(step);
      this.write({ ...this.nameWrite(step, index), ...permissionsOf(step), mode: step.to.mode, bytes });
    }
    await this.syncFolders();
  }

  /**
   * Takes back what was written; `read` returns the bytes that the file of this step had. Returns the paths that have
   * changed since and were left as they are.
   */
  async rollBack(read: (index: number) => Promise<Buffer>): Promise<readonly string[]> {
    const { steps, emptied, made } = this.plan;
    const left: string[] = [];
    for (const [index, step] of steps.entries()) this.removeTemporary(this.nameWrite(step, index));
    for (const [index, step] of steps.entries())
      if (step.to !== null && !(await this.takeBack(step, index, read))) left.push(decode(step.path));
    for (const folder of made.toReversed()) this.removeFolder(folder);
    for (const { path: folder, permissions } of emptied.toReversed()) this.makeFolder(folder, permissions);
    for (const [index, step] of steps.entries())
      if (step.to === null && !(await this.takeBack(step, index, read))) left.push(decode(step.path));
    await this.syncFolders();
    return left;
  }

  /** Returns whether a file is as it was before the undo. */
  private async takeBack(
    step: UndoStep,
    index: number,
    read: (index: number) => Promise<Buffer>,
  ): Promise<boolean> {
    const { path: name, from, to, permissions } = step;
    const { disk } = this;
    if (disk.has(name, from)) return true;
    // A folder is still in the place of the file.
    if (from === null && disk.folder(name) !== undefined) return true;
    if (!disk.has(name, to)) return false;
    if (from === null) {
      unlinkSync(disk.pathOf(name));
      return true;
    }
    // A folder of it is gone: somebody has removed it since.
    if (!isThere(folderOf(disk.pathOf(name)))) return false;
    this.write({ ...this.nameWrite(step, index), mode: from.mode, bytes: await read(index), permissions });
    return true;
  }

  private requireUnchanged({ path: name, from }: UndoStep): void {
    if (!this.disk.has(name, from)) throw new ChangedMeanwhile(decode(name));
  }

  private nameWrite({ path: name }: UndoStep, index: number): Pick<Write, 'path' | 'temporary'> {
    const folder = path.posix.dirname(name);
    const file = `.claude-queue-${this.id}-${String(index)}`;
    return { path: name, temporary: folder === '.' ? file : `${folder}/${file}` };
  }

  private removeTemporary({ temporary }: Pick<Write, 'temporary'>): void {
    const found = this.disk.read(temporary);
    if (typeof found === 'object') rmSync(this.disk.pathOf(temporary), { force: true });
  }

  private write({ path: name, temporary, mode, bytes, permissions }: Write): void {
    const [file, beside] = [this.disk.pathOf(name), this.disk.pathOf(temporary)];
    try {
      if (mode === LINK) symlinkSync(bytes, beside);
      else writeNew(beside, bytes, mode, permissions);
      renameSync(beside, file);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  }

  private removeFolder(folder: string): void {
    if (this.disk.folder(folder) === undefined) return;
    try {
      rmdirSync(this.disk.pathOf(folder));
    } catch (error) {
      // Somebody has put a file into it meanwhile.
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
    }
  }

  private makeFolder(folder: string, permissions: number): void {
    const file = this.disk.pathOf(folder);
    if (isThere(file) || !isThere(folderOf(file))) return;
    mkdirSync(file);
    chmodSync(file, permissions);
  }

  private async syncFolders(): Promise<void> {
    const folders = this.plan.steps.map(({ path: name }) => path.posix.dirname(name));
    for (const folder of new Set(folders.map((each) => (each === '.' ? '' : each))))
      if (this.disk.folder(folder) !== undefined) await syncPath(this.disk.pathOf(folder));
  }
}

/** Writes a new file, and on to the disk. */
function writeNew(file: Buffer, bytes: Buffer, mode: string, permissions: number | undefined): void {
  // Nobody else gets to read a file whose earlier permissions are not known.
  const handle = openSync(file, 'wx', mode === PROGRAM ? 0o700 : 0o600);
  try {
    if (permissions !== undefined) fchmodSync(handle, permissions);
    writeFileSync(handle, bytes);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns the permissions of a file that replaces another: those of that one, but for who may run it. */
function permissionsOf({ from, to, permissions }: UndoStep): Pick<Write, 'permissions'> {
  const known = knownPermissions(from, to);
  if (known === 'none') return {};
  if (known === 'all') return { permissions };
  return {
    permissions: to?.mode === PROGRAM ? permissions | ((permissions & 0o444) >> 2) : permissions & ~0o111,
  };
}

/** Returns what is known of the permissions that a file gets back. `executable`: others are as its last change left them. */
export function knownPermissions(
  from: RawVersion | null,
  to: RawVersion | null,
): 'none' | 'executable' | 'all' {
  if (to === null || to.mode === LINK || to.mode === from?.mode) return 'all';
  return from === null || from.mode === LINK ? 'none' : 'executable';
}

function folderOf(file: Buffer): Buffer {
  return file.subarray(0, file.lastIndexOf('/'));
}
