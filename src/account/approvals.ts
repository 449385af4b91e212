import { createHash } from 'node:crypto';
import * as path from 'node:path';
import type { ProofCheck } from '../domain/explain';
import { UserFile } from './userFile';

interface Approved {
  /** The queue file, for a person who looks in here. */
  readonly queue: string;
  /** Whether the whole file is trusted from now on. */
  readonly trusted: boolean;
  /** Approved powers: what exactly may be done, not which row does it. */
  readonly powers: readonly string[];
}

/** What this user approved of one queue file on this machine; kept outside of any repository. */
export class Approvals {
  private readonly file: UserFile<Approved>;

  /** `folder`: the user's state folder; `queueFile`: absolute, links resolved. */
  constructor(folder: string, queueFile: string) {
    const name = createHash('sha256').update(queueFile).digest('hex').slice(0, 32);
    this.file = new UserFile(path.join(folder, 'approvals', `${name}.json`), {
      queue: queueFile,
      trusted: false,
      powers: [],
    });
  }

  async read(): Promise<ProofCheck> {
    const { trusted, powers } = await this.file.read();
    return { trusted, powers: new Set(powers) };
  }

  /** Approves exactly these powers. */
  async approve(powers: readonly string[]): Promise<void> {
    await this.file.update((before) => {
      const fresh = powers.filter((power) => !before.powers.includes(power));
      return fresh.length === 0 ? before : { ...before, powers: [...before.powers, ...fresh] };
    });
  }

  /** Trusts the whole file from now on, or no longer. */
  async trust(trusted: boolean): Promise<void> {
    await this.file.update((before) => (before.trusted === trusted ? before : { ...before, trusted }));
  }
}
