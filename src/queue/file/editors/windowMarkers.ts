import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { ProcessIdentity } from '../../../domain/task/processIdentity';
import type { EpochMs } from '../../../domain/time/epoch';
import { isProblem } from '../../../domain/problem';
import { hasCode, readIfThere } from '../../../platform/files/files';
import { fields, isNumber, isObject, isProcess, listOf, orNull } from '../../../platform/text/shapes';
import type { StatePaths } from '../../queuePaths';
import type { RowTexts } from '../fileState';
import { isRowTexts } from '../import/rowShapes';

/** Format of a marker. One of another format belongs to another version of this program and is left alone. */
const VERSION = 1;

/** Unsaved changes of a queue file. */
export interface Unsaved {
  readonly since: EpochMs;
  /** What the shared cells held when the changes started; an id may be there more than once. */
  readonly base: RowTexts;
}

/** An editor window that has, or had, the queue open. */
export interface EditorWindow {
  /** Its extension host. */
  readonly process: ProcessIdentity;
  readonly openedAt: EpochMs;
  /** Null while its document and the disk are one. */
  readonly unsaved: Unsaved | null;
}

/** A window's marker on the disk. */
export interface WindowMarker {
  readonly file: string;
  readonly window: EditorWindow;
}

/** What a window's marker holds. */
export function composeMarker({ process, openedAt, unsaved }: EditorWindow): string {
  return `${JSON.stringify({ version: VERSION, process, openedAt, unsaved })}\n`;
}

/** All markers that can be understood, of living windows and of dead ones. */
export async function readMarkers(state: StatePaths): Promise<readonly WindowMarker[]> {
  const folder = state.of('windows');
  const names = (await unlessForeign(() => fs.readdir(folder))) ?? [];
  const markers: WindowMarker[] = [];
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const file = path.join(folder, name);
    const bytes = await unlessForeign(() => readIfThere(file));
    const window = parseMarker(bytes?.toString() ?? '');
    if (window !== null) markers.push({ file, window });
  }
  return markers;
}

/** Null for what is not there, or not this user's: it must never keep anybody from working. */
async function unlessForeign<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM') || isProblem(error, 'not-a-file')) return null;
    throw error;
  }
}

function parseMarker(text: string): EditorWindow | null {
  try {
    const marker: unknown = JSON.parse(text);
    return isMarker(marker) ? marker : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const isUnsaved = fields<Unsaved>({ since: isNumber, base: listOf(isRowTexts) });
const isWindow = fields<EditorWindow>({
  process: isProcess,
  openedAt: isNumber,
  unsaved: orNull(isUnsaved),
});

function isMarker(marker: unknown): marker is EditorWindow {
  return isObject(marker) && marker['version'] === VERSION && isWindow(marker);
}
