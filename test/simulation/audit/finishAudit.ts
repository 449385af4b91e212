import { isClosedBy } from '../../../src/domain/gate/gateOpening';
import { findGateBlock } from '../../../src/domain/gate/limits';
import { decide, type Change } from '../../../src/domain/task/decide';
import type { Attempt } from '../../../src/domain/task/attempt';
import type { Claim } from '../../../src/domain/queue/view';
import { currentTask, type QueueState } from '../../../src/queue/model/state/queueState';
import type { Claude } from '../play/claude';
import { Violation } from '../play/violation';
import type { Owner } from './ownerAudit';
import type { Sources } from './sources';

interface Finish {
  readonly id: number;
  readonly token: number;
  readonly at: number;
  readonly change: Change;
  readonly attempt: Attempt;
}

/** Outcomes that a recovery gives a claim whose worker has died. */
const OF_RECOVERY = ['lost', 'cancelled', 'review'];

/** Checks the end of an attempt against its run and the rules, before it is applied. @throws Violation */
export function checkFinish(
  state: QueueState,
  finish: Finish,
  claude: Claude,
  sources: Sources,
  owner: Owner,
): void {
  const claim = state.claims.get(finish.id);
  const name = `task ${String(finish.id)}, attempt ${String(finish.attempt.number)}`;
  if (claim?.token !== finish.token) throw new Violation('one owner', `${name} was ended with an old token`);
  const run = claude.runs.find(({ job }) => job.attemptMark === claim.mark);
  const isRecovered = finish.attempt.note?.kind === 'owner-died' || finish.attempt.note?.kind === 'history-lost';
  if (isRecovered) {
    checkRecovery(claim, finish, claude);
  } else if (run?.verdict?.outcome !== finish.attempt.outcome || run.verdict.reason !== finish.attempt.reason) {
    const truth = run?.verdict === undefined || run.verdict === null ? 'no end' : run.verdict.outcome;
    throw new Violation('told as it was', `${name} is recorded as ${finish.attempt.outcome}; its run had ${truth}`);
  } else {
    checkChange(state, claim, finish, { run: run.verdict, sources, owner, name });
  }
}

function checkRecovery(claim: Claim, { attempt }: Finish, claude: Claude): void {
  const name = `task ${String(claim.id)}`;
  const run = claude.runs.find(({ job }) => job.attemptMark === claim.mark);
  if (run !== undefined && !run.worker.isDead)
    throw new Violation('one owner', `${name} was recovered while its worker lives`);
  if (run !== undefined && run.promptedAt !== null && !run.claude.isDead)
    throw new Violation('one owner', `${name} was recovered while its claude lives`);
  if (!OF_RECOVERY.includes(attempt.outcome))
    throw new Violation('told as it was', `${name} was recovered as ${attempt.outcome}`);
}

interface Around {
  readonly run: Parameters<typeof decide>[2];
  readonly sources: Sources;
  readonly owner: Owner;
  readonly name: string;
}

/** Fields that do not depend on when exactly it was decided. */
const EXACT = ['status', 'retryCount', 'resume', 'transientInRow', 'lostInRow', 'succeeded', 'counted', 'givenUp', 'code'] as const;

function checkChange(state: QueueState, claim: Claim, finish: Finish, around: Around): void {
  const { sources, owner, name } = around;
  // What the user changed meanwhile may be in the decision or not.
  if (owner.touchedSince(claim.id, claim.at) || owner.hasSteppedSince(finish.attempt.startedAt)) return;
  const definition = sources.sheets
    .since(Infinity)
    .concat(sources.sheets.newest)
    .flatMap(({ rows }) => rows.set.rows)
    .find((row) => row.definition.id === claim.id && row.power === claim.power)?.definition;
  const task = currentTask(state, claim.id);
  if (definition === undefined || task?.power !== claim.power) return;
  const wrongs = new Set<string>();
  for (const settings of sources.settings.since(owner.now, 300_000))
    for (const gate of sources.gates.since(owner.now)) {
      const { signal } = around.run;
      const isHeld = signal !== undefined && isClosedBy(gate, signal, finish.at, settings);
      const until = signal === undefined ? undefined : findGateBlock(gate, signal)?.until;
      const base = { settings, timeZone: 'UTC', isHeld, ...(isHeld && typeof until === 'number' ? { closedUntil: until } : {}) };
      const early = decide(definition, task, around.run, { ...base, now: finish.attempt.endedAt, random: 0 });
      const late = decide(definition, task, around.run, { ...base, now: finish.at, random: 1 });
      const wrong = compare(finish.change, early, late);
      if (wrong === null) return;
      wrongs.add(wrong);
    }
  throw new Violation('decided by the rule', `${name} (${finish.attempt.outcome}): ${[...wrongs].join('; ')}`);
}

function compare(change: Change, early: Change, late: Change): string | null {
  for (const field of EXACT) {
    if ((change[field] ?? null) !== (early[field] ?? null))
      return `${field} is ${String(change[field])}, not ${String(early[field])}`;
  }
  const isIn = (change.dueAt ?? 0) >= (early.dueAt ?? 0) - 5 && (change.dueAt ?? 0) <= (late.dueAt ?? 0) + 5;
  return isIn ? null : `it is due in ${String((change.dueAt ?? 0) - (early.dueAt ?? 0))} ms more than it should`;
}

