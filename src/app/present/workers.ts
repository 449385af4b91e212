import { describeClaim } from './reasons/claim';
import { isFarFrom, nameWorker, type Claim } from '../../domain/queue/view';
import type { Moment } from '../../domain/time/moment';
import { nameMachine } from '../../platform/processes/machine';
import { quoteCommand } from '../../platform/text/commandName';
import { t } from '../../platform/text/translate';
import type { Snapshot } from '../../queue/taskQueue';
import { stopFor, type StopHow } from '../../domain/queue/workerStop';

/** Sentence that no worker is running. */
export const NO_WORKER = t('No worker is running.');

/** Describes the running workers, as a sentence. Includes a single run, whose worker is not registered. */
export function describeWorkers(snapshot: Snapshot, moment: Pick<Moment, 'machine'>): string {
  const names = nameWorkers(snapshot.workers, moment);
  if (names.length > 0) {
    const what = describeNamed(names, snapshot);
    const isNoneHere = snapshot.workers.every(({ owner }) => isFarFrom(moment, owner));
    if (isNoneHere)
      return t(
        '{0} None is running on this machine: a worker runs only what was approved on its machine.',
        what,
      );
    return isKeptAwake(snapshot) ? t('{0} Sleep is prevented.', what) : what;
  }
  const run = findRunningClaim(snapshot);
  if (run !== null) return t('No worker is running, but {0}.', describeClaim(run, moment));
  const death = describeDeath(snapshot, moment);
  return death === null ? NO_WORKER : `${NO_WORKER} ${death}`;
}

/** Names the workers that died; null if there are none, or if a living worker reports them. */
export function describeDeath(
  { died, workers }: Pick<Snapshot, 'died' | 'workers'>,
  moment: Pick<Moment, 'machine'>,
): string | null {
  if (died.length === 0 || workers.length > 0) return null;
  const who = nameWorkers(died, moment).join(', ');
  return died.length === 1 ? t('Worker {0} died.', who) : t('Workers {0} died.', who);
}

/** Names workers, each with its machine if one is on another machine than the reader's. */
function nameWorkers(workers: Snapshot['workers'], moment: Pick<Moment, 'machine'>): readonly string[] {
  const isShared = workers.some(({ owner }) => isFarFrom(moment, owner));
  return workers.map(({ owner }) =>
    isShared ? t('{0} on {1}', nameWorker(owner), nameMachine(owner.machine)) : nameWorker(owner),
  );
}

function describeNamed(names: readonly string[], snapshot: Snapshot): string {
  const isOne = names.length === 1;
  const who = names.join(', ');
  if (findStop(snapshot) === null)
    return isOne ? t('Worker {0} is running.', who) : t('Workers {0} are running.', who);
  const last = listLastTasks(snapshot);
  if (last === '') return isOne ? t('Worker {0} is stopping.', who) : t('Workers {0} are stopping.', who);
  return isOne
    ? t('Worker {0} is stopping after task {1}.', who, last)
    : t('Workers {0} are stopping after task {1}.', who, last);
}

function isKeptAwake({ workers }: Snapshot): boolean {
  return workers.some(({ keepsAwake }) => keepsAwake === true);
}

/** Running workers, and which of them were asked to stop. */
export type RunningWorkers = Pick<Snapshot, 'workers' | 'stop' | 'stopping'>;

/** Whether a worker runs that was not asked to stop. */
export function hasContinuingWorker(snapshot: RunningWorkers): boolean {
  return snapshot.workers.length > 0 && findStop(snapshot) === null;
}

/** Returns how all running workers were asked to stop; null if one continues or none is running. */
export function findStop(snapshot: RunningWorkers): StopHow | null {
  const { stop, workers } = snapshot;
  if (stop === null || workers.length === 0) return null;
  const isStopping = workers.every(({ owner, since }) => stopFor(snapshot, owner, since) !== undefined);
  return isStopping ? stop.how : null;
}

/** Describes that the only worker is stopping, and after which task. */
export function describeStopping(snapshot: Snapshot): string {
  const last = listLastTasks(snapshot);
  return last === '' ? t('The worker is stopping.') : t('The worker is stopping after task {0}.', last);
}

/** Lists the tasks after which the workers stop; empty if they stop at once. */
export function listLastTasks(snapshot: Snapshot): string {
  if (findStop(snapshot) !== 'after-task') return '';
  return findRunningClaims(snapshot)
    .map(({ id }) => String(id))
    .join(', ');
}

/** Describes the tasks that somebody has and whose rows were removed or are not valid. One line each. */
export function describeRowless(snapshot: Snapshot, moment: Pick<Moment, 'machine'>): string[] {
  return findRowless(snapshot).map((claim) =>
    t(
      'Task {0} has no valid row: {1}. {2} ends that.',
      claim.id,
      describeClaim(claim, moment),
      quoteCommand(`cancel ${String(claim.id)}`),
    ),
  );
}

/** Returns the claims of tasks that no list shows. */
export function findRowless({ claims, tasks }: Pick<Snapshot, 'claims' | 'tasks'>): readonly Claim[] {
  return claims.filter(({ id }) => !tasks.some(({ definition }) => definition.id === id));
}

/** Returns a run of a living worker, if there is any. */
export function findRunningClaim(snapshot: Snapshot): Claim | null {
  return findRunningClaims(snapshot)[0] ?? null;
}

/** Returns the runs of living workers. */
export function findRunningClaims({ claims }: Pick<Snapshot, 'claims'>): readonly Claim[] {
  return claims.filter(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true);
}
