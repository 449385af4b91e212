import {
  isRaisedByObserver,
  isOutOfDate,
  NOTICE_CHANNELS,
  noticeKey,
  type Notice,
  type NoticedTask,
  type OutboxEntry,
} from '../../../domain/queue/notices';
import type { EpochMs } from '../../../domain/time/epoch';
import type { QueueEvent } from '../events';
import { closeBatch } from './batch';
import { currentTask, type QueueState } from './queueState';

type Of<K extends QueueEvent['kind']> = Extract<QueueEvent, { readonly kind: K }>;

/** Most notices about deadlines that are kept, and most of those that are not observed again. */
const MOST_ENTRIES = 1_000;

/** Most notices of one kind that are kept of those that are observed and not about one row. */
const MOST_OF_KIND = 20;

function isLimited(notice: Notice): boolean {
  return isRaisedByObserver(notice) && !('power' in notice);
}

/** Applies an event of the outbox to the state. */
export function applyToOutbox(state: QueueState, event: Of<'raised' | 'sending' | 'sent'>): void {
  switch (event.kind) {
    case 'raised':
      for (const notice of event.notices) putNotice(state, notice, event.at);
      break;
    case 'sending':
      for (const key of event.keys) {
        const entry = state.outbox.get(key);
        if (entry === undefined) continue;
        state.outbox.set(key, { ...entry, senders: { ...entry.senders, [event.channel]: event.sender } });
      }
      break;
    case 'sent':
      for (const key of event.keys) settle(state, key, event);
      break;
  }
  for (const [key, { notice }] of state.outbox) {
    if (isOutOfDate(notice, findTask(state, notice))) state.outbox.delete(key);
  }
}

/** Adds a notice, unless it is there already. */
export function putNotice(state: QueueState, notice: Notice, at: EpochMs): void {
  const { outbox } = state;
  const key = noticeKey(notice);
  if (outbox.has(key)) return;
  if (notice.kind === 'all-done') {
    closeBatch(state);
    dropOldest(outbox, 0, (one) => one.kind === 'all-done');
  }
  if (isLimited(notice)) dropOldest(outbox, MOST_OF_KIND - 1, (one) => one.kind === notice.kind);
  else if (!isRaisedByObserver(notice))
    dropOldest(outbox, MOST_ENTRIES - 1, (one) => !isRaisedByObserver(one));
  else if (!makeRoom(state)) return;
  outbox.set(key, { notice, at, senders: {}, sent: [] });
}

/** Returns how many notices about deadlines can be added. Those of rows that are gone make room for others. */
export function countRoom(state: QueueState): number {
  const kept = listDeadlines(state).filter(({ notice }) => findTask(state, notice) !== undefined);
  return Math.max(0, MOST_ENTRIES - kept.length);
}

/** A notice of a row that is there would be sent again if it was dropped. A new one waits until there is room. */
function makeRoom(state: QueueState): boolean {
  const deadlines = listDeadlines(state);
  if (deadlines.length < MOST_ENTRIES) return true;
  const gone = deadlines.filter(({ notice }) => findTask(state, notice) === undefined);
  for (const { notice } of gone) state.outbox.delete(noticeKey(notice));
  return gone.length > 0;
}

/** Whether a notice is about a deadline: missed, or at risk. */
export function isAboutDeadline(notice: Notice): boolean {
  return 'by' in notice;
}

function listDeadlines({ outbox }: QueueState): OutboxEntry[] {
  return [...outbox.values()].filter(({ notice }) => isAboutDeadline(notice));
}

function dropOldest(outbox: QueueState['outbox'], most: number, isOne: (notice: Notice) => boolean): void {
  const keys = [...outbox].filter(([, { notice }]) => isOne(notice)).map(([key]) => key);
  for (const key of keys.slice(0, Math.max(0, keys.length - most))) outbox.delete(key);
}

function settle({ outbox }: QueueState, key: string, { channel }: Of<'sent'>): void {
  const entry = outbox.get(key);
  if (entry === undefined || entry.sent.includes(channel)) return;
  const sent = [...entry.sent, channel];
  if (NOTICE_CHANNELS.every((one) => sent.includes(one)) && !isRaisedByObserver(entry.notice))
    outbox.delete(key);
  else outbox.set(key, { ...entry, sent });
}

/** Returns the current state of the task that a notice is about. */
export function findTask(state: QueueState, notice: Notice): NoticedTask | undefined {
  if (!('power' in notice)) return undefined;
  const { id } = notice;
  const task = currentTask(state, id);
  if (task === undefined) return undefined;
  return { state: task, attempts: state.attemptCounts.get(id) ?? 0, claim: state.claims.get(id) };
}
