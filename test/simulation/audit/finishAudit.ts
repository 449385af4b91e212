import { isClosedBy } from '../../../src/domain/gate/gateOpening';
import { findGateBlock, type GateView } from '../../../src/domain/gate/gate';
import { decide, type Change, type Circumstances } from '../../../src/domain/task/decide';
import { MADE_WAY, type Attempt, type Verdict } from '../../../src/domain/task/attempt';
import type { Definition } from '../../../src/domain/task/task';
import { isEndUnknown } from '../../../src/domain/task/runTime';
import type { Settings } from '../../../src/domain/settings/settings';
import type { Claim } from '../../../src/domain/queue/view';
import { currentTask, type QueueState } from '../../../src/queue/model/state/queueState';
import type { Claude, Run } from '../play/claude';
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
export function checkFinish(state: QueueState, finish: Finish, around: FinishAround): void {
  const { id, token, attempt } = finish;
  const claim = state.claims.get(id);
  const name = `task ${String(id)}, attempt ${String(attempt.number)}`;
  if (claim?.token !== token) throw new Violation('one owner', `${name} was ended with an old token`);
  const run = around.claude.runs.find(({ job }) => job.attemptMark === claim.mark);
  if (isEndUnknown(attempt)) {
    checkRecovery(run, finish);
    const lost: Verdict = { ...attempt, denials: [], usage: [], exitCode: null };
    checkChange(state, claim, finish, { ...around, verdict: lost, name });
    return;
  }
  if (attempt.endedAt < attempt.startedAt)
    throw new Violation('recorded as it was', `${name} ended before it started`);
  const verdict = requireVerdict(run, attempt, name, around.wasCancelled(claim.mark));
  if (around.ranOnAfterCancel(claim.mark) && verdict.outcome !== 'cancelled')
    throw new Violation('stops when asked', `${name} ran on after you cancelled it`);
  if (attempt.note?.kind === 'made-way') checkMadeWay(claim, name, around);
  checkChange(state, claim, finish, { ...around, verdict, name });
}

/** An attempt is stopped for a critical task only where the user allows that, and never a critical one. */
function checkMadeWay({ priority }: Claim, name: string, { sources, owner }: FinishAround): void {
  if (sources.settings.since(owner.now, 300_000).every(({ preempt }) => preempt === 'off'))
    throw new Violation('next by the rule', `${name} was stopped for a critical task, which is off`);
  if (priority === 'critical')
    throw new Violation('next by the rule', `${name} is critical and was stopped for another task`);
}

/**
 * Returns the verdict of a run whose worker recorded it. One that was making way for another task counts as cancelled if the
 * user cancelled it meanwhile. @throws Violation if it recorded another
 */
function requireVerdict(
  run: Run | undefined,
  { outcome, reason }: Attempt,
  name: string,
  wasCancelled: boolean,
): Verdict {
  const truth = run?.verdict ?? null;
  const isOther = truth?.reason !== reason && !(wasCancelled && truth?.reason === MADE_WAY);
  if (truth?.outcome === outcome && !isOther) return { ...truth, reason };
  throw new Violation(
    'recorded as it was',
    `${name} is recorded as ${outcome}; its run had ${truth?.outcome ?? 'no end'}`,
  );
}

/** Facts for the check of an end besides the state. */
export interface FinishAround {
  /** Whether the user cancelled the task of a claim while that lasted. */
  wasCancelled(mark: string): boolean;
  /** Whether the run of a claim continued for long after the user cancelled it. */
  ranOnAfterCancel(mark: string): boolean;
  readonly claude: Claude;
  readonly sources: Sources;
  readonly owner: Owner;
}

function checkRecovery(run: Run | undefined, { id, attempt }: Finish): void {
  const name = `task ${String(id)}`;
  if (run?.worker.isDead === false)
    throw new Violation('one owner', `${name} was recovered while its worker lives`);
  if (run?.claude.isDead === false && run.promptedAt !== null)
    throw new Violation('one owner', `${name} was recovered while its claude lives`);
  if (!OF_RECOVERY.includes(attempt.outcome))
    throw new Violation('recorded as it was', `${name} was recovered as ${attempt.outcome}`);
}

interface Around extends FinishAround {
  readonly verdict: Verdict;
  readonly name: string;
}

/** Fields that do not depend on when exactly it was decided. */
const EXACT = [
  ...(['status', 'retryCount', 'resume', 'transientInRow', 'lostInRow'] as const),
  ...(['succeeded', 'counted', 'givenUp', 'code'] as const),
];

/** Compares a decision with the rules, for each of the settings and gates that the process may have used. */
function checkChange(state: QueueState, claim: Claim, finish: Finish, around: Around): void {
  const { sources, owner, name } = around;
  // Changes of the user meanwhile may be in the decision or not.
  if (owner.touchedSince(claim.id, claim.at) || owner.hasSteppedSince(finish.attempt.startedAt)) return;
  const task = currentTask(state, claim.id);
  const definition = findDefinition(sources, claim);
  if (definition === null || task?.power !== claim.power) return;
  const wrongs = new Set<string>();
  for (const settings of sources.settings.since(owner.now, 300_000))
    for (const gate of sources.gates.since(owner.now)) {
      const base = circumstancesOf(around.verdict, finish.at, settings, gate);
      const decideAt = (now: number, random: number): Change =>
        decide(definition, task, around.verdict, { ...base, now, random });
      const wrong = compare(finish.change, decideAt(finish.attempt.endedAt, 0), decideAt(finish.at, 1));
      if (wrong === null) return;
      wrongs.add(wrong);
    }
  throw new Violation(
    'decided by the rule',
    `${name} (${finish.attempt.outcome}): ${[...wrongs].join('; ')}`,
  );
}

function findDefinition({ sheets }: Sources, { id, power }: Claim): Definition | null {
  const rows = sheets.since(0).flatMap((sheet) => sheet.rows.set.rows);
  return rows.find((row) => row.definition.id === id && row.power === power)?.definition ?? null;
}

function circumstancesOf(
  { signal }: Verdict,
  at: number,
  settings: Settings,
  gate: GateView,
): Omit<Circumstances, 'now' | 'random'> {
  const isHeld = signal !== undefined && isClosedBy(gate, signal, at, settings);
  const until = signal === undefined ? undefined : findGateBlock(gate, signal)?.until;
  const closed = isHeld && typeof until === 'number' ? { closedUntil: until } : {};
  return { settings, timeZone: 'UTC', isGateClosed: isHeld, ...closed };
}

/** Difference in ms that the clocks of one machine make. */
const ROUNDING_MS = 5;

function compare(change: Change, early: Change, late: Change): string | null {
  const wrong = EXACT.find((field) => (change[field] ?? null) !== (early[field] ?? null));
  if (wrong !== undefined) return `${wrong} is ${String(change[wrong])}, not ${String(early[wrong])}`;
  const [due, least, most] = [change, early, late].map(({ dueAt }) => dueAt ?? 0);
  if (due === undefined || least === undefined || most === undefined) return null;
  const isIn = due >= least - ROUNDING_MS && due <= most + ROUNDING_MS;
  return isIn ? null : `it is due ${String(due - least)} ms later than it should`;
}
