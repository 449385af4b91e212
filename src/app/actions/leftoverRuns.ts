import type { TaskId } from '../../domain/task/task';
import type { Claim } from '../../domain/queue/view';
import { readTraces } from '../../claude/attempt/traces';
import type { Snapshot, TaskQueue } from '../../queue/taskQueue';
import { tendLostRuns } from '../../worker/attempt/lostRuns';
import { describeOwner } from '../present/reasons/claim';
import type { QueueContext } from '../context/queueContext';

/** Takes a sentence for the user. */
export type Report = (sentence: string) => void;

/**
 * Ends what workers that died on this machine have left running, of every task or of `only` this one, and gives the
 * tasks back, as the next worker would. Gives whether nothing of that is left.
 */
export async function endLeftoverRuns(
  queueContext: QueueContext,
  queue: TaskQueue,
  report: Report,
  only?: TaskId,
): Promise<boolean> {
  const { host, paths, configuration } = queueContext;
  const { processes, clock, random, createId } = host;
  await queueContext.configure();
  const isMeant = ({ claim }: LeftoverRun): boolean => claim.id === (only ?? claim.id);
  const alive = new Set(
    findLeftoverRuns(queueContext, await queue.read())
      .filter(isMeant)
      .flatMap(({ claim, pid }) => (pid === null ? [] : [claim.mark])),
  );
  const runner = { tracesOf: (job: Traced) => readTraces(job, { ...host.env }) };
  const lost = (claim: Claim): void => {
    const task = `task ${String(claim.id)} (${describeOwner(claim.owner)} is gone)`;
    report(
      alive.has(claim.mark)
        ? `Ended the leftover processes of ${task}.`
        : `Reclaimed ${task}: it had no leftover processes.`,
    );
  };
  await tendLostRuns(
    {
      queue,
      paths,
      processes,
      rules: configuration,
      clock,
      random,
      createId,
      runner,
      events: { lost },
    },
    only,
  );
  const left = findLeftoverRuns(queueContext, await queue.read()).filter(isMeant);
  for (const { claim, pid } of left) {
    report(
      `The leftover processes of task ${String(claim.id)} could not be ended${pid === null ? '' : `: process ${String(pid)} is still running. End it with "kill -9 ${String(pid)}"`}.`,
    );
  }
  return left.length === 0;
}

type Traced = Parameters<typeof readTraces>[0];

/** A claim whose worker died on this machine; `pid`: its run still continues as this process. */
export interface LeftoverRun {
  readonly claim: Claim;
  readonly pid: number | null;
}

/** The runs that have lost their workers. */
export function findLeftoverRuns(
  { host }: Pick<QueueContext, 'host'>,
  { claims }: Pick<Snapshot, 'claims'>,
): LeftoverRun[] {
  return claims
    .filter(({ ownerDied }) => ownerDied === true)
    .map((claim) => ({
      claim,
      pid: claim.run !== undefined && host.processes.isAlive(claim.run) ? claim.run.pid : null,
    }));
}

/** That a run has lost its worker, and what to do about it. */
export function describeLeftoverRun({ claim, pid }: LeftoverRun): string {
  const still = pid === null ? 'none of its processes is running' : `process ${String(pid)} is still running`;
  return `Task ${String(claim.id)} is left over from ${describeOwner(claim.owner)}, which died: ${still}. The next worker resumes it. To clean up now, run "claude-queue stop --now".`;
}
