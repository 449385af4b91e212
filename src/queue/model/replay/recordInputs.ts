import { isDeepStrictEqual } from 'node:util';
import type { GateView } from '../../../domain/gate/gate';
import { choiceOf } from '../../../domain/order/choice';
import {
  decidingSettingsOf,
  rowFactsOf,
  type AskerFacts,
  type RowFacts,
} from '../../../domain/reasons/recordedInputs';
import { pick } from '../../../domain/pick';
import { approvable, isApproved, type FingerprintedRow } from '../../../domain/task/approval';
import type { Definition, TaskId } from '../../../domain/task/task';
import type { ClaimRequest } from '../../taskQueue';
import type { QueueEvent } from '../events';
import type { Row, RowSet } from '../rows';
import type { Step } from '../step';
import { factsOf, nameAsker } from '../state/inputsState';
import type { QueueState } from '../state/queueState';
import { findSplice } from '../state/splice';

type Changes = Omit<Extract<QueueEvent, { kind: 'inputs' }>, 'kind' | 'at' | 'op'>;

/**
 * Records what the decision about a request depends on, besides tasks and claims, as far as it differs from what was
 * recorded last. So the decision can be made again later; those of a copy are not.
 */
export function recordInputs(step: Step, request: ClaimRequest): void {
  const { state, rows, isKept } = step;
  if (!isKept) return;
  const changes: Changes = {
    ...changedInvalid(state, rows),
    ...changedRows(state, rows),
    ...changedAsker(state, rows, request),
  };
  if (Object.keys(changes).length > 0) step.record({ kind: 'inputs', ...changes });
}

/** Returns a plain value as it is read again. */
function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Compares with those of the asker: workers with different settings would take turns at recording theirs for ever. */
function changedRules({ inputs }: QueueState, before: AskerFacts, request: ClaimRequest): Changes {
  const settings = asStored(decidingSettingsOf(request.settings));
  const { timeZone } = request;
  return {
    ...(isDeepStrictEqual(before.settings ?? inputs?.settings, settings) ? {} : { settings }),
    ...((before.timeZone ?? inputs?.timeZone) === timeZone ? {} : { timeZone }),
  };
}

function changedInvalid({ inputs }: QueueState, { invalidIds }: RowSet): Changes {
  const before = inputs?.invalid ?? [];
  const isSame = before.length === invalidIds.size && before.every((id) => invalidIds.has(id));
  return isSame ? {} : { invalid: [...invalidIds] };
}

/** The order of rows that was recorded when these rows were last found to be as recorded. */
const compared = new WeakMap<RowSet, QueueState['rowOrder']>();

function changedRows(state: QueueState, rows: RowSet): Changes {
  if (rows.whole && compared.get(rows) === state.rowOrder) return {};
  const order = findSplice(
    state.rowOrder,
    rows.rows.map(({ definition }) => definition.id),
  );
  const changed = rows.rows.map((row) => factsOfRow(row, state)).filter((facts) => !isRecorded(state, facts));
  if (order === null && changed.length === 0) {
    compared.set(rows, state.rowOrder);
    return {};
  }
  return { ...(order === null ? {} : { order }), ...(changed.length === 0 ? {} : { rows: changed }) };
}

function isRecorded({ rowFacts }: QueueState, facts: RowFacts): boolean {
  const known = rowFacts.get(facts.id);
  return known !== undefined && textOf(known) === textOf(facts);
}

const texts = new WeakMap<RowFacts, string>();

/** Returns a text to compare. Facts of equal rows have their fields in one order, but those read from disk may not. */
function textOf(facts: RowFacts): string {
  const known = texts.get(facts);
  if (known !== undefined) return known;
  const pairs = Object.entries(facts).filter(([, value]) => value !== undefined);
  const text = JSON.stringify(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
  texts.set(facts, text);
  return text;
}

const factsByRow = new WeakMap<Definition, RowFacts>();

function factsOfRow({ definition, power }: Row, { powers }: QueueState): RowFacts {
  const facts = factsByRow.get(definition) ?? rowFactsOf(definition);
  factsByRow.set(definition, facts);
  return powers.get(definition.id) === power ? facts : { ...facts, unseen: true };
}

function changedAsker(state: QueueState, rows: RowSet, request: ClaimRequest): Changes {
  const worker = nameAsker(request.owner);
  const before = factsOf(state, worker);
  const now: AskerFacts = {
    machine: request.owner.machine,
    gate: asStored(gateFor(rows, request.gate)),
    trusted: request.approvedRows.trusted,
    unapproved: findUnapproved(rows, request),
  };
  const unapproved = findSplice(before.unapproved, now.unapproved);
  const choice = asStored(choiceOf(request));
  const rules = changedRules(state, before, request);
  const changes = {
    ...(isDeepStrictEqual(before.gate, now.gate) ? {} : { gate: now.gate }),
    ...(before.trusted === now.trusted ? {} : { trusted: now.trusted }),
    ...(unapproved === null ? {} : { unapproved }),
    ...(worker === null || isDeepStrictEqual(before.choice, choice) ? {} : { choice }),
  };
  const isSame = Object.keys({ ...changes, ...rules }).length === 0 && before.machine === now.machine;
  if (isSame && isKnown(worker, state) && request.clockJumpMs === undefined) return {};
  return {
    ...rules,
    asker: { worker, machine: now.machine, ...changes, ...pick(request, ['askingSince', 'clockJumpMs']) },
  };
}

/** Whether facts about the asker are recorded as its own. */
function isKnown(worker: string | null, { askers, inputs }: QueueState): boolean {
  if (worker === null) return inputs !== null;
  return askers.has(worker) && inputs?.worker !== undefined;
}

/**
 * Returns the gate without the folders of other queues. The models of those stay, each under its own name: a row in a
 * folder whose default is unknown depends on all known ones.
 */
function gateFor({ rows }: RowSet, gate: GateView): GateView {
  if (gate.defaultModels === undefined) return gate;
  const folders = new Set(rows.map(({ definition }) => definition.workingDir));
  const named = Object.entries(gate.defaultModels).map(([folder, model]) => [
    folders.has(folder) ? folder : model,
    model,
  ]);
  return { ...gate, defaultModels: Object.fromEntries(named) as Record<string, string> };
}

function findUnapproved({ rows }: RowSet, { approvedRows }: ClaimRequest): readonly TaskId[] {
  if (approvedRows.trusted) return [];
  return rows.flatMap(({ definition, power }) =>
    isApproved(fingerprintOf(definition, power), approvedRows) ? [] : [definition.id],
  );
}

const fingerprints = new WeakMap<Definition, { readonly of: string; readonly row: FingerprintedRow }>();

/** Returns `approvable` of a row. The hash of a row that stays the same is computed once. */
function fingerprintOf(definition: Definition, power: string): FingerprintedRow {
  const known = fingerprints.get(definition);
  if (known?.of === power) return known.row;
  const row = approvable(definition, power);
  fingerprints.set(definition, { of: power, row });
  return row;
}
