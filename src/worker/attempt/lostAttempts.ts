import type { AttemptFacts } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import type { Claim } from '../../domain/queue/view';
import type { WorkerEvents, WorkerDeps } from '../workerDeps';

/** Dependencies of the recovery of lost attempts. */
export interface LostAttemptDeps extends Pick<
  WorkerDeps,
  'queue' | 'paths' | 'processes' | 'rules' | 'clock' | 'random' | 'createId'
> {
  readonly runner: Pick<WorkerDeps['runner'], 'tracesOf'>;
  readonly events: Pick<WorkerEvents, 'lost'>;
}

/**
 * Recovers the attempts of workers that died, or only that of task `only`. Ends their leftover processes first: a
 * session must never continue while its first process lives.
 */
export async function recoverLost(deps: LostAttemptDeps, only?: TaskId): Promise<void> {
  const { queue, processes, clock, events } = deps;
  const { settings, timeZone } = deps.rules.last;
  const dead = (await queue.readLost()).filter(({ id }) => id === (only ?? id));
  if (dead.length === 0) return;
  for (const { run, mark } of dead) {
    if (run !== undefined) await processes.endTree(run, { graceMs: settings.stopGrace, mark, clock });
  }
  const traces = await readTraces(deps, dead);
  const rules = {
    settings,
    timeZone,
    random: deps.random(),
    traces,
    ...(only === undefined ? {} : { only }),
  };
  for (const lost of await queue.recover(rules, deps.createId())) events.lost(lost);
}

/**
 * Returns the usage that the lost attempts left. It counts although the worker died, and decides whether a session is
 * too large to continue.
 */
async function readTraces(
  { runner, paths }: LostAttemptDeps,
  dead: readonly Claim[],
): Promise<ReadonlyMap<string, AttemptFacts>> {
  const traces = new Map<string, AttemptFacts>();
  for (const claim of dead) {
    const outputFile = paths.state.outputOf(claim);
    traces.set(claim.mark, await runner.tracesOf({ session: claim.session, outputFile }));
  }
  return traces;
}
