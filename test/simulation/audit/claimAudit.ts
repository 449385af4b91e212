import { explain } from '../../../src/domain/reasons/explain';
import { createWorld, type World } from '../../../src/domain/reasons/world';
import type { GateView } from '../../../src/domain/gate/gate';
import type { Settings } from '../../../src/domain/settings/settings';
import type { ApprovalSet } from '../../../src/domain/task/approval';
import { isSameWorker, type Claim } from '../../../src/domain/queue/view';
import type { Definition } from '../../../src/domain/task/task';
import { viewQueue } from '../../../src/queue/model/queueView';
import type { QueueEvent } from '../../../src/queue/model/events';
import type { QueueState } from '../../../src/queue/model/state/queueState';
import type { ClaimRequest, Snapshot } from '../../../src/queue/taskQueue';
import { nextByRule } from '../../support/queue/nextByRule';
import { MACHINE_ID, type WorkerOptions } from '../program/host';
import { Violation } from '../play/violation';
import type { SheetVersion, Sources } from './sources';

/** Facts that a claim may be based on. */
interface Basis {
  readonly sheet: SheetVersion;
  readonly settings: Settings;
  readonly gate: GateView;
  readonly approvedRows: ApprovalSet;
}

type ClaimedEvent = Extract<QueueEvent, { kind: 'claimed' }>;

/** Most combinations of versions that are tried for one claim. */
const MOST_TRIES = 60;

/** Returns the world of a state at a time, by these versions. */
export function worldOf(state: QueueState, at: number, { sheet, ...rest }: Basis): World {
  const queue = viewQueue(state, sheet.rows.set);
  return createWorld({ ...rest, queue, now: at, timeZone: 'UTC', machine: MACHINE_ID });
}

/** Returns the newest version of everything. */
export function newestBasis(sources: Sources, at: number): Basis {
  const { sheets, settings, gates, approvals } = sources;
  return {
    sheet: sheets.newest,
    settings: settings.newest,
    gate: sources.withoutDead(gates.newest, at),
    approvedRows: approvals.newest,
  };
}

interface ClaimAround {
  readonly sources: Sources;
  readonly now: number;
  readonly options: WorkerOptions | null;
}

/**
 * Checks that a worker claimed the next task by the rule, before the claim is applied to the state. Returns the rows
 * that it may have claimed.
 */
export function checkClaim(
  state: QueueState,
  event: ClaimedEvent,
  { sources, now, options }: ClaimAround,
): readonly Definition[] {
  const { claim, at } = event;
  if (state.claims.has(claim.id))
    throw new Violation('one owner', `task ${String(claim.id)} was claimed twice`);
  if (claim.token <= state.token) throw new Violation('one owner', `token ${String(claim.token)} is not new`);
  const { owner } = claim;
  if (owner.kind === 'process' && state.stopping.some((one) => isSameWorker(one, owner)))
    throw new Violation('stops when asked', `task ${String(claim.id)} was claimed after a stop`);
  const whys = new Set<string>();
  const rows: Definition[] = [];
  let tries = 0;
  let isRight = false;
  for (const basis of basesOf(sources, now, at)) {
    tries += 1;
    if (tries > MOST_TRIES || isRight) break;
    const why = refuse(event, worldOf(state, at, basis), options);
    if (why === null) isRight = true;
    else whys.add(why);
  }
  for (const { rows: version } of sources.sheets.since(now, sources.slackMs)) {
    const row = version.set.rows.find(
      ({ definition, power }) => definition.id === claim.id && power === claim.power,
    );
    if (row !== undefined) rows.push(row.definition);
  }
  if (!isRight) throw new Violation('next by the rule', [...whys].join('; '));
  return rows;
}

function* basesOf(sources: Sources, now: number, at: number): Generator<Basis> {
  const { sheets, settings, gates, approvals, slackMs } = sources;
  // A probe may have died since the worker looked.
  const views = gates.since(now, slackMs).flatMap((gate) => {
    const living = sources.withoutDead(gate, at);
    return living === gate ? [gate] : [living, gate];
  });
  for (const sheet of sheets.since(now, slackMs))
    for (const gate of views)
      for (const approvedRows of approvals.since(now, slackMs))
        for (const one of settings.since(now, slackMs)) yield { sheet, gate, approvedRows, settings: one };
}

/** Returns why the task of a claim is not ready; null: it is. */
function refuseUnready(claim: Claim, world: World): string | null {
  const task = world.byId.get(claim.id);
  const name = `task ${String(claim.id)}`;
  if (task?.state.power !== claim.power) return `${name} has no such row`;
  const { state, causes } = explain(task, world);
  return state === 'ready' ? null : `${name} is ${state} (${causes.map(({ kind }) => kind).join()})`;
}

/**
 * Returns why a worker may not claim a task by its id; null: it may. It does so only for a critical task, in the place of an
 * attempt that was to be stopped for it and may have ended by itself meanwhile.
 */
function refuseNamed(claim: Claim, world: World): string | null {
  const { settings, byId } = world;
  const isUrgent = byId.get(claim.id)?.definition.priority === 'critical' && settings.preempt !== 'off';
  return isUrgent ? refuseUnready(claim, world) : `task ${String(claim.id)} was claimed out of turn`;
}

/** Returns why this claim is not the next by the rule; null: it is. */
function refuse({ claim, choice }: ClaimedEvent, world: World, options: WorkerOptions | null): string | null {
  if (choice?.id === claim.id) return refuseNamed(claim, world);
  const unready = refuseUnready(claim, world);
  if (unready !== null) return unready;
  const { queue, ...surroundings } = world;
  const request: ClaimRequest = {
    ...surroundings,
    ...(options?.priorities === undefined ? {} : { priorities: options.priorities }),
    ...{ owner: claim.owner, since: 0, freshSession: '' },
  };
  const next = nextByRule(queue as Snapshot, request, world.now);
  return next === claim.id ? null : `task ${String(next)} is before task ${String(claim.id)}`;
}
