import { SHOWN_STATES, type ShownState } from '../../../src/domain/reasons/reason';
import { JOURNAL_EVENTS } from './journalEvents';
import { whyUnreachable } from './unreachable';

/** Events that are not in the journal, or not alone: of the file, of the user and of the machine. */
const OTHER_EVENTS = [
  ...(['checkpoint', 'settings', 'hand edit', 'window edit'] as const),
  ...(['crash', 'power cut', 'freeze', 'disk full', 'clock ahead', 'clock back', 'sleep'] as const),
] as const;

/** Events of a task, or of all of them. */
export const EVENTS = [...JOURNAL_EVENTS, ...OTHER_EVENTS] as const;
export type EventName = (typeof EVENTS)[number];

/** Counts how often each event met a task in each state. */
export class Coverage {
  readonly counts = new Map<string, number>();
  /** Pairs that were visited while nothing had changed for a while: a process may act on an earlier version. */
  readonly sure = new Set<string>();

  note(shown: ShownState, event: EventName, isSure = false): void {
    const key = `${shown}/${event}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    if (isSure) this.sure.add(key);
  }

  /** Adds what another history visited. */
  add(other: Pick<Coverage, 'counts' | 'sure'>): void {
    for (const [key, count] of other.counts) this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    for (const key of other.sure) this.sure.add(key);
  }

  count(shown: ShownState, event: EventName): number {
    return this.counts.get(`${shown}/${event}`) ?? 0;
  }

  /** Returns the pairs that were visited although they are listed as unreachable. */
  contradictions(): string[] {
    return [...this.sure].filter((key) => {
      const [shown, event] = key.split('/');
      return whyUnreachable(shown as ShownState, event as EventName) !== null;
    });
  }

  /** Returns the pairs that were not visited and are not listed as unreachable. */
  missing(): string[] {
    return SHOWN_STATES.flatMap((shown) =>
      EVENTS.filter((event) => this.count(shown, event) === 0 && whyUnreachable(shown, event) === null).map(
        (event) => `${shown}/${event}`,
      ),
    );
  }
}
