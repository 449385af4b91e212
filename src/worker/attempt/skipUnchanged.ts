import { approvable } from '../../domain/task/approval';
import { permissionsOf } from '../../domain/task/permissions';
import { placeOfAttempt } from '../../domain/task/place';
import {
  findTreeToCompare,
  maySkipUnchanged,
  nameUnchanged,
  skipUnchanged,
  type SkippedRun,
} from '../../domain/time/unchangedTree';
import type { Claimed } from '../../queue/taskQueue';
import type { WorkerDeps } from '../workerDeps';
import { releaseClaim } from './releaseClaim';

/**
 * Skips the due time of a claimed task if its row asks for that and nothing has changed since its last success. Returns
 * whether the claim was released. What is not known counts as a change: this never rejects before the release.
 */
export async function skipIfUnchanged(
  deps: WorkerDeps,
  claimed: Claimed,
  stop: AbortSignal,
): Promise<boolean> {
  if (claimed.definition.unlessUnchanged !== true) return false;
  const skip = await findSkip(deps, claimed, stop);
  if (skip === null) return false;
  await releaseClaim(deps, claimed, stop, skip);
  deps.events.line(claimed.claim.id, 'Skipped: nothing has changed since its last success.');
  return true;
}

async function findSkip(deps: WorkerDeps, claimed: Claimed, stop: AbortSignal): Promise<SkippedRun | null> {
  const { queue, rules, clock, assumeUnchanged, events, describeError } = deps;
  const { claim } = claimed;
  try {
    const [task] = await queue.find([claim.id]);
    if (task === undefined) return null;
    const isUnchanged =
      assumeUnchanged === undefined
        ? await hasSameTree(deps, claimed, findTreeToCompare(task, claim), stop)
        : maySkipUnchanged(task, claim) && assumeUnchanged(claim.id);
    return isUnchanged ? skipUnchanged(task, { now: clock.now(), timeZone: rules.last.timeZone }) : null;
  } catch (error) {
    events.trouble(
      `Whether task ${String(claim.id)} has changed is not known, so it runs: ${describeError(error)}`,
    );
    return null;
  }
}

/** Whether the tree and the permissions of a claimed task are still those of `before`; null: those are not known. */
async function hasSameTree(
  { rules, measureDiff, readGrants }: WorkerDeps,
  { claim, definition }: Claimed,
  before: string | null,
  stop: AbortSignal,
): Promise<boolean> {
  if (before === null) return false;
  const measure = await measureDiff?.(placeOfAttempt(claim, definition).folder, stop);
  const tree = await measure?.hash();
  measure?.drop();
  const grants = await readGrants?.(approvable(definition, claim.power));
  const job = { definition, ...(grants === undefined ? {} : { grants }) };
  const permissions = permissionsOf(job, rules.last.settings.permissionMode);
  return tree !== undefined && nameUnchanged(tree, permissions) === before;
}
