// A process of npm run test:simulation: plays the histories that its parent names, one after another.
import { Program } from '../machine/program';
import type { Exports } from '../program/host';
import { playHistory } from '../play/history';
import type { Played } from './lanes';
import { shrinkHistory } from '../play/shrink';

async function play(program: Program<Exports>, seed: number): Promise<Played> {
  const result = await playHistory(program, seed);
  const { runs, coverage } = result;
  if (result.violation === null) return { seed, runs, coverage, broken: null };
  const { moves, violation } = await shrinkHistory(program, result);
  return {
    seed,
    runs,
    coverage,
    broken: { size: result.size, moves, why: (violation ?? result.violation).message },
  };
}

const program = Program.build<Exports>();
process.on('message', (seed: number) => {
  void (async () => process.send?.(await play(await program, seed)))();
});
