import {
  callbackKey,
  type CallbackEntry,
  type CallbackRequest,
  type CallbackTry,
} from '../../domain/queue/callbacks';
import { isDue, isForMachine, nextTry } from '../../domain/queue/callbackTries';
import type { NoticeSender } from '../../domain/queue/noticeSender';
import { callbackNoticeKey, noticeKey, type Notice } from '../../domain/queue/notices';
import type { EpochMs } from '../../domain/time/epoch';
import type { CallbackRetry } from './events';
import type { Liveness } from './liveness';
import { isSameSender, mightBeSending } from './outbox';
import type { QueueState } from './state/queueState';
import type { Step } from './step';

/** Whether this sender may send the callback now: it is due on its machine, and no other living process is about to send it. */
export function mayCall(
  entry: CallbackEntry,
  { sender, targets }: Pick<CallbackRequest, 'sender' | 'targets'>,
  liveness: Liveness,
  now: EpochMs,
): boolean {
  if (!isDue(entry, now) || !isForMachine(entry, sender.machine, now)) return false;
  if (!targets.includes(entry.callback.target)) return false;
  const other = entry.sender;
  return other === undefined || isSameSender(other, sender) || !mightBeSending(other, liveness);
}

/** Gives due callbacks to a sender, the oldest first. */
export function claimCallbacks(
  step: Step,
  request: CallbackRequest,
  liveness: Liveness,
): readonly CallbackEntry[] {
  const { sender, limit } = request;
  const mine = [...step.state.callbacks.values()]
    .filter((entry) => mayCall(entry, request, liveness, step.now))
    .slice(0, limit);
  const keys = mine.filter((entry) => !isSentBy(entry, sender)).map(({ callback }) => callbackKey(callback));
  if (keys.length > 0) step.record({ kind: 'calling', sender, keys });
  return mine;
}

/**
 * Records tries, and a notice for each host that did not receive the last try. A host has one notice until it receives
 * something. A try of a process that lost it counts only if it was delivered.
 */
export function settleCallbacks(step: Step, sender: NoticeSender, tries: readonly CallbackTry[]): void {
  const done: string[] = [];
  const again: CallbackRetry[] = [];
  const notices = new Map<string, Notice>();
  const { callbacks, outbox } = step.state;
  for (const { key, host, failure } of tries) {
    const entry = callbacks.get(key);
    if (entry === undefined || (failure !== null && !isSentBy(entry, sender))) continue;
    const at = failure === null ? null : nextTry(entry.failures + 1, failure, step.now);
    if (at === null) done.push(key);
    else again.push({ key, at });
    if (at !== null || failure === null || notices.has(host)) continue;
    const { attemptId, target, attempt } = entry.callback;
    notices.set(host, { kind: 'callback-failed', id: attempt.id, attemptId, target, host, failure });
  }
  if (done.length + again.length > 0)
    step.record({ kind: 'called', done, again, ...findRecovered(step.state, tries) });
  const fresh = [...notices.values()].filter((notice) => !outbox.has(noticeKey(notice)));
  if (fresh.length > 0) step.record({ kind: 'raised', notices: fresh });
}

/** Returns the hosts with a notice to which something was delivered. The empty one is that of too many callbacks. */
function findRecovered(
  { outbox }: QueueState,
  tries: readonly CallbackTry[],
): { readonly recovered?: readonly string[] } {
  const hosts = tries.flatMap(({ host, failure }) => (failure === null ? [host, ''] : []));
  const recovered = [...new Set(hosts)].filter((host) => outbox.has(callbackNoticeKey(host)));
  return recovered.length === 0 ? {} : { recovered };
}

function isSentBy({ sender }: CallbackEntry, by: NoticeSender): boolean {
  return sender !== undefined && isSameSender(sender, by);
}
