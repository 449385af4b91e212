// Measures a queue in a file, beside a queue that is written in an afternoon (naive), SQLite, and csv-parse alone.
// Prints one JSON object. As a child it plays one process of several. `npx tsx scripts/bench/fileQueue.ts`; sizes: `…
// 1000 10000`.
import { measureHandEdit, measureLoad, measureWarm } from './files/inProcess';
import type { BenchRow } from './files/measuring';
import { measureMemory, measureStatus, playMemory } from './files/processes';
import { measureTogether, playShare, type ShareOrders } from './files/together';

const SIZES = [1_000, 10_000, 100_000];

async function measureAll(sizes: readonly number[]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of sizes) rows.push(...(await measureWarm(size, size > 1_000 ? 100 : 50)));
  for (const size of sizes) rows.push(...(await measureHandEdit(size, 7)));
  if (sizes.includes(10_000)) rows.push(...(await measureTogether(10_000)));
  for (const size of sizes) rows.push(await measureLoad(size, 5));
  for (const size of sizes) rows.push(await measureStatus(size, 5));
  rows.push(...measureMemory(Math.max(...sizes)));
  return rows;
}

async function main([role, ...rest]: readonly string[]): Promise<void> {
  const [orders = ''] = rest;
  if (role === 'share') return playShare(JSON.parse(orders) as ShareOrders);
  if (role === 'memory') return playMemory(orders);
  const sizes = role === undefined ? SIZES : [role, ...rest].map(Number);
  const rows = await measureAll(sizes);
  process.stdout.write(`${JSON.stringify({ title: 'A queue in a file', rows })}\n`);
}

void main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
