import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { Problem } from '../../../domain/problem';
import { nameWorker } from '../../../domain/queue/view';
import type { Clock } from '../../../platform/clock';
import { resolveFile } from '../../../platform/files/paths';
import { withLock } from '../../../platform/lock/lock';
import { findLivingOwner } from '../../model/registration';
import type { Machine } from '../../taskQueue';
import { archiveAll } from './archive';
import { FileHistory } from './fileHistory';
import type { KnownHistory } from './knownHistory';
import { LOCK, refuseUnsafe } from '../stateFolder';

/** Where a history is that was made elsewhere. */
export interface ForeignOptions {
  /** The CSV, absolute. */
  readonly file: string;
  readonly machine: Machine;
  readonly known: KnownHistory;
  readonly clock: Clock;
}

/** What a history made elsewhere holds; nothing of its texts. */
export interface ForeignSummary {
  readonly attempts: number;
  readonly firstStartedAt: EpochMs | null;
  readonly lastEndedAt: EpochMs | null;
  /** Tasks whose session Claude would resume. */
  readonly sessions: number;
  readonly completed: number;
  readonly holds: number;
  /** Tasks that run, as far as it says. */
  readonly running: readonly number[];
}

/** A history that was made elsewhere, for the user who decides about it. */
export class ForeignHistory {
  private readonly history: FileHistory;

  private constructor(
    private readonly stateFolder: string,
    private readonly options: ForeignOptions,
  ) {
    const { known, machine } = options;
    this.history = new FileHistory(path.join(stateFolder, 'journal'), {
      machine,
      known: {
        judge: () => Promise.resolve({ kind: 'own', isNamed: false }),
        name: (inUse) => known.name(inUse),
      },
    });
  }

  /** @throws Problem `state-linked`, `state-of-other-user`, `not-a-file` */
  static async open(options: ForeignOptions): Promise<ForeignHistory> {
    const stateFolder = path.join(path.dirname(await resolveFile(options.file)), 'state');
    await refuseUnsafe(stateFolder);
    return new ForeignHistory(stateFolder, options);
  }

  /** What it holds. @throws Problem `state-newer`, `state-damaged` */
  async summarize(): Promise<ForeignSummary> {
    await this.history.catchUp();
    const { attempts, tasks, holds, claims } = this.history.state.queue;
    const states = [...tasks.values()];
    return {
      attempts: attempts.length,
      firstStartedAt: attempts[0]?.startedAt ?? null,
      lastEndedAt: attempts.at(-1)?.endedAt ?? null,
      sessions: states.filter(({ session }) => session !== null).length,
      completed: states.filter(({ status }) => status === 'completed').length,
      holds: holds.length,
      running: [...claims.keys()],
    };
  }

  /** Makes it this user's own. @throws Problem `already-running` while a worker of this machine works on it */
  async adopt(): Promise<void> {
    await withLock(path.join(this.stateFolder, LOCK), async () => {
      await this.history.catchUp();
      const owner = findLivingOwner(this.history.state.queue, this.options.machine);
      if (owner !== null) {
        throw new Problem(
          'already-running',
          `Worker ${nameWorker(owner)} is running on this history. Stop it first.`,
        );
      }
      if (!(await this.history.makeOwn()))
        throw new Problem(
          'queue-busy',
          `${this.stateFolder}: another process changed the history. Try again.`,
        );
    });
    await this.history.close();
  }

  /** Moves all of it into the archive and returns the folder; nothing of it is read. */
  archive(): Promise<string> {
    return withLock(path.join(this.stateFolder, LOCK), () =>
      archiveAll(this.stateFolder, this.options.clock.now()),
    );
  }
}
