import { OUTCOMES } from '../../../src/domain/task/attempt';
import type { Notice } from '../../../src/domain/queue/notices';
import type { TaskId } from '../../../src/domain/task/task';
import type { QueueEvent } from '../../../src/queue/model/events';
import type { Verb } from '../../../src/queue/taskQueue';

const VERBS = { retry: 'retry', accept: 'accept', cancel: 'cancel' } as const satisfies Readonly<
  Record<Verb, Verb>
>;

/** Names of the events of each kind in the journal. A new kind must get its names here: without them this does not compile. */
const NAMES = {
  seen: ['seen'],
  gone: ['gone'],
  claimed: ['claimed'],
  inputs: ['inputs'],
  started: ['started'],
  finished: [...OUTCOMES, 'made way', 'gate closed'],
  released: ['released'],
  commanded: Object.values(VERBS),
  answered: ['answered'],
  commented: ['commented'],
  undone: ['undone'],
  approved: ['approved'],
  held: ['hold'],
  resumed: ['resume'],
  missed: ['missed'],
  adopted: ['adopted'],
  scheduled: ['timer set'],
  'timer-started': ['timer start'],
  stop: ['stop'],
  enlisted: ['worker starts'],
  left: ['worker leaves'],
  raised: ['raised', 'queue notice'],
  sending: ['sending'],
  sent: ['sent'],
  calling: ['calling'],
  called: ['called'],
} as const satisfies Readonly<Record<QueueEvent['kind'], readonly string[]>>;
export type JournalEventName = (typeof NAMES)[QueueEvent['kind']][number];

/** All names of events in the journal. */
export const JOURNAL_EVENTS: readonly JournalEventName[] = Object.values(NAMES).flat();

/** An event as the tasks meet it. */
export interface Met {
  readonly name: JournalEventName;
  /** Tasks that it is about; absent: all meet it. */
  readonly ids?: readonly TaskId[];
}

/** Returns the names under which tasks meet an event. */
export function meetingsOf(event: QueueEvent): readonly Met[] {
  switch (event.kind) {
    case 'seen':
      return [{ name: 'seen', ids: event.rows.map(({ id }) => id) }];
    case 'gone':
    case 'approved':
      return [{ name: event.kind, ids: event.ids }];
    case 'claimed':
      return [{ name: 'claimed', ids: [event.claim.id] }];
    case 'started':
    case 'released':
    case 'answered':
    case 'commented':
    case 'undone':
    case 'missed':
      return [{ name: event.kind, ids: [event.id] }];
    case 'finished':
      return meetingsOfEnd(event);
    case 'commanded':
      return [{ name: event.verb, ids: [event.id] }];
    case 'raised':
      return meetingsOfNotices(event.notices);
    default:
      return [{ name: NAMES[event.kind][0] }];
  }
}

function meetingsOfEnd({ id, attempt }: Extract<QueueEvent, { readonly kind: 'finished' }>): Met[] {
  const isClosing = attempt.outcome === 'limit' || attempt.outcome === 'blocked';
  return [
    { name: attempt.outcome, ids: [id] },
    ...(attempt.note?.kind === 'made-way' ? [{ name: 'made way', ids: [id] } as const] : []),
    ...(isClosing ? [{ name: 'gate closed' } as const] : []),
  ];
}

/** The end of an attempt raises a notice of its task. All others are about the queue. */
function meetingsOfNotices(notices: readonly Notice[]): Met[] {
  const ids = notices.flatMap((notice) => ('attempt' in notice ? [notice.id] : []));
  return [
    ...(ids.length > 0 ? [{ name: 'raised', ids } as const] : []),
    ...(ids.length < notices.length ? [{ name: 'queue notice' } as const] : []),
  ];
}
