import * as path from 'node:path';
import { outputName, type Attempt, type Job, type StopCause, type Verdict } from '../domain/attempt';
import { decide, type Change } from '../domain/decide';
import { closureFor, type GateView } from '../domain/limits';
import { Fenced } from '../domain/problem';
import { hasCode, makePrivateFolder } from '../platform/files';
import type { Claimed, Idle, Want } from '../queue/taskQueue';
import { describeWant, type WorkerParts } from './parts';
import { verify } from './verify';

/** How often a worker looks whether its claim still holds. */
const HEARTBEAT_MS = 2_000;

/** How long to wait before an end that could not be written is written again. */
const WRITE_AGAIN_MS = 5_000;

/** What became of a claim. `next` is what was claimed in the same step, if anything was wanted. */
export interface Ended {
  readonly verdict: Verdict;
  readonly change: Change;
  readonly next: Claimed | Idle | undefined;
}

/**
 * Runs a claimed task to its end and records it. Null: the claim was lost to another owner meanwhile, and nothing
 * was recorded. `stop` ends the run; `wantsNext` says whether to claim the next one in the same step.
 */
export async function runTask(
  parts: WorkerParts,
  claimed: Claimed,
  stop: AbortSignal,
  wantsNext: () => boolean,
): Promise<Ended | null> {
  const { queue, clock, events } = parts;
  const startedAt = clock.now();
  events.started(claimed);
  const guard = watchClaim(parts, claimed, stop);
  let verdict: Verdict;
  try {
    const job = await createJob(parts, claimed);
    const ran = await parts.runner.run(job, runEvents(parts, claimed), guard.signal);
    verdict = await verify(claimed.definition, ran, { ...parts, mark: claimed.claim.mark }, guard.signal);
  } catch (error) {
    if (error instanceof Fenced) return null;
    throw error;
  } finally {
    guard.end();
  }
  if (guard.signal.reason === ('fenced' satisfies StopCause)) return null;
  const gate = await parts.gate.report(verdict.signal ?? null, verdict.usage);
  const change = await decideEnd(parts, claimed, verdict);
  const attempt = describeAttempt(parts, { claimed, verdict, change, startedAt, gate });
  const end = { change, attempt, definition: claimed.definition };
  const op = parts.createId();
  try {
    const next = await untilWritten(parts, async () => {
      const want: Want | undefined = wantsNext() ? await describeWant(parts, {}) : undefined;
      return queue.finish(claimed.claim, end, op, want);
    });
    events.ended(claimed, verdict, change);
    return { verdict, change, next };
  } catch (error) {
    if (error instanceof Fenced) return null;
    throw error;
  }
}

async function createJob(
  { queueFolder, settings }: WorkerParts,
  { claim, definition }: Claimed,
): Promise<Job> {
  const outputs = path.join(queueFolder, 'state', 'outputs');
  await makePrivateFolder(outputs);
  return {
    definition,
    session: claim.session,
    ...(claim.resume === undefined ? {} : { resume: claim.resume }),
    outputFile: path.join(outputs, outputName(claim.id, claim.attempt)),
    timeoutMs: definition.timeoutMs ?? settings.taskTimeout,
    runMark: claim.mark,
    queueFolder,
  };
}

function runEvents(
  { queue, events, createId }: WorkerParts,
  { claim }: Claimed,
): Parameters<WorkerParts['runner']['run']>[1] {
  return {
    started: (run) => queue.start(claim, run, createId()),
    line: (text) => {
      events.line(claim.id, text);
    },
  };
}

/** Aborts with the cause when the worker is to stop, the task was cancelled, or the claim went to another owner. */
function watchClaim(
  { queue, clock, since, events }: WorkerParts,
  { claim }: Claimed,
  stop: AbortSignal,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const over = new AbortController();
  const pass = (): void => {
    controller.abort('stopped' satisfies StopCause);
  };
  if (stop.aborted) pass();
  stop.addEventListener('abort', pass, { once: true, signal: over.signal });
  const beat = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, over.signal);
      if (over.signal.aborted) return;
      try {
        const { stop: cause } = await queue.renew(claim, since);
        if (cause !== undefined) controller.abort(cause);
      } catch (error) {
        // One look that fails is no reason to end a run: the next one may succeed.
        if (error instanceof Fenced) controller.abort('fenced' satisfies StopCause);
        else events.trouble(`The claim on task ${String(claim.id)} could not be looked at: ${String(error)}`);
      }
    }
  };
  void beat();
  return {
    signal: controller.signal,
    end: () => {
      over.abort();
    },
  };
}

async function decideEnd(
  parts: WorkerParts,
  { claim, definition }: Claimed,
  verdict: Verdict,
): Promise<Change> {
  const { tasks } = await parts.queue.read();
  const task = tasks.find(({ state }) => state.id === claim.id && state.power === claim.power);
  const circumstances = {
    now: parts.clock.now(),
    random: parts.random(),
    settings: parts.settings,
    timeZone: parts.timeZone,
  };
  return decide(definition, task?.state ?? NO_HISTORY, verdict, circumstances);
}

/** For a row that is gone or was edited meanwhile: its counts do not matter any more. */
const NO_HISTORY = { retryCount: 0, transientInRow: 0, lostInRow: 0 };

interface EndFacts {
  readonly claimed: Claimed;
  readonly verdict: Verdict;
  readonly change: Change;
  readonly startedAt: number;
  readonly gate: GateView;
}

function describeAttempt(
  parts: WorkerParts,
  { claimed, verdict, change, startedAt, gate }: EndFacts,
): Attempt {
  const { claim, definition } = claimed;
  const now = parts.clock.now();
  const closure = verdict.outcome === 'limit' ? closureFor(gate, definition.model, now, 0) : null;
  return {
    id: claim.id,
    number: claim.attempt,
    power: claim.power,
    session: claim.session,
    startedAt,
    endedAt: now,
    outcome: verdict.outcome,
    reason: verdict.reason,
    message: verdict.message,
    code: change.code,
    output: outputName(claim.id, claim.attempt),
    ...(closure === null ? {} : { closedSince: closure.since }),
    ...(verdict.costUsd === undefined ? {} : { costUsd: verdict.costUsd }),
    ...(verdict.turns === undefined ? {} : { turns: verdict.turns }),
    ...(verdict.denials.length === 0 ? {} : { denials: verdict.denials }),
  };
}

/** A disk that is full now may have room later: an end that happened is not given up for it. */
async function untilWritten<T>({ clock, events }: WorkerParts, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!hasCode(error, 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES')) throw error;
      events.trouble(`The end of the run could not be written and will be again: ${String(error)}`);
      await clock.sleep(WRITE_AGAIN_MS);
    }
  }
}
