import { existsSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import { listNames, makePrivateFolder, readIfThere, replaceDurably } from '../files/files';
import { fields, isText, listOf, orAbsent, orNull, parseJson, type Check } from '../text/shapes';
import type { LeftOut } from './fileLook';
import { cleanEnvironment, createByteGit, type Git } from './git';
import { isObjectFormat, makeRepository, OBJECT_FORMATS, type ObjectFormat } from './bareRepository';
import type { Change } from './repositoryCopy';
import { type FileVersion, TreeDiff } from './treeDiff';

/** Name of an attempt at a queue, unique also after its history was started over. */
export type AttemptName = Pick<Attempt, 'id' | 'number' | 'startedAt'>;

/** Kept changes of an attempt: trees in a repository of their own, and what they leave out. */
export interface KeptChange extends Pick<Change, 'trees' | 'format' | 'leftOut'> {
  /** Place of the attempt, as git found it; absent in what older versions kept. */
  readonly place?: Change['place'];
}

const LEFT_OUT: Readonly<Record<LeftOut['why'], true>> = { large: true, unreadable: true, repository: true };

const isLeftOut = fields<LeftOut>({
  path: isText,
  why: (value): value is LeftOut['why'] => isText(value) && Object.hasOwn(LEFT_OUT, value),
});

const isKept: Check<KeptChange> = fields<KeptChange>({
  trees: orNull(fields<NonNullable<Change['trees']>>({ before: isText, after: isText })),
  format: isObjectFormat,
  leftOut: listOf(isLeftOut),
  place: orAbsent(fields<Change['place']>({ top: isText, folder: isText })),
});

/**
 * The trees before and after each attempt at a queue, in bare repositories of our own: one for each object format. Each
 * attempt has a pack with all that its difference needs, so that it can go without any other.
 */
export class KeptTrees {
  /** @param folder folder of the user's own that only this has */
  constructor(
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Keeps the trees of an attempt; nothing if nothing changed. @throws GitFailure and errors of the disk */
  async keep(attempt: AttemptName, change: Change, signal: AbortSignal): Promise<void> {
    const { trees, format, leftOut, place } = change;
    if (trees === null && leftOut.length === 0) return;
    await makePrivateFolder(this.folder);
    if (trees !== null) {
      const repository = this.repositoryOf(format);
      if (!existsSync(path.join(repository, 'HEAD')))
        makeRepository(repository, { format, core: ['bare = true'] });
      await change.pack(this.objectsOf(format), packName(attempt), signal);
    }
    // Last, so that it never names a tree that is not there.
    const kept: KeptChange = { trees, format, leftOut, place };
    await replaceDurably(this.fileOf(attempt), JSON.stringify(kept));
  }

  /** Returns the kept changes of an attempt; null: there are none. */
  async find(attempt: AttemptName): Promise<KeptChange | null> {
    const text = await readIfThere(this.fileOf(attempt));
    const kept = text === null ? null : parseJson(text.toString('utf8'));
    return isKept(kept) ? kept : null;
  }

  /** Returns the difference between two kept trees. */
  diffOf({ trees, format }: KeptChange): TreeDiff {
    return new TreeDiff(this.gitOf(format), trees);
  }

  /** Returns the content of a version of a file, as it was in the directory. */
  async read(
    format: ObjectFormat,
    { object }: Pick<FileVersion, 'object'>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    return this.gitOf(format)(['cat-file', 'blob', object], signal);
  }

  /** Removes the kept changes of all attempts but these. Young ones stay: their end may just be recorded. */
  async prune(known: readonly AttemptName[], now: EpochMs): Promise<void> {
    const since = now - YOUNG_MS;
    const stays = new Set(known.map(nameOf));
    const goes = (name: string): boolean => {
      const found = NAME.exec(name);
      return found !== null && !stays.has(found[0]) && Number(found.groups?.['startedAt']) < since;
    };
    // The packs go last, so that no file names a tree that is not there.
    const packs = OBJECT_FORMATS.map((format) => this.packsOf(format));
    for (const folder of [this.folder, ...packs])
      for (const name of (await listNames(folder)).filter(goes))
        await fs.rm(path.join(folder, name), { force: true });
    for (const folder of packs) await removeInterrupted(folder, now - INTERRUPTED_MS);
  }

  private fileOf(attempt: AttemptName): string {
    return path.join(this.folder, `${nameOf(attempt)}.json`);
  }

  private repositoryOf(format: ObjectFormat): string {
    return path.join(this.folder, `${format}.git`);
  }

  private objectsOf(format: ObjectFormat): string {
    return path.join(this.repositoryOf(format), 'objects');
  }

  private packsOf(format: ObjectFormat): string {
    return path.join(this.objectsOf(format), 'pack');
  }

  private gitOf(format: ObjectFormat): Git<Buffer> {
    const own = {
      GIT_DIR: this.repositoryOf(format),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    return createByteGit(this.folder, { ...cleanEnvironment(this.environment), ...own });
  }
}

/** Removes packs that git did not finish, for example because the disk was full. */
async function removeInterrupted(folder: string, before: EpochMs): Promise<void> {
  for (const name of (await listNames(folder)).filter((each) => each.startsWith('tmp_'))) {
    const file = path.join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < before) await fs.rm(file, { force: true });
  }
}

/** Age up to which the trees of an attempt stay in any case, in ms. */
const YOUNG_MS = 7 * 24 * 3_600_000;

/** Age from which a pack that is not finished is nobody's any more, in ms. */
const INTERRUPTED_MS = 600_000;

/** `TASK-ATTEMPT-START`: part of the names of all its files. */
function nameOf({ id, number, startedAt }: AttemptName): string {
  return [id, number, startedAt].join('-');
}

const NAME = /\d+-\d+-(?<startedAt>\d+)/;

/** Git finds only packs whose name starts like this. */
const packName = (attempt: AttemptName): string => `pack-${nameOf(attempt)}`;
