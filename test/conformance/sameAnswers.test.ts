import * as fc from 'fast-check';
import { anyMove } from './moves';
import { Twins } from './twins';

/** Set FC_SEED to the seed of a failure to meet it again. */
const given = process.env['FC_SEED'];
const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given);

describe('The queue in a file and the model', () => {
  it(`give the same answers to the same calls (FC_SEED=${String(seed)})`, async () => {
    const play = async (moves: readonly Parameters<Twins['play']>[0][]): Promise<void> => {
      const twins = await Twins.open();
      try {
        for (const move of moves) await twins.play(move);
      } finally {
        await twins.close();
      }
    };
    const property = fc.asyncProperty(fc.array(anyMove, { minLength: 20, maxLength: 60, size: 'max' }), play);
    await fc.assert(property, {
      seed,
      numRuns: 40,
      interruptAfterTimeLimit: 15_000,
      markInterruptAsFailure: false,
    });
  }).timeout(60_000);
});
