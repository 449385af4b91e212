import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Attempt, Outcome, Verdict } from '../domain/attempt';
import { decide } from '../domain/decide';
import type { Reason } from '../domain/explain';
import { closureFor, type GateView } from '../domain/limits';
import { Problem } from '../domain/problem';
import type { Definition, TaskId } from '../domain/task';
import type { Claim } from '../domain/view';
import { replaceDurably } from '../platform/files';
import type { TaskQueue } from '../queue/taskQueue';
import { formatNextTask } from './nextTask';
import type { QueueSite } from './site';

/** A task that a person has. */
export interface Held {
  readonly claim: Claim;
  readonly definition: Definition;
}

/** NEXT_TASK.md of a queue. */
export function nextTaskFile({ queueFolder }: QueueSite): string {
  return path.join(queueFolder, 'NEXT_TASK.md');
}

/**
 * Hands the next task to a person, or the one that they have already, and writes NEXT_TASK.md. Where there is none,
 * gives the reason and removes the file.
 */
export async function takeNext(site: QueueSite, queue: TaskQueue): Promise<Held | Reason> {
  const held = (await findHeld(queue)) ?? (await claimForPerson(site, queue));
  if ('claim' in held) await replaceDurably(nextTaskFile(site), formatNextTask(held.definition));
  else await fs.rm(nextTaskFile(site), { force: true });
  return held;
}

/** Hands this task to a person, whatever its place and time; the reason where it cannot be had. */
export async function takeTask(site: QueueSite, queue: TaskQueue, id: TaskId): Promise<Held | Reason> {
  return claimForPerson(site, queue, id);
}

/** The task that a person has already: the same one again, until they say what became of it. */
async function findHeld(queue: TaskQueue): Promise<Held | null> {
  const { claims, tasks } = await queue.read();
  const held = claims.find(({ owner }) => owner.kind === 'person');
  const task = tasks.find(({ definition }) => definition.id === held?.id);
  return held === undefined || task === undefined ? null : { claim: held, definition: task.definition };
}

async function claimForPerson(site: QueueSite, queue: TaskQueue, id?: TaskId): Promise<Held | Reason> {
  const { host } = site;
  const { settings, timeZone } = await site.configure();
  const want = {
    ...(id === undefined ? {} : { id }),
    override: id === undefined ? { unattendedRules: true } : { unattendedRules: true, time: true },
    owner: { kind: 'person', machine: site.machine.id },
    since: host.clock.now(),
    gate: { closures: [], usage: [] },
    proofs: { trusted: true, powers: new Set<string>() },
    settings,
    timeZone,
    freshSession: host.createId(),
  } as const;
  const answer = await queue.claim(want, host.createId());
  return answer.kind === 'claimed' ? { claim: answer.claim, definition: answer.definition } : answer.why;
}

/** What a person says of a task that they had; null: it is given back as it was. */
export type HandedBack = Extract<Outcome, 'success' | 'error'> | null;

/** Ends a person's claim as they say, and removes NEXT_TASK.md. @throws Problem `usage`, `not-running`, `conflict` */
export async function handBack(
  site: QueueSite,
  queue: TaskQueue,
  id: TaskId | undefined,
  outcome: HandedBack,
): Promise<TaskId> {
  const claim = await findClaim(site, queue, id);
  if (outcome === null) await queue.release(claim, 'person', site.host.createId());
  else await finishHeld(site, queue, claim, { outcome, reason: 'by-hand', message: BY_HAND[outcome] });
  await fs.rm(nextTaskFile(site), { force: true });
  return claim.id;
}

/** A person's claim; by its id also one of another machine, which this machine cannot tell to be alive. */
async function findClaim(site: QueueSite, queue: TaskQueue, id: TaskId | undefined): Promise<Claim> {
  const { claims } = await queue.read();
  const yours = claims.filter(({ owner, ...claim }) =>
    id === undefined
      ? owner.kind === 'person'
      : claim.id === id && (owner.kind === 'person' || owner.machine !== site.machine.id),
  );
  const [claim, ...others] = yours;
  if (claim !== undefined && others.length === 0) return claim;
  if (claim !== undefined) {
    throw new Problem(
      'usage',
      `You have several tasks (${yours.map((one) => String(one.id)).join(', ')}): name one.`,
    );
  }
  throw new Problem(
    'not-running',
    id === undefined
      ? 'You have no task: "claude-queue next" gives you one.'
      : `Task ${String(id)} is not yours: "claude-queue status" tells where it is.`,
  );
}

/** How a task that a person had came to its end. */
type Ending = Pick<Verdict, 'outcome' | 'reason' | 'message' | 'signal'>;

const BY_HAND: Readonly<Record<'success' | 'error', string>> = {
  success: 'Done by hand.',
  error: 'Failed by hand.',
};

/** Records the end of an attempt that a person made. @throws Problem `conflict` where the row was edited meanwhile */
async function finishHeld(
  site: QueueSite,
  queue: TaskQueue,
  claim: Claim,
  { gate, ...ending }: Ending & { readonly gate?: GateView },
): Promise<void> {
  const { host } = site;
  const { settings, timeZone } = await site.configure();
  const { tasks } = await queue.read();
  const task = tasks.find(({ state }) => state.id === claim.id && state.power === claim.power);
  if (task === undefined) {
    throw new Problem('conflict', `The row of task ${String(claim.id)} was edited meanwhile: release it.`);
  }
  const now = host.clock.now();
  const circumstances = { now, random: host.random(), settings, timeZone };
  const change = decide(task.definition, task.state, ending, circumstances);
  const closure = gate === undefined ? null : closureFor(gate, task.definition.model, now, 0);
  const attempt: Attempt = {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    // Without a process there was no session either.
    session: claim.run === undefined ? null : claim.session,
    startedAt: claim.at,
    endedAt: now,
    outcome: ending.outcome,
    reason: ending.reason,
    message: ending.message,
    code: change.code,
    ...(closure === null ? {} : { closedSince: closure.since }),
  };
  await queue.finish(claim, { change, attempt, definition: task.definition }, host.createId());
}

/**
 * A limit ended the session in which a person did the task: the account's gate closes, and the task goes on in that
 * session when it is open again.
 */
export async function endAtLimit(
  site: QueueSite,
  queue: TaskQueue,
  claim: Claim,
  ending: Ending,
): Promise<void> {
  const gate = await (await site.openGate()).report(ending.signal ?? null, []);
  await finishHeld(site, queue, claim, { ...ending, gate });
}
