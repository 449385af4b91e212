import { explain } from '../../../src/domain/reasons/explain';
import { createWorld, type World } from '../../../src/domain/reasons/world';
import type { GateView } from '../../../src/domain/gate/gate';
import type { Settings } from '../../../src/domain/settings/settings';
import type { ApprovalSet } from '../../../src/domain/task/approval';
import { isSameWorker, type Claim } from '../../../src/domain/queue/view';
import type { Definition, TaskId } from '../../../src/domain/task/task';
import { viewQueue } from '../../../src/queue/model/queueView';
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

/**
 * Checks that a worker claimed the next task by the rule, before the claim is applied to the state. Returns the rows
 * that it may have claimed.
 */
export function checkClaim(
  state: QueueState,
  claim: Claim,
  at: number,
  {
    sources,
    now,
    options,
  }: { readonly sources: Sources; readonly now: number; readonly options: WorkerOptions | null },
): readonly Definition[] {
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
    const why = refuse(claim, worldOf(state, at, basis), options);
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

/** Whether an attempt was stopped for the task, which then starts in its place, out of turn. */
function isMadeWayFor(id: TaskId, { byId }: World): boolean {
  return [...byId.values()].some(
    ({ state: { lastNote } }) => lastNote?.kind === 'made-way' && lastNote.for === id,
  );
}

/** Returns why this claim is not the next by the rule; null: it is. */
function refuse(claim: Claim, world: World, options: WorkerOptions | null): string | null {
  const task = world.byId.get(claim.id);
  const name = `task ${String(claim.id)}`;
  if (task?.state.power !== claim.power) return `${name} has no such row`;
  const reason = explain(task, world);
  if (reason.state !== 'ready')
    return `${name} is ${reason.state} (${reason.causes.map(({ kind }) => kind).join()})`;
  if (task.definition.priority === 'critical' && isMadeWayFor(claim.id, world)) return null;
  const { queue, ...surroundings } = world;
  const request: ClaimRequest = {
    ...surroundings,
    ...(options?.priorities === undefined ? {} : { priorities: options.priorities }),
    ...{ owner: claim.owner, since: 0, freshSession: '' },
  };
  const next = nextByRule(queue as Snapshot, request, world.now);
  return next === claim.id ? null : `task ${String(next)} is before ${name}`;
}
