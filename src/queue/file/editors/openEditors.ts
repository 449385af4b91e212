import { createHash } from 'node:crypto';
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
import { sharedTexts } from '../import/queueRows';
import { makeStateFolder } from '../stateFolder';
import {
  composeMarker,
  readMarkers,
  type EditorWindow,
  type Unsaved,
  type WindowMarker,
} from './windowMarkers';

/** As long as a dead window's marker says what its unsaved document is based on: the editor may bring that back. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Whether that very process lives. */
export type IsAlive = (process: ProcessIdentity) => boolean;

/** The marker of one editor window. Nothing is written before it is told to: the caller knows what is trusted. */
export class OpenEditor {
  private readonly openedAt = systemClock.now();
  private unsaved: Unsaved | null = null;

  constructor(
    private readonly state: StatePaths,
    private readonly process: ProcessIdentity,
    private readonly isAlive: IsAlive,
  ) {}

  /** This window has the queue open. */
  async announce(): Promise<void> {
    this.write(this.unsaved);
    await this.clearDead(isKept);
  }

  /**
   * As `announce`, where something has run already and the marker is not there: elsewhere there is nobody to tell, and
   * nothing to be put into the owner's folder.
   */
  async appear(): Promise<void> {
    if (!existsSync(this.state.folder) || existsSync(this.file)) return;
    await this.announce();
  }

  /**
   * The document has changes that are not on the disk: from the end of this call on nobody folds. `base` is what the
   * document last had in common with the disk. While changes are unsaved already, their first base holds.
   */
  markUnsaved(base: RowTexts): void {
    if (this.unsaved !== null) return;
    this.write({ since: systemClock.now(), base });
  }

  /**
   * Nothing is unsaved any more. Only to be called when the queue has taken up what was saved (`TaskQueue.sync`),
   * which needs the base to tell what was typed. What dead windows left is settled with it.
   */
  async markSaved(): Promise<void> {
    this.write(null);
    await this.clearDead(() => false);
  }

  /** The window closes. What it leaves unsaved may come back in another one, so that its base is kept. */
  leave(): void {
    if (this.unsaved === null) rmSync(this.file, { force: true });
  }

  /** A later process with the same number must not write over what a dead window left. */
  private get file(): string {
    const start = createHash('sha256').update(this.process.startedAt).digest('hex').slice(0, 8);
    return path.join(this.state.of('windows'), `${String(this.process.pid)}-${start}.json`);
  }

  /** A reader sees the old marker or the new one, whole. What could not be written was not said. */
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

/** The windows that have the queue open. */
export async function readLivingWindows(
  state: StatePaths,
  isAlive: IsAlive,
): Promise<readonly EditorWindow[]> {
  const markers = await readMarkers(state);
  return markers.map(({ window }) => window).filter(({ process }) => isAlive(process));
}

/** Whether a living window has unsaved changes. */
export async function isAnyUnsaved(state: StatePaths, isAlive: IsAlive): Promise<boolean> {
  const markers = await readMarkers(state);
  return markers.some(({ window }) => window.unsaved !== null && isAlive(window.process));
}

/** What unsaved documents are based on, those of dead windows too. */
export async function readBases(state: StatePaths): Promise<RowTexts> {
  const markers = await readMarkers(state);
  return markers.filter(isKept).flatMap(({ window }) => window.unsaved?.base ?? []);
}

/** The texts of a file's shared cells, row by row: the base of a document that is this file. */
export function baseOf(file: CsvFile): RowTexts {
  return file.records.flatMap((record) => {
    const id = idOf(file, record);
    return id === null ? [] : [[id, sharedTexts(file, record)] as const];
  });
}

/** Whether it still tells of a base. */
function isKept({ window: { unsaved } }: WindowMarker): boolean {
  return unsaved !== null && systemClock.now() - unsaved.since <= KEPT_MS;
}
