import type { WorkerParts } from './parts';

/** What giving lost runs back needs. */
export type LostRunParts = Pick<
  WorkerParts,
  'queue' | 'processes' | 'rules' | 'clock' | 'events' | 'random' | 'createId'
>;

/**
 * Gives back the tasks of workers that died. What is left of their runs is ended first: a session must never be
 * gone on in while its first process lives.
 */
export async function tendLostRuns(parts: LostRunParts): Promise<void> {
  const { queue, processes, clock, events } = parts;
  const { settings, timeZone } = parts.rules.last;
  const { claims } = await queue.read();
  const dead = claims.filter(({ ownerDied }) => ownerDied === true);
  if (dead.length === 0) return;
  for (const { run, mark } of dead) {
    if (run !== undefined) await processes.endTree(run, { graceMs: settings.stopGrace, mark, clock });
  }
  const rules = { settings, timeZone, random: parts.random() };
  for (const { claim, change } of await queue.recover(rules, parts.createId())) events.lost(claim, change);
}
