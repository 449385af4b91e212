import { statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { EpochMs } from '../../domain/time/epoch';
import { listNames, makePrivateFolder, readIfThere, replaceDurably, syncPath } from '../files/files';
import { isObjectFormat } from '../git/bareRepository';
import type { RawVersion } from '../git/rawDiff';
import { withLock } from '../lock/lock';
import { t } from '../text/translate';
import {
  fields,
  isCount,
  isNumber,
  isProcess,
  isText,
  listOf,
  orAbsent,
  orNull,
  parseJson,
} from '../text/shapes';
import type { UndoFolder, UndoPlan, UndoStep } from './undoPlan';

/** An undo that a process has started: nobody else may work in its folder. */
export interface UndoIntent {
  readonly id: string;
  /** Key of the queue. */
  readonly queue: string;
  readonly task: number;
  /** Attempts whose changes are undone. */
  readonly numbers: readonly number[];
  /** Folder in which they ran, without links. */
  readonly folder: string;
  readonly machine: string;
  /** Null: it failed, and could not be taken back yet. */
  readonly process: ProcessIdentity | null;
  /** Absent in what older versions wrote. */
  readonly startedAt?: EpochMs;
}

const isIntent = fields<UndoIntent>({
  id: isText,
  queue: isText,
  task: isCount,
  numbers: listOf(isCount),
  folder: isText,
  machine: isText,
  process: orNull(isProcess),
  startedAt: orAbsent(isNumber),
});

const isVersion = orNull(fields<RawVersion>({ mode: isText, object: isText }));

const isPlan = fields<UndoPlan>({
  top: isText,
  format: isObjectFormat,
  steps: listOf(fields<UndoStep>({ path: isText, from: isVersion, to: isVersion, permissions: isCount })),
  emptied: listOf(fields<UndoFolder>({ path: isText, permissions: isCount })),
  made: listOf(isText),
});

const SUFFIX = '.json';

/** Folder beside the undos, in which the files that they replaced and removed are kept. */
export const KEPT = 'kept';

/**
 * Undos that are not over, in a folder of the user's own: for each a file that names it, then its plan with the bytes to
 * go back to, then a mark that all is written.
 */
export class UndoJournal {
  constructor(private readonly folder: string) {}

  /** Notes that an undo starts. It is on the disk when this resolves. */
  async start(intent: UndoIntent): Promise<void> {
    await makePrivateFolder(this.folder);
    await replaceDurably(this.fileOf(intent), JSON.stringify(intent));
  }

  /** Returns the undos that are not over. */
  async list(): Promise<readonly UndoIntent[]> {
    const names = (await listNames(this.folder)).filter((name) => name.endsWith(SUFFIX));
    const found = await Promise.all(names.map((name) => this.read(path.join(this.folder, name))));
    return found.filter((intent) => intent !== null);
  }

  /** Whether there is nothing to settle, nor to remove. */
  async isEmpty(): Promise<boolean> {
    return (await listNames(this.folder)).every((name) => name.startsWith('.') || name === KEPT);
  }

  /** Keeps the bytes that the files of a plan have, and then the plan. `read` returns the bytes of a step's file. */
  async keepPlan(intent: UndoIntent, plan: UndoPlan, read: (step: UndoStep) => Buffer): Promise<void> {
    const folder = this.folderOf(intent);
    await makePrivateFolder(folder);
    await syncPath(this.folder);
    for (const [index, step] of plan.steps.entries())
      if (step.from !== null) await replaceDurably(path.join(folder, String(index)), read(step));
    await replaceDurably(path.join(folder, PLAN), JSON.stringify(plan));
  }

  /** Returns the plan; null: nothing was written yet. @throws Problem `state-damaged` */
  async plan(intent: UndoIntent): Promise<UndoPlan | null> {
    const file = path.join(this.folderOf(intent), PLAN);
    const text = await readIfThere(file);
    if (text === null) return null;
    const plan = parseJson(text.toString('utf8'));
    if (isPlan(plan)) return plan;
    throw new Problem(
      'state-damaged',
      t('The plan of an undo in {0} is damaged. Files in {1} may be half restored.', file, intent.folder),
    );
  }

  /** Returns the bytes that the file of a step had. */
  bytes(intent: UndoIntent, index: number): Promise<Buffer> {
    return fs.readFile(path.join(this.folderOf(intent), String(index)));
  }

  /** Marks that everything is written. From then on the undo counts. */
  async markDone(intent: UndoIntent): Promise<void> {
    await replaceDurably(path.join(this.folderOf(intent), DONE), '');
  }

  async isDone(intent: UndoIntent): Promise<boolean> {
    return (await readIfThere(path.join(this.folderOf(intent), DONE))) !== null;
  }

  /** Forgets an undo that is over. */
  async end(intent: UndoIntent): Promise<void> {
    await fs.rm(this.fileOf(intent), { force: true });
    await syncPath(this.folder);
    await fs.rm(this.folderOf(intent), { recursive: true, force: true });
  }

  /** Runs `work` while no other process settles undos, after what one that was killed has left is removed. */
  async settling<T>(work: () => Promise<T>): Promise<T> {
    await makePrivateFolder(this.folder);
    return withLock(path.join(this.folder, LOCK), async () => {
      await this.removeLeftover();
      return work();
    });
  }

  /** Removes the bytes of undos that are over, whose files went first, and files that were not written to their end. */
  private async removeLeftover(): Promise<void> {
    const names = await listNames(this.folder);
    for (const name of names.filter((each) => each.endsWith('.tmp'))) {
      const file = path.join(this.folder, name);
      const found = statSync(file, { throwIfNoEntry: false });
      if (found !== undefined && found.mtimeMs < Date.now() - UNFINISHED_MS)
        await fs.rm(file, { force: true });
    }
    for (const name of names.filter((each) => !each.includes('.') && each !== KEPT))
      if ((await readIfThere(path.join(this.folder, `${name}${SUFFIX}`))) === null)
        await fs.rm(path.join(this.folder, name), { recursive: true, force: true });
  }

  private async read(file: string): Promise<UndoIntent | null> {
    const text = await readIfThere(file);
    const intent = text === null ? null : parseJson(text.toString('utf8'));
    return isIntent(intent) && this.fileOf(intent) === file ? intent : null;
  }

  /** Returns the file that names an undo. */
  fileOf({ id }: Pick<UndoIntent, 'id'>): string {
    return path.join(this.folder, `${id}${SUFFIX}`);
  }

  private folderOf({ id }: Pick<UndoIntent, 'id'>): string {
    return path.join(this.folder, id);
  }
}

const PLAN = 'plan';
const DONE = 'done';
/** Age from which a file that is not finished is nobody's any more, in ms. */
const UNFINISHED_MS = 60_000;

/** Names of folders have no dot. */
const LOCK = '.lock';
