import { OPEN_GATE } from '../../../domain/gate/gate';
import type { AskerFacts, RecordedInputs } from '../../../domain/reasons/recordedInputs';
import type { LivingWorker, Owner, ProcessOwner, RegisteredWorker } from '../../../domain/queue/view';
import { pick } from '../../../domain/pick';
import type { QueueEvent } from '../events';
import { applySplice } from './splice';
import type { QueueState } from './queueState';

/** Most askers whose facts are kept apart. Workers that never unregister would add up. */
const MOST_ASKERS = 100;

const NOBODY: AskerFacts = { machine: '', gate: OPEN_GATE, trusted: false, unapproved: [] };

type InputsEvent = Extract<QueueEvent, { kind: 'inputs' }>;

/** Returns the name of a worker among all that ask for tasks; null for the user. */
export function nameAsker(owner: Owner): string | null {
  return owner.kind === 'process' ? JSON.stringify([owner.machine, owner.worker]) : null;
}

/** Returns the recorded facts about a worker or the user: their own, or else those of the last asker. */
export function factsOf({ askers, inputs }: QueueState, asker: string | null): AskerFacts {
  return (asker === null ? undefined : askers.get(asker)) ?? inputs?.asked ?? NOBODY;
}

/** Adds to workers what may run on their machines. */
export function withApprovals(
  { askers }: QueueState,
  workers: readonly RegisteredWorker[],
): readonly LivingWorker[] {
  return workers.map((worker) => {
    const facts = askers.get(nameAsker(worker.owner) ?? '');
    return facts === undefined ? worker : { ...worker, approvals: pick(facts, ['trusted', 'unapproved']) };
  });
}

/** Applies recorded inputs to the state. */
export function applyInputs(state: QueueState, event: InputsEvent): void {
  applyRows(state, event);
  const before: Partial<RecordedInputs> = state.inputs ?? {};
  const { settings = before.settings, timeZone = before.timeZone, invalid = before.invalid ?? [] } = event;
  const asked =
    event.asker === undefined
      ? before.asked
      : askedNow(state, event.asker, pick(event, ['settings', 'timeZone']));
  // The first event has everything.
  if (settings === undefined || timeZone === undefined || asked === undefined) return;
  state.inputs = { settings, timeZone, asked, invalid, ...lastWorker(event, asked, before) };
}

/** Forgets workers that left. */
export function forgetAskers({ askers }: QueueState, workers: readonly ProcessOwner[]): void {
  for (const worker of workers) askers.delete(nameAsker(worker) ?? '');
}

function applyRows(state: QueueState, { rows, order }: InputsEvent): void {
  for (const row of rows ?? []) state.rowFacts.set(row.id, row);
  if (order === undefined) return;
  const gone = new Set(state.rowOrder.slice(order.at, order.at + order.drop));
  for (const id of order.add) gone.delete(id);
  for (const id of gone) state.rowFacts.delete(id);
  state.rowOrder = applySplice(state.rowOrder, order);
}

function lastWorker(
  { asker }: InputsEvent,
  asked: AskerFacts,
  { worker }: Partial<RecordedInputs>,
): Pick<RecordedInputs, 'worker'> {
  if (asker !== undefined && asker.worker !== null) return { worker: asked };
  return worker === undefined ? {} : { worker };
}

function askedNow(
  state: QueueState,
  change: NonNullable<InputsEvent['asker']>,
  rules: Pick<InputsEvent, 'settings' | 'timeZone'>,
): AskerFacts {
  const before = factsOf(state, change.worker);
  const {
    machine,
    gate = before.gate,
    trusted = before.trusted,
    unapproved,
    choice = before.choice,
  } = change;
  const facts = {
    ...pick({ ...state.inputs, ...before, ...rules }, ['settings', 'timeZone']),
    ...{ machine, gate, trusted },
    ...(choice === undefined ? {} : { choice }),
    unapproved: unapproved === undefined ? before.unapproved : applySplice(before.unapproved, unapproved),
  };
  if (change.worker === null) return facts;
  state.askers.delete(change.worker);
  state.askers.set(change.worker, facts);
  if (state.askers.size > MOST_ASKERS) {
    const [oldest = ''] = state.askers.keys();
    state.askers.delete(oldest);
  }
  return facts;
}
