import { DraftMap } from './draftMap';
import { inheritIds } from './highestId';
import type { QueueState } from './queueState';

const roots = new WeakMap<QueueState, QueueState>();

/**
 * Returns a state that can change without changing this one, and that costs nothing to make. It is valid until this one
 * changes.
 */
export function draftOf(state: QueueState): QueueState {
  const draft: QueueState = {
    ...state,
    tasks: new DraftMap(state.tasks),
    powers: new DraftMap(state.powers),
    claims: new DraftMap(state.claims),
    attemptCounts: new DraftMap(state.attemptCounts),
    attempts: [...state.attempts],
    starts: [...state.starts],
    costs: [...state.costs],
    outbox: new DraftMap(state.outbox),
    callbacks: new DraftMap(state.callbacks),
    turns: new DraftMap(state.turns),
    ops: new DraftMap(state.ops),
    askers: new DraftMap(state.askers),
    rowFacts: new DraftMap(state.rowFacts),
  };
  roots.set(draft, state);
  inheritIds(draft, state);
  return draft;
}

/** Returns the state that a draft was made of; the state itself if it is no draft. */
export function rootOf(state: QueueState): QueueState {
  return roots.get(state) ?? state;
}
