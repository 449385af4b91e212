import type { Attempt, Job } from '../../domain/task/attempt';
import { approvable } from '../../domain/task/approval';
import { placeOfAttempt } from '../../domain/task/place';
import type { Claim } from '../../domain/queue/view';
import type { Claimed, TaskQueue } from '../../queue/taskQueue';
import type { WorkerDeps } from '../workerDeps';
import { refuseChangedPrompt } from './refuseChangedPrompt';

/** Returns the runner's input for a claim. @throws Problem `prompt-changed` */
export async function createJob(
  { queue, paths, readGrants, rules, taskTimeoutMs }: WorkerDeps,
  { claim, definition }: Claimed,
): Promise<Job> {
  refuseChangedPrompt(definition, paths.workspace);
  const { resume, handOver, answered } = claim;
  const last = await findLast(queue, claim);
  const grants = await readGrants?.(approvable(definition, claim.power));
  return {
    definition,
    place: placeOfAttempt(claim, definition),
    session: claim.session,
    ...(resume === undefined ? {} : { resume }),
    ...(handOver === undefined ? {} : { handOver }),
    ...(answered === undefined ? {} : { answered }),
    ...(last === null ? {} : { last }),
    ...(grants === undefined ? {} : { grants }),
    outputFile: paths.state.outputOf(claim),
    timeoutMs: definition.timeoutMs ?? taskTimeoutMs ?? rules.last.settings.taskTimeout,
    attemptMark: claim.mark,
  };
}

/** Returns the previous attempt at the same task, or null. A row that was edited meanwhile is another task. */
export async function findLast(
  queue: TaskQueue,
  { id, power, attempt }: Pick<Claim, 'id' | 'power' | 'attempt'>,
): Promise<Attempt | null> {
  if (attempt === 1) return null;
  const [last] = await queue.attempts({ id, limit: 1 });
  return last?.power === power ? last : null;
}
