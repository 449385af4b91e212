import { randomUUID } from 'node:crypto';
import { Fenced, isProblem } from '../../domain/problem';
import { isSameWorker, type Claim, type ProcessOwner, type RegisteredWorker } from '../../domain/queue/view';
import type { StopCause } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { EpochMs } from '../../domain/time/epoch';
import { systemClock, type Clock } from '../../platform/clock';
import { t } from '../../platform/text/translate';
import { ModelQueue } from '../model/modelQueue';
import { refuseRemoval } from '../model/removal';
import { NO_ROWS } from '../model/rows';
import type { RowContext } from '../row/rowContext';
import type { ImportHow, RowTable } from '../rowTable';
import type { ServerFacts, SharedQueue } from '../sharedQueue';
import type {
  Claimed,
  ClaimRef,
  ClaimRequest,
  Idle,
  Lost,
  Machine,
  OpId,
  RecoverRules,
  Registration,
  Snapshot,
  TaskFields,
  TaskQueue,
} from '../taskQueue';
import type { RedisServer } from '../redisServer';
import { isRefusal, RedisConnection, nameServer } from './connection';
import type { NumberedSheet, RowsChange } from './rowChanges';
import { LeaseRenewal } from './leaseRenewal';
import { RedisKeys } from './keys';
import { LEASE_TIMES, type LeaseTimes } from './leases';
import { RedisLog } from './redisLog';
import { RedisStore } from './redisStore';
import { watchLog } from './redisWatch';
import { readServerFacts } from './serverFacts';
import { findUnnamed, idOf } from './sheet';

/** Number of looks at the leases while processes renew theirs after a gap. */
const SETTLE_POLLS = 10;

/** Options of a queue in Redis. */
export interface RedisQueueOptions {
  readonly server: RedisServer;
  /** Name of the queue: part of its keys. */
  readonly queue: string;
  readonly machine: Machine;
  /** Returns the context in which rows are read. If the context changes, all rows are read again. */
  readonly rows: () => RowContext;
  /** Called with the queue's settings, as YAML, when they are read and when they change; empty: the defaults. */
  readonly settingsChanged?: (settings: string) => Promise<void>;
  /** Returns the time for which attempts are kept, in ms; absent: forever. */
  readonly keepHistoryMs?: () => number;
  /** Clock of a test; absent: Redis's. */
  readonly clock?: Pick<Clock, 'now'>;
  /** Times of a test. */
  readonly leaseTimes?: LeaseTimes;
  /** Least number of entries of a test after which the base is written anew. */
  readonly leastCompacted?: number;
}

/** Queue in Redis. */
export class RedisQueue extends ModelQueue implements SharedQueue {
  /** Worker that this process registered, until it leaves. */
  private registered: RegisteredWorker | null = null;

  private constructor(
    private readonly sheetStore: RedisStore,
    private readonly log: RedisLog,
    private readonly renewal: LeaseRenewal,
    private readonly connection: RedisConnection,
    private readonly settleMs: number,
  ) {
    super(sheetStore, log.leases);
  }

  /** Opens a queue. @throws Problem `redis-away`, `redis-refused` */
  static async open(options: RedisQueueOptions): Promise<RedisQueue> {
    const { server, queue, machine, rows, clock, settingsChanged, keepHistoryMs } = options;
    const { leaseTimes = LEASE_TIMES, leastCompacted } = options;
    const connection = await RedisConnection.open(server);
    const keys = new RedisKeys(queue);
    const name = t('The queue {0} at {1}', queue, nameServer(server));
    const log = new RedisLog({
      ...{ connection, keys, name, machine, leaseTimes },
      ...(leastCompacted === undefined ? {} : { leastCompacted }),
      ...(clock === undefined ? {} : { clock }),
      ...(settingsChanged === undefined ? {} : { settingsChanged }),
    });
    const renewal = new LeaseRenewal(log, machine, leaseTimes);
    const closed = new AbortController();
    const store = new RedisStore({
      log,
      rows,
      ...(keepHistoryMs === undefined ? {} : { keepHistoryMs }),
      watch: (changed, signal) => {
        const ends = AbortSignal.any([signal, closed.signal]);
        renewal.watch(changed, ends);
        watchLog(server, keys, changed, ends);
      },
      owned: (owners) => {
        renewal.own(owners);
      },
      close: async () => {
        closed.abort();
        await renewal.end();
        connection.close();
      },
      archiveName: `${keys.archive} at ${nameServer(server)}`,
    });
    try {
      await log.look();
    } catch (error) {
      connection.close();
      throw error;
    }
    return new RedisQueue(store, log, renewal, connection, leaseTimes.settleMs);
  }

  /**
   * As `TaskQueue.start`. The lease is renewed first: a process that was frozen may be recovered at this moment. Either
   * that comes first and the start is refused, or it sees the new lease.
   */
  override async start(ref: ClaimRef, run: ProcessIdentity, op: OpId): Promise<void> {
    await this.renewal.renew();
    await super.start(ref, run, op);
  }

