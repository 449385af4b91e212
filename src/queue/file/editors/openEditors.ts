import { hash } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { ProcessIdentity } from '../../../domain/task/processIdentity';
import { systemClock } from '../../../platform/clock';
import { PRIVATE_FILE } from '../../../platform/files/files';
import type { CsvFile } from '../../csv/csvFile';
import { idOf } from '../../csv/row';
import type { StatePaths } from '../../queuePaths';
import type { RowTexts } from '../fileState';
import { sharedTexts } from '../reading/rowReader';
import { makeStateFolder } from '../stateFolder';
import {
  composeMarker,
  readMarkers,
  type EditorWindow,
  type Unsaved,
  type WindowMarker,
} from './windowMarkers';

/** Time for which a dead window's marker keeps its base, in ms. The editor may restore the unsaved document. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Returns whether exactly this process is alive. */
export type IsAlive = (process: ProcessIdentity) => boolean;

/** Marker of one editor window. Writes nothing before a method is called: the caller knows what is trusted. */
export class OpenEditor {
  private readonly openedAt = systemClock.now();
  private unsaved: Unsaved | null = null;

  constructor(
    private readonly state: StatePaths,
    private readonly process: ProcessIdentity,
    private readonly isAlive: IsAlive,
  ) {}

  /** Records that this window has the queue open. */
  async announce(): Promise<void> {
    this.write(this.unsaved);
    await this.clearDead(isKept);
  }

  /**
   * As `announce`, but only if the state folder exists and the marker does not. Otherwise there is nobody to notify,
   * and nothing is created in the owner's folder.
   */
  async appear(): Promise<void> {
    if (!existsSync(this.state.folder) || existsSync(this.file)) return;
    await this.announce();
  }

  /**
   * Records that the document has unsaved changes: from the end of this call on, no process writes a checkpoint.
   * `base` is the last state that document and disk had in common. A base that is recorded already stays.
   */
  markUnsaved(base: RowTexts): void {
    if (this.unsaved !== null) return;
    this.write({ since: systemClock.now(), base });
  }

  /**
   * Records that the unsaved changes were saved or undone. `next` is the base of changes that were typed meanwhile:
   * with it, there is no moment in which others may write. Call it only after the queue has imported the save
   * (`TaskQueue.sync`), which needs the base to find what the user typed. Removes the markers of dead windows too.
   */
  async markSaved(next: RowTexts | null = null): Promise<void> {
    this.write(next === null ? null : { since: systemClock.now(), base: next });
    await this.clearDead(() => false);
  }

  /**
   * Removes the marker of a window that closes. With unsaved changes it stays: another window may restore them, so
   * the base is kept.
   */
  leave(): void {
    if (this.unsaved === null) rmSync(this.file, { force: true });
  }

  /**
   * Path of the marker. The start time is part of it: a later process with the same pid must not overwrite a dead
   * window's marker.
   */
  private get file(): string {
    const start = hash('sha256', this.process.startedAt).slice(0, 8);
    return path.join(this.state.of('windows'), `${String(this.process.pid)}-${start}.json`);
  }

  /** Writes the marker atomically. If that fails, `unsaved` stays as it was. */
  private write(unsaved: Unsaved | null): void {
    const { process, openedAt } = this;
    makeStateFolder(this.state, this.state.of('windows'));
    const temporary = `${this.file}.tmp`;
    rmSync(temporary, { force: true });
    writeFileSync(temporary, composeMarker({ process, openedAt, unsaved }), { mode: PRIVATE_FILE });
    renameSync(temporary, this.file);
    this.unsaved = unsaved;
  }

  private async clearDead(isNeeded: (marker: WindowMarker) => boolean): Promise<void> {
    for (const marker of await readMarkers(this.state)) {
      if (isNeeded(marker) || this.isAlive(marker.window.process)) continue;
      await fs.rm(marker.file, { force: true });
    }
  }
}

/** Returns the living windows that have the queue open. */
export async function readLivingWindows(
  state: StatePaths,
  isAlive: IsAlive,
): Promise<readonly EditorWindow[]> {
  const markers = await readMarkers(state);
  return markers.map(({ window }) => window).filter(({ process }) => isAlive(process));
}

/** Returns whether a living window has unsaved changes. */
export async function isAnyUnsaved(state: StatePaths, isAlive: IsAlive): Promise<boolean> {
  const markers = await readMarkers(state);
  return markers.some(({ window }) => window.unsaved !== null && isAlive(window.process));
}

/** Returns the bases of unsaved documents, including those of dead windows. */
export async function readBases(state: StatePaths): Promise<RowTexts> {
  const markers = await readMarkers(state);
  return markers.filter(isKept).flatMap(({ window }) => window.unsaved?.base ?? []);
}

/** Returns the texts of a file's shared cells, row by row: the base of a document with this content. */
export function baseOf(file: CsvFile): RowTexts {
  return file.records.flatMap((record) => {
    const id = idOf(file, record);
    return id === null ? [] : [[id, sharedTexts(file, record)] as const];
  });
}

/** Whether the marker has a base that is not too old. */
function isKept({ window: { unsaved } }: WindowMarker): boolean {
  return unsaved !== null && systemClock.now() - unsaved.since <= KEPT_MS;
}
