import { Fenced, isProblem } from '../../domain/problem';
import type { StopCause } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';
import { ModelQueue } from '../model/modelQueue';
import type { RowContext } from '../row/rowContext';
import type { ClaimRef, Machine, OpId, Snapshot } from '../taskQueue';
import { RedisConnection, nameServer, type RedisServer } from './connection';
import { Heart } from './heart';
import { RedisKeys } from './keys';
import { LEASE_MS } from './leases';
import { RedisLog } from './redisLog';
import { RedisStore, type NumberedSheet, type RowsChange } from './redisStore';
import { watchLog } from './redisWatch';

/** Options of a queue in Redis. */
export interface RedisQueueOptions {
  readonly server: RedisServer;
  /** Name of the queue: part of its keys. */
  readonly queue: string;
  readonly machine: Machine;
  /** Returns the context in which rows are read. If the context changes, all rows are read again. */
  readonly rows: () => RowContext;
  /** Clock of a test; absent: Redis's. */
  readonly clock?: Pick<Clock, 'now'>;
}

/** Queue in Redis. */
export class RedisQueue extends ModelQueue {
  private constructor(
    private readonly sheetStore: RedisStore,
    private readonly log: RedisLog,
    private readonly heart: Heart,
  ) {
    super(sheetStore, log.leases);
  }

  /** Opens a queue. @throws Problem `redis-away`, `redis-refused` */
  static async open({ server, queue, machine, rows, clock }: RedisQueueOptions): Promise<RedisQueue> {
    const connection = await RedisConnection.open(server);
    const keys = new RedisKeys(queue);
    const name = `The queue ${queue} at ${nameServer(server)}`;
    const log = new RedisLog({ connection, keys, name, machine, ...(clock === undefined ? {} : { clock }) });
    const heart = new Heart(log, machine);
    const store = new RedisStore({
      log,
      rows,
      watch: (changed, signal) => {
        heart.watch(changed, signal);
        watchLog(server, keys, changed, signal);
      },
      owned: (owners) => {
        heart.own(owners);
      },
      close: async () => {
        await heart.end();
        connection.close();
      },
      archiveName: `${keys.archive} at ${nameServer(server)}`,
    });
    return new RedisQueue(store, log, heart);
  }

  /**
   * As `TaskQueue.renew`. While Redis does not answer, the claim stays the caller's for as long as its lease: after that
   * another worker may have the task.
   */
  override async renew(ref: ClaimRef, since: EpochMs): Promise<{ readonly stop?: StopCause }> {
    try {
      return await super.renew(ref, since);
    } catch (error) {
      if (isProblem(error, 'redis-away') && this.heart.sinceBeat() >= LEASE_MS) throw new Fenced(ref.id);
      throw error;
    }
  }

  /** Changes rows as `make` says of the newest sheet. Rows that are not valid are kept as they are. */
  changeRows(make: (sheet: NumberedSheet) => RowsChange, op: OpId): Promise<void> {
    return this.sheetStore.changeRows(make, op);
  }

  override async hasLost(snapshot: Pick<Snapshot, 'workers' | 'claims'>): Promise<boolean> {
    await this.log.look();
    return super.hasLost(snapshot);
  }
}
