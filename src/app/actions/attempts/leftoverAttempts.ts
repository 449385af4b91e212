import type { TaskId } from '../../../domain/task/task';
import { isFarFrom, type Claim } from '../../../domain/queue/view';
import { readTraces } from '../../../claude/attempt/traces';
import type { Lost, Snapshot, TaskQueue } from '../../../queue/taskQueue';
import { recoverLost } from '../../../worker/attempt/lostAttempts';
import { describeOwner } from '../../present/reasons/claim';
import type { QueueContext } from '../../context/queueContext';
import { nameMachine } from '../../../platform/processes/machine';
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
  const lost = ({ claim }: Lost): void => {
    report(describeReclaimed(claim, alive.has(claim.mark), queueContext.machine.id));
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

function describeReclaimed({ id, owner }: Claim, hasEnded: boolean, machine: string): string {
  const who = describeOwner(owner, { machine });
  if (isFarFrom({ machine }, owner))
    return t(
      'Reclaimed task {0} ({1} is gone). Leftover processes on {2} can only be ended there.',
      id,
      who,
      nameMachine(owner.machine),
    );
  return hasEnded
    ? t('Ended the leftover processes of task {0} ({1} is gone).', id, who)
    : t('Reclaimed task {0} ({1} is gone): it had no leftover processes.', id, who);
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

/** Claim whose worker died. */
export interface LeftoverAttempt {
  readonly claim: Claim;
  /** A process of it that is running on this machine, Claude Code first; null: none is, or it cannot be known. */
  readonly pid: number | null;
}

/** Returns the claims whose workers died. */
export function findLeftoverAttempts(
  queueContext: Pick<QueueContext, 'machine' | 'host'>,
  { claims }: Pick<Snapshot, 'claims'>,
): LeftoverAttempt[] {
  return claims
    .filter(({ ownerDied }) => ownerDied === true)
    .map((claim) => ({ claim, pid: findProcess(claim, queueContext) }));
}

function findProcess(
  { owner, run, mark }: Claim,
  { machine, host }: Pick<QueueContext, 'machine' | 'host'>,
): number | null {
  if (run === undefined || isFarFrom({ machine: machine.id }, owner)) return null;
  if (machine.isAlive(run)) return run.pid;
  // Claude Code has ended. Its check, or something that it started, may still run.
  return host.processes.findMarked(mark)[0]?.pid ?? null;
}

/** Describes a run whose worker died, and what to do about it. @param machine the reader's machine */
export function describeLeftoverAttempt(
  { claim: { id, owner }, pid }: LeftoverAttempt,
  machine: string,
): string {
  const what = `Task ${String(id)} is left over from ${describeOwner(owner, { machine })}, which died`;
  const stop = quoteCommand('stop --now');
  if (isFarFrom({ machine }, owner))
    return `${what}. Leftover processes can only be ended there. The next worker recovers the task. To recover it now, run ${stop}.`;
  const still = pid === null ? 'none of its processes is running' : `process ${String(pid)} is still running`;
  return `${what}: ${still}. The next worker recovers the task. To clean up now, run ${stop}.`;
}
