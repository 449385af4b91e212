import type { EpochMs } from '../../domain/time/epoch';
import type { GateView } from '../../domain/gate/gate';

/**
 * Counts the 5-hour usage windows that were used up, from looks at the gate. Windows that the first look shows were
 * used up before and do not count.
 * Many attempts meet the end of one window, and a later one may know its reset better. Until the latest reported
 * reset it is the same window.
 */
export class WindowCount {
  usedUp = 0;
  private countedUntil: EpochMs | null = null;

  see({ closures }: GateView): void {
    const isFirst = this.countedUntil === null;
    let countedUntil = this.countedUntil ?? 0;
    for (const { kind, since, until } of closures) {
      if (kind !== 'five_hour' || until === null) continue;
      if (!isFirst && since >= countedUntil) this.usedUp += 1;
      countedUntil = Math.max(countedUntil, until);
    }
    this.countedUntil = countedUntil;
  }
}