  /**
   * As `TaskQueue.renew`. While Redis does not answer, the claim stays the caller's until shortly before its lease ends:
   * then another worker may take the task. If none took it, this process recovers it as lost: the lease may be renewed
   * again.
   */
  override async renew(ref: ClaimRef, since: EpochMs): Promise<{ readonly stop?: StopCause }> {
    try {
      return await super.renew(ref, since);
    } catch (error) {
      if (!isProblem(error, 'redis-away') || !this.renewal.isLate()) throw error;
      this.log.leases.fence(ref.mark);
      throw new Fenced(ref.id);
    }
  }

  readServer(): Promise<ServerFacts> {
    return readServerFacts(this.connection);
  }

  /**
   * As `TaskQueue.read`. After a time in which nobody renewed leases, waits until it is known of each owner whether it
   * lives: a snapshot never has a dead one as running, nor a living one as dead.
   */
  override async read(): Promise<Snapshot> {
    const snapshot = await super.read();
    return (await this.settle()) ? super.read() : snapshot;
  }

  /** As `TaskQueue.readLost`. Waits as `read` does. */
  override async readLost(): Promise<readonly Claim[]> {
    const lost = await super.readLost();
    return (await this.settle()) ? super.readLost() : lost;
  }

  /** As `TaskQueue.register`. Waits as `read` does: who is not alive is unregistered. */
  override async register(...[worker, how, op]: Parameters<TaskQueue['register']>): Promise<Registration> {
    await this.sheetStore.refresh();
    await this.settle();
    const registration = await super.register(worker, how, op);
    if (registration.kind === 'enlisted') this.registered = worker;
    return registration;
  }

  override leave(worker: ProcessOwner, op: OpId): Promise<void> {
    this.registered = null;
    return super.leave(worker, op);
  }

  /** As `TaskQueue.claim`. A worker that others took for dead, such as one that was frozen, is registered again first. */
  override async claim(request: ClaimRequest, op: OpId): Promise<Claimed | Idle> {
    await this.registerAgain();
    return super.claim(request, op);
  }

  /** As `TaskQueue.recover`. After Redis was away, owners have time to renew their leases first. */
  override async recover(rules: RecoverRules, op: OpId): Promise<readonly Lost[]> {
    await this.renewal.renew();
    return super.recover(rules, op);
  }

  async readSettings(): Promise<string> {
    await this.sheetStore.refresh();
    return this.log.state.settings;
  }

  writeSettings(settings: string, op: OpId): Promise<void> {
    return this.sheetStore.writeSettings(settings, op);
  }

  /** Changes rows as `make` says of the newest sheet. Rows that are not valid are kept as they are. */
  changeRows(make: (sheet: NumberedSheet) => RowsChange, op: OpId): Promise<void> {
    return this.sheetStore.changeRows(make, op);
  }

  exportRows(): Promise<RowTable> {
    return this.sheetStore.exportRows();
  }

  importRows(table: RowTable, how: ImportHow, op: OpId): Promise<readonly TaskId[]> {
    return this.sheetStore.importRows(table, how, op);
  }

  async removeUnnamed(row: number, op: OpId): Promise<TaskFields> {
    let removed: TaskFields = {};
    await this.changeRows((sheet) => {
      const [key, texts] = findUnnamed(sheet, row);
      const id = idOf(sheet, texts);
      if (id !== null) refuseRemoval([id], NO_ROWS, this.log.state.queue);
      removed = Object.fromEntries(sheet.columns.map((column, index) => [column, texts[index] ?? '']));
      return { changes: [{ kind: 'drop', keys: [key] }] };
    }, op);
    return removed;
  }

  override async hasLost(snapshot: Pick<Snapshot, 'workers' | 'claims'>): Promise<boolean> {
    await this.sheetStore.refresh();
    return super.hasLost(snapshot);
  }

  private async registerAgain(): Promise<void> {
    const { registered: worker, log } = this;
    if (worker === null || !log.leases.isAlive(worker.owner)) return;
    if (log.state.queue.workers.some(({ owner }) => isSameWorker(owner, worker.owner))) return;
    await super.register(worker, { alone: false }, randomUUID());
  }

  /**
   * Waits until it is known of each owner whether it lives. Returns false if it was known, or if Redis refuses changes, also
   * those of this user alone: without renewals, it stays unknown.
   */
  private async settle(): Promise<boolean> {
    if (!this.hasUnknownOwner()) return false;
    do {
      try {
        await this.renewal.renew();
      } catch (error) {
        if (isRefusal(error)) return false;
        throw error;
      }
      await systemClock.sleep(this.settleMs / SETTLE_POLLS);
      await this.sheetStore.refresh();
    } while (this.hasUnknownOwner());
    return true;
  }

  private hasUnknownOwner(): boolean {
    const { claims, workers } = this.log.state.queue;
    const owners = [...claims.values(), ...workers].map(({ owner }) => owner);
    return owners.some((owner) => owner.kind === 'process' && this.log.leases.isUnknown(owner));
  }
}
