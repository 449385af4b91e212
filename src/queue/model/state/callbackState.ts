import { callbacksOf } from '../../../domain/queue/attemptCallbacks';
import { callbackKey, type CallbackEntry } from '../../../domain/queue/callbacks';
import { callbackNoticeKey } from '../../../domain/queue/notices';
import type { Claim } from '../../../domain/queue/view';
import type { QueueEvent } from '../events';
import { putNotice } from './outboxState';
import type { QueueState } from './queueState';

type Of<K extends QueueEvent['kind']> = Extract<QueueEvent, { readonly kind: K }>;

/** Most callbacks that are kept. */
const MOST_ENTRIES = 1_000;

/** Adds the callbacks of an attempt that ends. */
export function putCallbacks(state: QueueState, claim: Claim, event: Of<'finished'>): void {
  const { callbacks, mark, owner } = claim;
  if (callbacks === undefined) return;
  for (const callback of callbacksOf(callbacks, { attemptId: mark, machine: owner.machine }, event)) {
    state.callbacks.set(callbackKey(callback), { callback, failures: 0, nextAt: event.at });
  }
  for (const [key, entry] of state.callbacks) {
    if (state.callbacks.size <= MOST_ENTRIES) return;
    state.callbacks.delete(key);
    reportDropped(state, entry, event);
  }
}

function reportDropped(state: QueueState, { callback }: CallbackEntry, { at }: Of<'finished'>): void {
  const { attemptId, target, attempt } = callback;
  const dropped = { id: attempt.id, attemptId, target, host: '', failure: { kind: 'too-many' } } as const;
  putNotice(state, { kind: 'callback-failed', ...dropped }, at);
}

/** Removes callbacks, also those of claims: their addresses were approved elsewhere. */
export function forgetCallbacks(state: QueueState): void {
  state.callbacks.clear();
  for (const [id, { callbacks: _, ...claim }] of state.claims) state.claims.set(id, claim);
}

/** Applies an event of the callbacks to the state. */
export function applyToCallbacks({ callbacks, outbox }: QueueState, event: Of<'calling' | 'called'>): void {
  if (event.kind === 'calling') {
    for (const key of event.keys) change(callbacks, key, (entry) => ({ ...entry, sender: event.sender }));
    return;
  }
  for (const key of event.done) callbacks.delete(key);
  for (const host of event.recovered ?? []) outbox.delete(callbackNoticeKey(host));
  for (const { key, at } of event.again) {
    change(callbacks, key, ({ sender: _, ...entry }) => ({
      ...entry,
      failures: entry.failures + 1,
      nextAt: at,
    }));
  }
}

function change(
  callbacks: QueueState['callbacks'],
  key: string,
  update: (entry: CallbackEntry) => CallbackEntry,
): void {
  const entry = callbacks.get(key);
  if (entry !== undefined) callbacks.set(key, update(entry));
}
