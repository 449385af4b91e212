import type { ShownState } from '../../../src/domain/reasons/reason';
import type { EventName } from './coverage';

/** Events, some states, and a reason. */
type Entry = readonly [readonly EventName[], readonly ShownState[], string];

/** States of a task whose last run is in review, as they are shown. One that is tried again has failed. */
const ACCEPTED: readonly ShownState[] = [
  ...(['review', 'scheduled', 'ready', 'waiting', 'blocked', 'stuck', 'unapproved'] as const),
  ...(['invalid', 'dead'] as const),
];

/** Events that meet only tasks in some states, with these states and the reason. */
const ONLY: readonly Entry[] = [
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
  [['made way'], ['running', 'invalid'], 'only an attempt that runs is stopped for another'],
  [
    ['adopted'],
    ['unapproved', 'ready', 'scheduled', 'blocked', 'waiting'],
    'a history is adopted before anything has ended, of a file whose rows are right',
  ],
];

/** States that an event leaves out, with the reason. */
const NEVER: readonly Entry[] = [
  [['retry', 'commented'], ['running'], 'a running task is neither retried nor commented on'],
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
export function whyUnreachable(shown: ShownState, event: EventName): string | null {
  const only = ONLY.find(([events, states]) => events.includes(event) && !states.includes(shown));
  const never = NEVER.find(([events, states]) => events.includes(event) && states.includes(shown));
  return only?.[2] ?? never?.[2] ?? null;
}
