import * as path from 'node:path';
import { outputName, type Job, type RunEvents, type StopCause, type Verdict } from '../domain/attempt';
import { Fenced } from '../domain/problem';
import { makePrivateFolder } from '../platform/files';
import type { Claimed } from '../queue/taskQueue';
import { watchClaim } from './claimGuard';
import { messageOf, type WorkerParts } from './parts';
import { untilWritten } from './patience';
import { recordEnd, tellFenced, type Ended } from './runEnd';
import { verify } from './verify';

/**
 * Runs a claimed task to its end and records it. Null, and nothing recorded: the claim was lost to another owner, or
 * the run's process could not be put on record and the task was given back. `stop` ends the run; `wantsNext` says
 * whether to claim the next one in the same step.
 */
export async function runTask(
  parts: WorkerParts,
  claimed: Claimed,
  stop: AbortSignal,
  wantsNext: () => boolean,
): Promise<Ended | null> {
  const startedAt = parts.clock.now();
  parts.events.started(claimed);
  const guard = watchClaim(parts, claimed, stop);
  const start = new RecordedStart(parts, claimed);
  let verdict: Verdict;
  try {
    const job = await createJob(parts, claimed);
    const ran = await parts.runner.run(job, start.runEvents, guard.signal);
    verdict = await verify(claimed.definition, ran, { ...parts, mark: claimed.claim.mark }, guard.signal);
  } catch (error) {
    if (error instanceof Fenced) {
      tellFenced(parts, claimed.claim);
      return null;
    }
    // A run that is on record is left for recovery, which ends what is left of it.
    if (start.isRecorded) throw error;
    await giveBack(parts, claimed, stop);
    if (error === start.failure) return null;
    throw error;
  } finally {
    guard.end();
  }
  if (guard.signal.reason === ('fenced' satisfies StopCause)) {
    tellFenced(parts, claimed.claim);
    return null;
  }
  const endedAt = parts.clock.now();
  return recordEnd(parts, { claimed, verdict, startedAt, endedAt }, stop, wantsNext);
}

/** Puts the run's process on record before it is given anything to do. */
class RecordedStart {
  isRecorded = false;
  /** Why it could not be. */
  failure: unknown;
  readonly runEvents: RunEvents;

  constructor({ queue, events, createId }: WorkerParts, { claim }: Claimed) {
    this.runEvents = {
      started: async (run) => {
        try {
          await queue.start(claim, run, createId());
          this.isRecorded = true;
        } catch (error) {
          this.failure = error;
          if (!(error instanceof Fenced)) {
            events.trouble(`Task ${String(claim.id)} could not be begun: ${messageOf(error)}`);
          }
          throw error;
        }
      },
      line: (text) => {
        events.line(claim.id, text);
      },
    };
  }
}

async function giveBack(parts: WorkerParts, { claim }: Claimed, stop: AbortSignal): Promise<void> {
  try {
    await untilWritten(parts, () => parts.queue.release(claim, 'stopped', parts.createId()), stop);
  } catch (error) {
    // Another owner has it: there is nothing left to give back.
    if (!(error instanceof Fenced)) throw error;
  }
}

async function createJob({ queueFolder, rules }: WorkerParts, { claim, definition }: Claimed): Promise<Job> {
  const outputs = path.join(queueFolder, 'state', 'outputs');
  await makePrivateFolder(outputs);
  return {
    definition,
    session: claim.session,
    ...(claim.resume === undefined ? {} : { resume: claim.resume }),
    outputFile: path.join(outputs, outputName(claim.id, claim.attempt)),
    timeoutMs: definition.timeoutMs ?? rules.last.settings.taskTimeout,
    runMark: claim.mark,
  };
}
