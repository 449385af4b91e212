import type { EpochMs } from '../../domain/time/epoch';
import type { ObjectFormat } from '../git/bareRepository';
import { isSameVersion, type RawDifference, type RawVersion } from '../git/rawDiff';
import { type DiskLook, type DiskVersion, foldersAbove } from './diskVersion';

/** One file to restore. Its name has one character for each byte. */
export interface UndoStep {
  readonly path: string;
  /** Version that it must have; null: nothing may be there. */
  readonly from: RawVersion | null;
  /** Version that it gets; null: it is removed. */
  readonly to: RawVersion | null;
  /** Permissions that it has; 0: nothing is there. */
  readonly permissions: number;
}

/** A folder with its permissions. */
export interface UndoFolder {
  readonly path: string;
  readonly permissions: number;
}

/** Everything that an undo writes, and what it needs to go back. Paths are from the top of the repository. */
export interface UndoPlan {
  readonly top: string;
  readonly format: ObjectFormat;
  /** Removed files first: a folder can be in the place of a file. */
  readonly steps: readonly UndoStep[];
  /** Folders that are removed once they are empty, the deepest first. */
  readonly emptied: readonly UndoFolder[];
  /** Folders that are made, the highest first. */
  readonly made: readonly string[];
}

/** Paths that are in the way of an undo. */
export interface UndoOverlaps {
  readonly overlaps: readonly string[];
  /** Those of them that the attempts did not create: the attempts moved them, or git did not see them before. */
  readonly older: readonly string[];
}

/** Plan, or what is in its way. */
export type Planned = { readonly plan: UndoPlan } | UndoOverlaps;

/** Options of a plan. */
export interface PlanOptions {
  readonly top: string;
  /** Path of the attempts' directory from the top; empty: the top itself. It is never removed. */
  readonly below: string;
  readonly format: ObjectFormat;
  /** Start of the first attempt by this machine's clock. A file or folder that is older was not made by the attempts. */
  readonly since: EpochMs;
}

/** Longest step in which file systems count time, in ms. */
const TIME_STEP_MS = 2_000;

/**
 * Plans to take changes back. Each file must be as the changes left it, and one to remove as new as they are; all others
 * are overlaps, with whatever is in the place of a file.
 */
export function planUndo(
  changes: readonly RawDifference[],
  disk: DiskLook,
  { top, below, format, since }: PlanOptions,
): Planned {
  const removed = new Set(changes.flatMap(({ path, before }) => (before === null ? [path] : [])));
  // A renamed file is as old as before, and is not lost with its new name.
  const restored = new Set(changes.flatMap(({ before }) => (before === null ? [] : [before.object])));
  const [overlaps, older]: [string[], string[]] = [[], []];
  const steps: UndoStep[] = [];
  for (const change of changes) {
    const { path, before, after } = change;
    const found = disk.read(path);
    const isAsLeft = typeof found !== 'string' && isSameVersion(found.version, after);
    if (!isAsLeft) overlaps.push(...findOverlaps(change, found, { disk, removed }));
    else if (before === null && found.bornAt < since - TIME_STEP_MS && !restored.has(found.version.object))
      older.push(path);
    steps.push({ path, from: after, to: before, permissions: isAsLeft ? found.permissions : 0 });
  }
  if (overlaps.length + older.length > 0)
    return { overlaps: [...new Set([...overlaps, ...older])].sort(), older };
  const ordered = [...steps.filter(({ to }) => to === null), ...steps.filter(({ to }) => to !== null)];
  const emptied = findEmptied(ordered, disk, { below, since });
  return { plan: { top, format, steps: ordered, emptied, made: findMade(ordered, disk, emptied) } };
}

interface Surroundings {
  readonly disk: DiskLook;
  /** Files that go before others are written. */
  readonly removed: ReadonlySet<string>;
}

/** Returns what keeps a change from being taken back, where its file is not as the change left it. */
function findOverlaps(
  { path, after }: RawDifference,
  found: DiskVersion,
  { disk, removed }: Surroundings,
): string[] {
  if (after !== null) return [path];
  if (typeof found === 'string') return findObstacles(path, found, { disk, removed });
  return isOtherName(path, disk, removed) ? [] : [path];
}

/** Returns what is in the place of a file that the attempts deleted, besides files that go first. */
function findObstacles(
  path: string,
  found: 'nothing' | 'folder' | 'other',
  { disk, removed }: Surroundings,
): string[] {
  if (found === 'folder') return listOthers(path, { disk, removed });
  const file = foldersAbove(path).find((folder) => disk.folder(folder) === undefined);
  if (found === 'nothing') {
    const isInTheWay = file !== undefined && disk.read(file) !== 'nothing' && !removed.has(file);
    return isInTheWay ? [file] : [];
  }
  return file !== undefined && removed.has(file) ? [] : [file ?? path];
}

/** Returns what is below a folder, besides files that go first and the folders that have nothing else. */
function listOthers(folder: string, { disk, removed }: Surroundings): string[] {
  const names = disk.list(folder).map((name) => `${folder}/${name}`);
  // An empty folder is somebody's: none was in the place of the file.
  if (names.length === 0) return [folder];
  return names.flatMap((name) => {
    if (removed.has(name)) return [];
    return disk.folder(name) === undefined ? [name] : listOthers(name, { disk, removed });
  });
}

/** Whether a file is only found by this name because the disk ignores case, and is a file that goes first. */
function isOtherName(path: string, disk: DiskLook, removed: ReadonlySet<string>): boolean {
  const at = path.lastIndexOf('/');
  const names = disk.list(path.slice(0, Math.max(at, 0)));
  if (names.includes(path.slice(at + 1))) return false;
  return [...removed].some((other) => other.toLowerCase() === path.toLowerCase());
}

/** Returns the folders that have nothing once the files are removed, and that the attempts made or a file replaces. */
function findEmptied(
  steps: readonly UndoStep[],
  disk: DiskLook,
  { below, since }: Pick<PlanOptions, 'below' | 'since'>,
): UndoFolder[] {
  const gone = new Set(steps.flatMap(({ path, to }) => (to === null ? [path] : [])));
  const written = steps.flatMap(({ path, to }) => (to === null ? [] : [path]));
  const needed = new Set(written.flatMap(foldersAbove));
  const candidates = [...new Set([...gone].flatMap(foldersAbove))];
  const emptied: UndoFolder[] = [];
  for (const folder of candidates.sort((a, b) => b.length - a.length)) {
    const found = disk.folder(folder);
    if (found === undefined || needed.has(folder) || isAtOrAbove(folder, below)) continue;
    const isReplaced = written.some((path) => path === folder || folder.startsWith(`${path}/`));
    if (!isReplaced && found.birthtimeMs < since) continue;
    if (!disk.list(folder).every((name) => gone.has(`${folder}/${name}`))) continue;
    gone.add(folder);
    emptied.push({ path: folder, permissions: found.mode & 0o7777 });
  }
  return emptied;
}

function isAtOrAbove(folder: string, below: string): boolean {
  return `${below}/`.startsWith(`${folder}/`);
}

/** Returns the folders that files to write need and that are not there. */
function findMade(steps: readonly UndoStep[], disk: DiskLook, emptied: readonly UndoFolder[]): string[] {
  const needed = steps.flatMap(({ path, to }) => (to === null ? [] : foldersAbove(path)));
  const goes = new Set(emptied.map(({ path }) => path));
  const missing = [...new Set(needed)].filter((each) => disk.folder(each) === undefined || goes.has(each));
  return missing.sort((a, b) => a.length - b.length);
}
