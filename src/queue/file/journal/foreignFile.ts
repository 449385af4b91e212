import { Problem } from '../../../domain/problem';
import { nameWorker } from '../../../domain/queue/view';
import type { Clock } from '../../../platform/clock';
import { resolveFile } from '../../../platform/files/paths';
import { withLock } from '../../../platform/lock/lock';
import { t } from '../../../platform/text/translate';
import { livenessOn } from '../../model/liveness';
import { findLivingOwner } from '../../model/registration';
import { QueuePaths, type StatePaths } from '../../queuePaths';
import type { Machine } from '../../taskQueue';
import type { ForeignHistory, ForeignSummary } from '../../foreignHistory';
import { archiveAll } from './archiveHistory';
import { FileHistory } from './fileHistory';
import type { KnownHistory } from './knownHistory';
import { refuseUnsafe } from '../stateFolder';

/** Location of a history that was made elsewhere, and dependencies to handle it. */
export interface ForeignOptions {
  /** The CSV, absolute. */
  readonly file: string;
  readonly machine: Machine;
  readonly known: KnownHistory;
  readonly clock: Clock;
}

/** History in a state folder that was made elsewhere. */
export class ForeignFile implements ForeignHistory {
  private readonly history: FileHistory;

  private constructor(
    private readonly state: StatePaths,
    private readonly options: ForeignOptions,
  ) {
    const { known, machine } = options;
    this.history = new FileHistory(state, {
      machine,
      known: {
        judge: () => Promise.resolve({ kind: 'own', isNamed: false }),
        name: (inUse) => known.name(inUse),
      },
    });
  }

  /** Opens the state folder of a queue file. @throws Problem `state-linked`, `state-of-other-user`, `not-a-file` */
  static async open(options: ForeignOptions): Promise<ForeignFile> {
    const { state } = new QueuePaths(await resolveFile(options.file));
    await refuseUnsafe(state);
    return new ForeignFile(state, options);
  }

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

  async adopt(): Promise<void> {
    await withLock(this.state.of('lock'), async () => {
      await this.history.catchUp();
      const owner = findLivingOwner(this.history.state.queue, livenessOn(this.options.machine));
      if (owner !== null) {
        throw new Problem(
          'already-running',
          t('Worker {0} is running on this history. Stop it first.', nameWorker(owner)),
        );
      }
      if (!(await this.history.makeOwn()))
        throw new Problem(
          'queue-busy',
          t('{0}: another process changed the history. Try again.', this.state.folder),
        );
    });
    await this.history.close();
  }

  archive(): Promise<string> {
    return withLock(this.state.of('lock'), () => archiveAll(this.state, this.options.clock.now()));
  }
}
