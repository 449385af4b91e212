import { SHOWN, type Shown } from '../../../src/domain/reasons/reason';

/** What happens to a task, or to all of them. */
export const EVENTS = [
  ...['claimed', 'started', 'success', 'review', 'error', 'transient', 'limit', 'blocked', 'permanent'],
  ...['cancelled', 'lost', 'released', 'retry', 'accept', 'cancel', 'answered', 'approved', 'seen', 'gone'],
  ...['missed', 'crash', 'power cut', 'freeze', 'disk full', 'clock ahead', 'clock back', 'sleep'],
  ...[
    'hand edit',
    'window edit',
    'hold',
    'resume',
    'checkpoint',
    'gate closed',
    'settings',
    'raised',
    'sent',
  ],
] as const;

/** Counts how often each event met a task in each state. */
export class Coverage {
  readonly counts = new Map<string, number>();

  note(shown: Shown, event: string): void {
    const key = `${shown}/${event}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** Adds what another history visited. */
  add(other: Coverage): void {
    for (const [key, count] of other.counts) this.counts.set(key, (this.counts.get(key) ?? 0) + count);
  }

  count(shown: Shown, event: string): number {
    return this.counts.get(`${shown}/${event}`) ?? 0;
  }

  /** Returns the pairs that were not visited and are not listed as unreachable. */
  missing(): string[] {
    return SHOWN.flatMap((shown) =>
      EVENTS.filter((event) => this.count(shown, event) === 0 && whyUnreachable(shown, event) === null).map(
        (event) => `${shown}/${event}`,
      ),
    );
  }
}

/** Events of an attempt: they meet only a task with a claim. */
const OF_ATTEMPT = [
  ...[
    'started',
    'success',
    'review',
    'error',
    'transient',
    'limit',
    'blocked',
    'permanent',
    'lost',
    'released',
  ],
];

/** Returns why an event cannot meet a task in a state; null: it can. */
export function whyUnreachable(shown: Shown, event: string): string | null {
  if (OF_ATTEMPT.includes(event) || event === 'cancelled') {
    if (shown === 'running' || shown === 'waiting') return null;
    return 'only a claimed task has an attempt, and it is shown as running, or as waiting when its worker has died';
  }
  if (event === 'claimed' && shown !== 'ready') return 'only a ready task is claimed';
  return null;
}
