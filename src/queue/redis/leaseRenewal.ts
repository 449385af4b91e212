import { isProblem } from '../../domain/problem';
import type { Machine } from '../taskQueue';
import type { ProcessPlace } from '../model/liveness';
import { nameOwner, type LeaseTimes } from './leases';
import type { RedisLog } from './redisLog';

/** Renews the leases of the processes that this store made owners, and reports when others begin or end. */
export class LeaseRenewal {
  private readonly owned = new Map<string, ProcessPlace>();
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | null = null;
  private renewing: Promise<void> = Promise.resolve();
  private renewedAt = performance.now();
  private lastAlive = '';

  constructor(
    private readonly log: RedisLog,
    private readonly machine: Machine,
    private readonly times: LeaseTimes,
  ) {}

  /** Renews the leases of these processes from now on. */
  own(places: readonly ProcessPlace[]): void {
    for (const place of places) this.owned.set(nameOwner(place), place);
    if (places.length > 0) this.start();
  }

  /** Calls back when the lease of a process begins or ends, until the signal is aborted. */
  watch(changed: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.listeners.add(changed);
    signal.addEventListener('abort', () => this.listeners.delete(changed), { once: true });
    this.start();
  }

  /** Whether the leases were not renewed for so long that this process must end its attempts. */
  isLate(): boolean {
    return performance.now() - this.renewedAt >= this.times.lateMs;
  }

  /** Renews the leases now. @throws Problem `redis-away`, `redis-refused` */
  async renew(): Promise<void> {
    const living = [...this.owned].flatMap(([name, place]) => (this.isGoneHere(place) ? [] : [name]));
    const sentAt = performance.now();
    await this.log.renewLeases(living);
    this.renewedAt = sentAt;
  }

  /** Stops. The leases end by themselves: the processes may still live. */
  async end(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.renewing;
  }

  private start(): void {
    if (this.timer !== null) return;
    this.renewedAt = performance.now();
    let isRenewing = false;
    this.timer = setInterval(() => {
      if (isRenewing) return;
      isRenewing = true;
      this.renewing = this.tryToRenew().finally(() => {
        isRenewing = false;
      });
    }, this.times.renewEveryMs).unref();
  }

  private isGoneHere({ machine, process }: ProcessPlace): boolean {
    return machine === this.machine.id && !this.machine.isAlive(process);
  }

  private async tryToRenew(): Promise<void> {
    try {
      await this.renew();
    } catch (error) {
      // The calls of the queue report it.
      if (isProblem(error)) return;
      throw error;
    }
    const alive = this.log.leases.listAlive().join('\n');
    if (alive === this.lastAlive) return;
    this.lastAlive = alive;
    for (const changed of this.listeners) changed();
  }
}
