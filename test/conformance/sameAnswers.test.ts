import * as fc from 'fast-check';
import { fuzzed, isLong, seed } from '../support/fuzz';
import { anyMove, type Move } from './scenarios/moves';
import { startsFor } from './scenarios/playTime';
import { Differential } from './differential';

const HOUR_MS = 3_600_000;

describe('The queue in a file and the model', () => {
  it(`give the same answers to the same calls (FUZZ_SEED=${String(seed)})`, async function () {
    if (isLong) this.timeout(2 * HOUR_MS);
    const begins = startsFor(isLong ? HOUR_MS : 15_000);
    const play = async (moves: readonly Move[]): Promise<void> => {
      if (!begins()) return;
      const differential = await Differential.open();
      try {
        for (const move of moves) await differential.play(move);
      } finally {
        await differential.close();
      }
    };
    const property = fc.asyncProperty(fc.array(anyMove, { minLength: 20, maxLength: 60, size: 'max' }), play);
    await fc.assert(property, fuzzed(40, 1_000));
  });
});
