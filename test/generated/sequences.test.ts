import * as fc from 'fast-check';
import { startsFor } from '../conformance/scenarios/playTime';
import { fuzzed, isLong, seed, report } from '../support/fuzz';
import { anyRules, anySequence, type Turn } from './calls';
import { Sequence, type Rules } from './sequence';

const HOUR_MS = 3_600_000;

describe('A queue in a file, whatever happens to it', () => {
  it(`answers as the plain model does, and loses nothing (FUZZ_SEED=${String(seed)})`, async function () {
    if (isLong) this.timeout(2 * HOUR_MS);
    let [sequences, turns] = [0, 0];
    const begins = startsFor(isLong ? HOUR_MS : 35_000);
    const play = async (rules: Rules, all: readonly Turn[]): Promise<void> => {
      if (!begins()) return;
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
    await fc.assert(fc.asyncProperty(anyRules, anySequence(20, 60), play), fuzzed(30, 2_000));
    report(`${String(sequences)} sequences of ${String(turns)} moves`);
  });
});
