import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { figure, round, rowOf, timeOf, type BenchRow } from './measuring';
import { openBenchQueue, QueuePlace } from './queuePlace';

/** `claude-queue status` from its start to its end, in a process of its own. */
export async function measureStatus(size: number, times: number): Promise<BenchRow> {
  const what = '`claude-queue status`';
  const cli = path.join(process.cwd(), 'dist', 'cli.js');
  if (!existsSync(cli)) return { what, unit: 'ms', size, note: 'not built' };
  const place = new QueuePlace(size);
  try {
    const env = { HOME: place.folder, PATH: process.env['PATH'], CLAUDE_QUEUE_CLAUDE: '/none' };
    const all: number[] = [];
    for (let turn = 0; turn < times; turn++) {
      const args = [cli, '--queue', place.file, 'status'];
      all.push(await timeOf(() => execFileSync(process.execPath, args, { env, maxBuffer: 1 << 30 })));
    }
    return rowOf(what, size, all);
  } finally {
    place.remove();
  }
}

/** Measures the memory of one task after its queue has been read. */
export function measureMemory(size: number): BenchRow[] {
  const place = new QueuePlace(size);
  try {
    const args = ['--expose-gc', ...process.execArgv, process.argv[1] ?? '', 'memory', place.file];
    const { heap, rss } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Grown;
    return [
      figure('heap and buffers of a task', 'bytes', round(heap / size), { size }),
      figure('resident memory of a task', 'bytes', round(rss / size), { size }),
    ];
  } finally {
    place.remove();
  }
}

interface Grown {
  readonly heap: number;
  readonly rss: number;
}

/** Reads a queue in a process whose memory is measured, and prints the growth as JSON. */
export async function playMemory(file: string): Promise<void> {
  const before = usedMemory();
  const queue = await openBenchQueue(file);
  const snapshot = await queue.read();
  const after = usedMemory();
  if (snapshot.tasks.length === 0) throw new Error('Nothing was read.');
  process.stdout.write(JSON.stringify({ heap: after.heap - before.heap, rss: after.rss - before.rss }));
  await queue.close();
}

function usedMemory(): Grown {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heap: heapUsed + arrayBuffers, rss };
}
