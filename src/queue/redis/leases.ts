import type { EpochMs } from '../../domain/time/epoch';
import type { QueueEvent } from '../model/events';
import type { Liveness, ProcessPlace } from '../model/liveness';
import type { Machine } from '../taskQueue';

/** Times of leases, in ms. */
export interface LeaseTimes {
  /** Length of a lease. */
  readonly leaseMs: number;
  /**
   * Time without a renewal after which a process ends its attempts: so much less than a lease that the last look, which
   * may take 9 s, and the end of Claude Code are over when others take the tasks.
   */
  readonly lateMs: number;
  /** Time after which a process renews its leases. */
  readonly renewEveryMs: number;
  /** Time between two renewals by any process up to which Redis was not away. */
  readonly longestGapMs: number;
  /** Time in which processes renew their leases after a gap. Their connections come back within this. */
  readonly settleMs: number;
}

/** Times of every queue, except in tests. */
export const LEASE_TIMES: LeaseTimes = {
  leaseMs: 30_000,
  lateMs: 20_000,
  renewEveryMs: 1_000,
  longestGapMs: 10_000,
  settleMs: 5_000,
};

/** Times of renewals by any process. */
interface Pulse {
  /** End of the last time without a gap before this one that was long enough to know who was dead; 0: there was none. */
  readonly knownUntil: EpochMs;
  /** Time since when leases were renewed without a gap; 0: never. */
  readonly steadySince: EpochMs;
  /** Time of the last renewal; 0: none. */
  readonly renewedAt: EpochMs;
}

/** Time after which an ended lease is removed, in ms. */
export const FORGET_MS = 24 * 3_600_000;

/** Returns the name of a process in the leases. */
export function nameOwner({ machine, process: { pid, startedAt } }: ProcessPlace): string {
  return JSON.stringify({ machine, process: { pid, startedAt } });
}

/**
 * Processes that work on the queue, on all machines. One is alive while its lease lasts; a process of this machine
 * also only while the system has it. A process without a lease is neither alive nor known to be dead, unless it is of
 * this machine.
 */
export class Leases implements Liveness {
  private ends = new Map<string, EpochMs>();
  private pulse: Pulse = { knownUntil: 0, steadySince: 0, renewedAt: 0 };
  private readAt = -Infinity;
  private readonly fenced = new Set<string>();

  /** @param now returns Redis's time */
  constructor(
    private readonly machine: Machine,
    private readonly now: () => EpochMs,
    private readonly times: LeaseTimes,
  ) {}

  /** Takes over what a script returned: leases as owner and end, one after the other, and the pulse. */
  update(flat: readonly unknown[], [known, from, at]: readonly unknown[]): void {
    const ends = new Map<string, EpochMs>();
    for (let index = 0; index + 1 < flat.length; index += 2)
      ends.set(String(flat[index]), Number(flat[index + 1]));
    this.ends = ends;
    this.readAt = this.now();
    this.pulse = { knownUntil: Number(known), steadySince: Number(from), renewedAt: Number(at) };
  }

  /** Notes the leases that an entry of the log started. */
  begin(names: readonly string[]): void {
    for (const name of names) this.ends.set(name, this.now() + this.times.leaseMs);
  }

  /** Whether what is known may be out of date: others renew their leases every `renewEveryMs`. */
  isStale(): boolean {
    return this.now() - this.readAt > this.times.renewEveryMs;
  }

  /** Names of the processes whose lease lasts, in order. */
  listAlive(): string[] {
    const now = this.now();
    return [...this.ends].flatMap(([name, end]) => (end > now ? [name] : [])).sort();
  }

  isAlive(owner: ProcessPlace): boolean {
    return this.hasLease(owner) && !this.isGoneHere(owner);
  }

  isDead(owner: ProcessPlace): boolean {
    return this.isGoneHere(owner) || this.endOf(owner) < this.knownUntil();
  }

  /** Whether the owner has no lease, but may be about to renew it. Known once leases were renewed for `settleMs`. */
  isUnknown(owner: ProcessPlace): boolean {
    return !this.isAlive(owner) && !this.isDead(owner);
  }

  /** Notes that the claim with this mark was refused, since the lease of this process had ended. */
  fence(mark: string): void {
    this.fenced.add(mark);
  }

  isFenced(mark: string): boolean {
    return this.fenced.has(mark);
  }

  /** On another machine only the lease of the owner is known: a worker that cannot renew it ends what it started. */
  mayStillRun(started: ProcessPlace): boolean {
    return this.isHere(started) && this.machine.isAlive(started.process);
  }

  private isGoneHere(place: ProcessPlace): boolean {
    return this.isHere(place) && !this.machine.isAlive(place.process);
  }

  private isHere({ machine }: ProcessPlace): boolean {
    return machine === this.machine.id;
  }

  private hasLease(owner: ProcessPlace): boolean {
    return this.endOf(owner) > this.now();
  }

  private endOf(owner: ProcessPlace): EpochMs {
    return this.ends.get(nameOwner(owner)) ?? 0;
  }

  /**
   * Returns the time before which a lease that ended is that of a dead process: a living one could have renewed it since.
   * That is now, unless nobody renewed a lease for so long that Redis may have been away.
   */
  private knownUntil(): EpochMs {
    const { knownUntil, steadySince, renewedAt } = this.pulse;
    const now = this.now();
    const steadyUntil = now - renewedAt > this.times.longestGapMs ? renewedAt : now;
    return steadyUntil - steadySince >= this.times.settleMs ? steadyUntil : knownUntil;
  }
}

/** Returns the processes that events make owners of a claim, of a place among the workers, or of something to send. */
export function ownersIn(events: readonly QueueEvent[]): ProcessPlace[] {
  return events.flatMap((event): ProcessPlace[] => {
    if (event.kind === 'claimed' && event.claim.owner.kind === 'process') return [event.claim.owner];
    if (event.kind === 'enlisted') return [event.worker.owner];
    return event.kind === 'sending' || event.kind === 'calling' ? [event.sender] : [];
  });
}
