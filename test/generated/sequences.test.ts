import * as fc from 'fast-check';
import { fuzzed, isLong, seed, tell } from '../support/fuzz';
import { anyRules, anySequence, type Turn } from './calls';
import { Sequence, type Rules } from './sequence';

const HOUR_MS = 3_600_000;

describe('A queue in a file, whatever happens to it', () => {
  it(`answers as the plain model does, and loses nothing (FUZZ_SEED=${String(seed)})`, async () => {
    let [sequences, turns] = [0, 0];
    const play = async (rules: Rules, all: readonly Turn[]): Promise<void> => {
      const sequence = await Sequence.open(rules);
      try {
        for (const turn of all) await sequence.play(turn);
        await sequence.settle();
        sequences += 1;
        turns += all.length;
      } finally {
        await sequence.close();
      }
    };
    await fc.assert(fc.asyncProperty(anyRules, anySequence(20, 60), play), {
      ...fuzzed(60, 2_000),
      // Enough for what is to be tried; what fails is not made smaller for ever.
      interruptAfterTimeLimit: isLong ? HOUR_MS : 35_000,
      markInterruptAsFailure: false,
    });
    tell(`${String(sequences)} sequences of ${String(turns)} moves`);
  }).timeout(isLong ? 2 * HOUR_MS : 180_000);
});
