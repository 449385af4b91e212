import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { ProcessIdentity } from '../../../domain/task/processIdentity';
import type { EpochMs } from '../../../domain/time/epoch';
import { isProblem } from '../../../domain/problem';
import { hasCode, readIfThere } from '../../../platform/files/files';
import {
  fields,
  isNumber,
  isObject,
  isProcess,
  listOf,
  orNull,
  parseJson,
} from '../../../platform/text/shapes';
import type { StatePaths } from '../../queuePaths';
import type { RowTexts } from '../fileState';
import { isRowTexts } from '../reading/rowShapes';

/** Format of a marker. A marker of another format belongs to another version of this program and is left alone. */
const VERSION = 1;

/** Unsaved changes of a queue file. */
export interface Unsaved {
  readonly since: EpochMs;
  /** Texts of the shared cells when the changes started. An id may occur more than once. */
  readonly base: RowTexts;
}

/** Editor window that has, or had, the queue open. */
export interface EditorWindow {
  /** Process of its extension host. */
  readonly process: ProcessIdentity;
  readonly openedAt: EpochMs;
  /** Null while the document and the disk are the same. */
  readonly unsaved: Unsaved | null;
}

/** Marker of a window on disk. */
export interface WindowMarker {
  readonly file: string;
  readonly window: EditorWindow;
}

/** Returns the text of a window's marker. */
export function composeMarker({ process, openedAt, unsaved }: EditorWindow): string {
  return `${JSON.stringify({ version: VERSION, process, openedAt, unsaved })}\n`;
}

/** Returns all markers that can be parsed, of living and of dead windows. */
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

/** Returns null for a file that is missing or not this user's. Such files must never block anyone. */
async function unlessForeign<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM') || isProblem(error, 'not-a-file')) return null;
    throw error;
  }
}

function parseMarker(text: string): EditorWindow | null {
  const marker = parseJson(text);
  return isMarker(marker) ? marker : null;
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
