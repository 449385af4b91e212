import type { TaskId } from '../../../domain/task/task';
import type { Claim } from '../../../domain/queue/view';
import { readTraces } from '../../../claude/attempt/traces';
import type { Snapshot, TaskQueue } from '../../../queue/taskQueue';
import { recoverLost } from '../../../worker/attempt/lostAttempts';
import { describeOwner } from '../../present/reasons/claim';
import type { QueueContext } from '../../context/queueContext';
import { t } from '../../../platform/text/translate';
import { quoteCommand } from '../../../platform/text/commandName';

/** Shows a sentence to the user. */
export type Report = (sentence: string) => void;

/**
 * Ends the leftover processes of workers that died on this machine, for every task or for `only` this one. Returns the
 * tasks to the queue, as the next worker would. Returns whether nothing is left.
 */
export async function endLeftoverAttempts(
  queueContext: QueueContext,
  queue: TaskQueue,
  report: Report,
  only?: TaskId,
): Promise<boolean> {
  const { host, paths, configuration } = queueContext;
  const { processes, clock, random, createId } = host;
  await queueContext.configure();
  const isMeant = ({ claim }: LeftoverAttempt): boolean => claim.id === (only ?? claim.id);
  const alive = new Set(
    findLeftoverAttempts(queueContext, await queue.read())
      .filter(isMeant)
      .flatMap(({ claim, pid }) => (pid === null ? [] : [claim.mark])),
  );
  const runner = { tracesOf: (job: Traced) => readTraces(job, { ...host.env }) };
  const lost = (claim: Claim): void => {
    const owner = describeOwner(claim.owner);
    report(
      alive.has(claim.mark)
        ? t('Ended the leftover processes of task {0} ({1} is gone).', claim.id, owner)
        : t('Reclaimed task {0} ({1} is gone): it had no leftover processes.', claim.id, owner),
    );
  };
  await recoverLost(
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
  const left = findLeftoverAttempts(queueContext, await queue.read()).filter(isMeant);
  for (const each of left) report(describeNotEnded(each));
  return left.length === 0;
}

function describeNotEnded({ claim, pid }: LeftoverAttempt): string {
  return pid === null
    ? t('The leftover processes of task {0} could not be ended.', claim.id)
    : t(
        'The leftover processes of task {0} could not be ended: process {1} is still running. End it with "kill -9 {1}".',
        claim.id,
        pid,
      );
}

type Traced = Parameters<typeof readTraces>[0];

/** Claim whose worker died on this machine; `pid`: its process, if that is still running. */
export interface LeftoverAttempt {
  readonly claim: Claim;
  readonly pid: number | null;
}

/** Returns the claims whose workers died. */
export function findLeftoverAttempts(
  { host }: Pick<QueueContext, 'host'>,
  { claims }: Pick<Snapshot, 'claims'>,
): LeftoverAttempt[] {
  return claims
    .filter(({ ownerDied }) => ownerDied === true)
    .map((claim) => ({
      claim,
      pid: claim.run !== undefined && host.processes.isAlive(claim.run) ? claim.run.pid : null,
    }));
}

/** Describes a run whose worker died, and what to do about it. */
export function describeLeftoverAttempt({ claim, pid }: LeftoverAttempt): string {
  const still = pid === null ? 'none of its processes is running' : `process ${String(pid)} is still running`;
  return `Task ${String(claim.id)} is left over from ${describeOwner(claim.owner)}, which died: ${still}. The next worker resumes it. To clean up now, run ${quoteCommand('stop --now')}.`;
}
