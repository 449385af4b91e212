// Measures a queue in Redis, beside BullMQ with a priority for each job, in turns on the same Redis. Prints one JSON
// object. Sizes of the backlog: `… 1000 10000`. As a child it plays a slow network.
import type { BenchRow } from './files/measuring';
import { playDelay } from './redis/delayedRedis';
import {
  measureAdding,
  measureBacklog,
  measureBesideFile,
  measureCosts,
  measureDurable,
  measureFar,
  measureHandling,
  measureStarts,
} from './redis/suite';

const SIZES = [1_000, 10_000, 100_000];

async function measureAll(sizes: readonly number[]): Promise<BenchRow[]> {
  const parts = [
    ...[measureAdding, measureHandling, measureStarts, measureCosts, measureFar, measureBesideFile],
    ...(['everysec', 'always'] as const).map((aof) => () => measureDurable(aof)),
    ...sizes.map((size) => () => measureBacklog(size)),
  ];
  const rows: BenchRow[] = [];
  for (const [index, measure] of parts.entries()) {
    rows.push(...(await measure()));
    process.stderr.write(`redis: ${index + 1} of ${parts.length} parts measured\n`);
  }
  return rows;
}

async function main([role, ...rest]: readonly string[]): Promise<void> {
  if (role === 'delay') return playDelay(Number(rest[0]), Number(rest[1]));
  const sizes = role === undefined ? SIZES : [role, ...rest].map(Number);
  const rows = await measureAll(sizes);
  process.stdout.write(`${JSON.stringify({ title: 'A queue in Redis', rows })}\n`);
}

void main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  // A connection that is still open would keep it from ending.
  process.exit(1);
});
