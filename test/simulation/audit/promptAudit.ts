import { phaseOf } from '../../../src/domain/gate/gateOpening';
import type { Kernel } from '../machine/kernel';
import type { Claude, Run } from '../play/claude';
import { Violation } from '../play/violation';
import type { Audit } from './audit';

/** Approvals and requests of the user, as the user knows them. */
export interface Wishes {
  isTrusted: boolean;
  /** Number of commands that are trusting the queue now. */
  trusting: number;
  /** Running time at which the user ended the trust last. */
  distrustedAt: number;
  /** Rows that the user approved: id, folder and prompt. */
  readonly approved: Set<string>;
  /** Number of commands that are approving rows now. */
  approving: number;
  /** Running time since which the queue is paused; null: it is not. */
  pausedSince: number | null;
  /** Last time that the user opened the gate by hand, or the clock was set. */
  gateOpened: Opening;
}

/** An opening of the gate: what ended or was recorded before it closes the gate no longer. */
export interface Opening {
  /** Place of the last event before it. */
  readonly place: number;
  /** Running time. */
  readonly at: number;
}

/** Returns the key of an approved row. */
export function rowKey({
  id,
  workingDir,
  prompt,
}: {
  readonly id: number;
  readonly workingDir: string;
  readonly prompt: string;
}): string {
  return JSON.stringify([id, workingDir, prompt]);
}

/** Checks a run when it gets its prompt, by what is true and not by what any process believes. @throws Violation */
export function checkPrompt(run: Run, audit: Audit, claude: Claude, wishes: Wishes, kernel: Kernel): void {
  const name = `task ${String(run.id)}`;
  const other = claude.living().find((one) => one !== run && one.id === run.id);
  if (other !== undefined) throw new Violation('one owner', `${name} runs twice`);
  const made = audit.claims.get(run.job.attemptMark);
  if (made === undefined) throw new Violation('one owner', `${name} runs without a recorded claim`);
  const held = audit.state.queue.claims.get(run.id);
  if (held?.mark !== run.job.attemptMark) throw new Violation('one owner', `${name} runs for a lost claim`);
  if (held.run === undefined) throw new Violation('recorded once', `${name} got its prompt unrecorded`);
  const { definition } = run.job;
  if (
    !made.rows.some(
      ({ prompt, workingDir }) => prompt === definition.prompt && workingDir === definition.workingDir,
    )
  )
    throw new Violation('prompt as written', `${name} got another prompt than its row has`);
  if (!isTrusted(wishes, audit, kernel) && wishes.approving === 0 && !wishes.approved.has(rowKey(definition)))
    throw new Violation('approved only', `${name} was not approved`);
  checkBound(run, audit, claude);
  checkPause(run, wishes, made.recordedAt, kernel);
  checkGate(audit, made.place, wishes, kernel);
  checkProbe(run, audit, kernel);
  checkDependencies(audit, definition.dependencies, name);
}

function checkBound({ worker }: Run, audit: Audit, claude: Claude): void {
  const { maxTasks = Infinity } = audit.optionsOf(worker.identity.pid) ?? {};
  const count = claude.runs.filter((one) => one.worker === worker && one.promptedAt !== null).length;
  if (count > maxTasks)
    throw new Violation('stops when asked', `a worker with a bound of ${String(maxTasks)} runs one more`);
}

/** Whether a worker may believe that the queue is trusted. It may have looked before the trust ended. */
function isTrusted(wishes: Wishes, { sources: { slackMs } }: Audit, { now }: Kernel): boolean {
  return wishes.isTrusted || now - wishes.distrustedAt < slackMs + START_MS;
}

/** Checks at the end that no other command gave the queue a trust again that the user took back. @throws Violation */
export function checkTrust({ sources }: Audit, { isTrusted: mayBeTrusted }: Wishes): void {
  if (sources.approvals.newest.trusted && !mayBeTrusted)
    throw new Violation('approved only', 'the queue is still trusted after you took that back');
}

/** Time in ms since the last step of the clock after which the gate has settled. */
const STEADY_MS = 600_000;

/** Time that a start may take after its claim, in ms. */
const START_MS = 3_000;

function checkPause(run: Run, { pausedSince }: Wishes, claimedAt: number, { now }: Kernel): void {
  if (pausedSince === null || now - pausedSince < START_MS) return;
  if (now - claimedAt < START_MS)
    throw new Violation('pause respected', `task ${String(run.id)} started while the queue was paused`);
}

/** A claim that follows a recorded limit starts after its reset, unless the user opened the gate. */
function checkGate(audit: Audit, place: number, { gateOpened }: Wishes, kernel: Kernel): void {
  for (const { attempt, place: recordedAt, ranUntil } of audit.finished) {
    if (recordedAt >= place || recordedAt < gateOpened.place || ranUntil < gateOpened.at) continue;
    if (attempt.outcome === 'blocked')
      throw new Violation('gate respected', 'a prompt went out, and nobody has signed in again');
    if (attempt.outcome !== 'limit') continue;
    const until = audit.resets.get(`${String(attempt.id)}/${String(attempt.number)}`) ?? 0;
    if (kernel.wall() < until)
      throw new Violation(
        'gate respected',
        `a prompt went out ${String(until - kernel.wall())} ms before the reset`,
      );
  }
}

/** After a reset one task goes first: while it has no result, no other starts. */
function checkProbe({ id }: Run, audit: Audit, kernel: Kernel): void {
  const { sources, owner } = audit;
  const wall = Math.floor(kernel.wall());
  // A process that cannot reach the gate starts all the same.
  if (sources.isDelayed || kernel.disk.isFull || owner.hasSteppedSince(wall - STEADY_MS)) return;
  const { closures } = sources.gates.newest;
  for (const block of closures) {
    const phase = phaseOf(block, wall, sources.settings.newest);
    if (phase.kind === 'half-open' && phase.probe?.task.id !== id)
      throw new Violation('gate respected', `task ${String(id)} started beside the one that goes first`);
  }
}

function checkDependencies(audit: Audit, dependencies: readonly number[], name: string): void {
  for (const id of dependencies)
    if (!audit.everCompleted.has(id))
      throw new Violation('dependencies completed', `${name} started before ${String(id)} was completed`);
}
