import { Program } from '../machine/program';
import type { PlantedBug } from '../bugs/plantedBugs';
import type { Exports } from '../program/host';
import { playHistory, type Result } from './history';

/** Result of a hunt for a planted bug. */
export interface Hunt {
  readonly bug: PlantedBug;
  /** History that showed it; null: none did. */
  readonly found: Result | null;
  readonly seeds: number;
  readonly seconds: number;
}

/** Bounds of one hunt. */
export interface HuntBounds {
  readonly from: number;
  readonly mostSeeds: number;
  readonly mostMs: number;
}

/** Returns the program with a bug in it. */
export function buildWith(bug: PlantedBug): Promise<Program<Exports>> {
  return Program.build<Exports>(bug, ...(bug.also === undefined ? [] : [bug.also]));
}

/** Plays seed after seed with a planted bug until one shows it. */
export async function hunt(bug: PlantedBug, { from, mostSeeds, mostMs }: HuntBounds): Promise<Hunt> {
  const program = await buildWith(bug);
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  const given = bug.moves && { size: 'large' as const, moves: bug.moves };
  let seeds = 0;
  while (seeds < mostSeeds && seconds() * 1_000 < mostMs) {
    const result = await playHistory(program, from + seeds, given);
    seeds += 1;
    if (result.violation !== null) return { bug, found: result, seeds, seconds: seconds() };
  }
  return { bug, found: null, seeds, seconds: seconds() };
}
