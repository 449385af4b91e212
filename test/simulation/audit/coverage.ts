import { SHOWN_STATES, type ShownState } from '../../../src/domain/reasons/reason';

/** Events of a task, or of all of them. */
export const EVENTS = [
  ...['claimed', 'started', 'success', 'review', 'error', 'transient', 'limit', 'blocked', 'permanent'],
  ...['cancelled', 'lost', 'released', 'retry', 'accept', 'cancel', 'answered', 'approved', 'seen', 'gone'],
  ...['missed', 'raised', 'hold', 'resume', 'gate closed', 'checkpoint', 'settings', 'hand edit'],
  ...['window edit', 'crash', 'power cut', 'freeze', 'disk full', 'clock ahead', 'clock back', 'sleep'],
] as const;

/** Counts how often each event met a task in each state. */
export class Coverage {
  readonly counts = new Map<string, number>();
  /** Pairs that were visited while nothing had changed for a while: a process may act on an earlier version. */
  readonly sure = new Set<string>();

  note(shown: ShownState, event: string, isSure = false): void {
    const key = `${shown}/${event}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    if (isSure) this.sure.add(key);
  }

  /** Adds what another history visited. */
  add(other: Pick<Coverage, 'counts' | 'sure'>): void {
    for (const [key, count] of other.counts) this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    for (const key of other.sure) this.sure.add(key);
  }

  count(shown: ShownState, event: string): number {
    return this.counts.get(`${shown}/${event}`) ?? 0;
  }

  /** Returns the pairs that were visited although they are listed as unreachable. */
  contradictions(): string[] {
    return [...this.sure].filter((key) => {
      const [shown, event = ''] = key.split('/');
      return whyUnreachable(shown as ShownState, event) !== null;
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

/** States of a task whose last run is in review, as they are shown. One that is tried again has failed. */
const ACCEPTED: readonly ShownState[] = [
  ...(['review', 'scheduled', 'ready', 'waiting', 'blocked', 'stuck', 'unapproved'] as const),
  ...(['invalid', 'dead'] as const),
];

/** Events that meet only tasks in some states, with these states and the reason. */
const ONLY: readonly (readonly [readonly string[], readonly ShownState[], string])[] = [
  [['claimed'], ['ready'], 'only a ready task is claimed, also when the gate closes right then'],
  [
    ['started', 'success', 'review', 'error', 'transient', 'limit', 'blocked', 'permanent'],
    ['running', 'invalid'],
    'a task with a claim is shown as running, unless its row cannot be read',
  ],
  [
    ['cancelled', 'lost', 'released'],
    ['running', 'invalid'],
    'a task with a claim is shown as running, unless its row cannot be read',
  ],
  [
    ['accept'],
    ['completed', ...ACCEPTED],
    'only what is in review, or succeeded, is accepted: also a repeating task, which is pending already',
  ],
  [
    ['answered'],
    ACCEPTED,
    'only what is in review is answered: also a repeating task, which is pending already',
  ],
  [
    ['missed'],
    ['scheduled', 'ready', 'waiting', 'unapproved', 'blocked', 'stuck'],
    'only a pending task that waits for its next repetition misses times: not one that is tried again',
  ],
  [
    ['raised'],
    ['review', 'dead', 'scheduled', 'ready', 'waiting', 'blocked', 'stuck', 'unapproved', 'invalid'],
    'nobody is notified of a task that is completed, cancelled or tried again, and an end is recorded before its notice',
  ],
];

/** States that an event leaves out, with the reason. */
const NEVER: readonly (readonly [readonly string[], readonly ShownState[], string])[] = [
  [['retry'], ['running'], 'a running task is not retried'],
  [['gate closed'], ['ready'], 'the gate is closed before the end of the attempt that closed it is recorded'],
  [['approved', 'seen'], ['invalid'], 'only rows that can be read are approved, or give their cells'],
  [
    ['approved'],
    ['completed', 'review', 'cancelled'],
    'only a row that is pending again is approved in the queue',
  ],
  [['cancel'], ['completed'], 'a completed task is not cancelled'],
  [['answered'], ['invalid'], 'only a row that can be read is asked for its question'],
];

/** Returns why an event cannot meet a task in a state; null: it can. */
export function whyUnreachable(shown: ShownState, event: string): string | null {
  const only = ONLY.find(([events, states]) => events.includes(event) && !states.includes(shown));
  const never = NEVER.find(([events, states]) => events.includes(event) && states.includes(shown));
  return only?.[2] ?? never?.[2] ?? null;
}
