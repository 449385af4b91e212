import {
  callbackKey,
  isDue,
  nextTry,
  type CallbackEntry,
  type CallbackRequest,
  type CallbackTry,
} from '../../domain/queue/callbacks';
import type { NoticeSender } from '../../domain/queue/noticeSender';
import type { Notice } from '../../domain/queue/notices';
import type { EpochMs } from '../../domain/time/epoch';
import type { CallbackRetry } from './events';
import type { Liveness } from './liveness';
import { isSameSender, mayStillSend } from './outbox';
import type { Step } from './step';

/** Whether this sender may send the callback now: it is due, and no other living process is about to send it. */
export function mayCall(
  entry: CallbackEntry,
  { sender, targets }: Pick<CallbackRequest, 'sender' | 'targets'>,
  liveness: Liveness,
  now: EpochMs,
): boolean {
  if (!isDue(entry, now) || !targets.includes(entry.callback.target)) return false;
  const other = entry.sender;
  return other === undefined || isSameSender(other, sender) || !mayStillSend(other, liveness);
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

/** Records tries, and a notice for each callback that is dropped. A try of a process that lost it counts only if it was delivered. */
export function settleCallbacks(step: Step, sender: NoticeSender, tries: readonly CallbackTry[]): void {
  const done: string[] = [];
  const again: CallbackRetry[] = [];
  const notices: Notice[] = [];
  for (const { key, host, failure } of tries) {
    const entry = step.state.callbacks.get(key);
    if (entry === undefined || (failure !== null && !isSentBy(entry, sender))) continue;
    const at = failure === null ? null : nextTry(entry.failures + 1, failure, step.now);
    if (at === null) done.push(key);
    else again.push({ key, at });
    if (at !== null || failure === null) continue;
    const { attemptId, target, attempt } = entry.callback;
    notices.push({ kind: 'callback-failed', id: attempt.id, attemptId, target, host, failure });
  }
  if (done.length + again.length > 0) step.record({ kind: 'called', done, again });
  if (notices.length > 0) step.record({ kind: 'raised', notices });
}

function isSentBy({ sender }: CallbackEntry, by: NoticeSender): boolean {
  return sender !== undefined && isSameSender(sender, by);
}
