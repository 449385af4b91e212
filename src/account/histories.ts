import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import { isProblem } from '../domain/problem';
import { fields, isText, orAbsent, isTrue } from '../platform/text/shapes';
import { isOfSystem, listNames } from '../platform/files/files';
import { queueKey, type Approvals } from './approvals';
import { UserFile } from './userFile';

interface Kept {
  /** The state folder of the queue. */
  readonly stateFolder: string;
  /** Id of this queue's history as this user created it; empty before there is one. */
  readonly id: string;
  /** Whether a journal names the id. From then on, a journal that names none was not written by this user. */
  readonly inUse?: true;
}

const isKept = fields<Kept>({ stateFolder: isText, id: isText, inUse: orAbsent(isTrue) });

/**
 * Origin of a history: made by this user here, or elsewhere. Where it came from elsewhere, `knownAs` is another folder
 * of this user with that history.
 */
export type Origin =
  | { readonly kind: 'own'; readonly isNamed: boolean }
  | { readonly kind: 'foreign'; readonly knownAs: string | null };

/**
 * The random id of one queue's history, kept outside of any repository. A journal that names another id came from
 * elsewhere: with a repository, in an archive, or from another machine.
 */
export class Histories {
  private readonly file: UserFile<Kept>;
  private readonly folder: string;

  /** `folder`: the user's state folder; `stateFolder`: that of the queue, absolute, links resolved. */
  constructor(
    folder: string,
    stateFolder: string,
    private readonly approvals: Pick<Approvals, 'read'>,
  ) {
    this.folder = path.join(folder, 'histories');
    this.file = openKept(path.join(this.folder, `${queueKey(stateFolder)}.json`), stateFolder);
  }

  /**
   * Returns the origin of a journal that names this id. Null: its format names none. Such a journal is adopted once, if
   * this user has approved rows of the queue before.
   */
  async judge({ history }: { readonly history: string | null }): Promise<Origin> {
    const { id, inUse } = await this.file.read();
    const isNamed = inUse === true;
    if (history === null) {
      const isOwn = !isNamed && (await this.hasApproved());
      return isOwn ? { kind: 'own', isNamed } : { kind: 'foreign', knownAs: null };
    }
    if (history !== '' && history === id) return { kind: 'own', isNamed };
    return { kind: 'foreign', knownAs: await this.findOther(history) };
  }

  /**
   * Returns the id, and creates it where there is none. It is on the disk when this resolves. `inUse`: a journal names
   * it from now on.
   */
  async name(inUse: boolean): Promise<string> {
    const { id } = await this.file.update((before) => {
      if (before.id !== '' && (before.inUse === true || !inUse)) return before;
      return { ...before, id: before.id || randomUUID(), ...(inUse ? { inUse } : {}) };
    });
    return id;
  }

  private async hasApproved(): Promise<boolean> {
    const { trusted, approvals } = await this.approvals.read();
    return trusted || approvals.size > 0;
  }

  /** Returns another state folder of this user whose history has this id; null: there is none. */
  private async findOther(history: string): Promise<string | null> {
    if (history === '') return null;
    for (const name of await listNames(this.folder)) {
      if (!name.endsWith('.json')) continue;
      const kept = await readOther(path.join(this.folder, name));
      if (kept?.id === history) return kept.stateFolder;
    }
    return null;
  }
}

function openKept(file: string, stateFolder: string): UserFile<Kept> {
  return new UserFile<Kept>(file, { empty: { stateFolder, id: '' }, isRight: isKept });
}

/** Returns what is kept of another queue; null: its file is unreadable, which is no matter of this queue. */
async function readOther(file: string): Promise<Kept | null> {
  try {
    return await openKept(file, '').read();
  } catch (error) {
    if (isProblem(error) || isOfSystem(error)) return null;
    throw error;
  }
}
