import { configureGlobal } from 'fast-check';

/** Whether this is `npm run test:long`, which takes minutes where `npm test` takes seconds. */
export const isLong = process.env['LONG'] === '1';

/** Where all that is generated starts: the same in each run, unless `FUZZ_SEED` says otherwise. It is printed with what failed. */
export const seed = readSeed(process.env['FUZZ_SEED'] ?? '1');

/** A seed that is no number would draw the same faults again and again. */
function readSeed(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`FUZZ_SEED must be a whole number, not "${text}".`);
  return number;
}

// For every property, also one that asks for nothing else: this file is loaded before all tests (.mocharc.json).
configureGlobal({ seed });

/** Options for a property in fast-check: `FUZZ_RUNS` runs if that is set. */
export function fuzzed(short: number, long: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Number(process.env['FUZZ_RUNS'] ?? (isLong ? long : short)), seed };
}

/** Prints a figure of what was tried, which `npm run test:long` gathers. */
export function report(figure: string): void {
  process.stdout.write(`      figure: ${figure} (FUZZ_SEED=${String(seed)})\n`);
}

/** Numbers from 0 to 1 that are the same for the same seed (the "minimal standard" generator). */
export function randomFrom(start: number): () => number {
  let state = (start % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
