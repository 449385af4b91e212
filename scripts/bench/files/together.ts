import { spawn } from 'node:child_process';
import { finished } from 'node:stream/promises';
import { figure, round, type BenchRow } from './measuring';
import { naiveQueue } from './naive';
import { benchWant, openBenchQueue, QueuePlace, successOf } from './queuePlace';

const PROCESSES = 4;

/** What one process of several did. */
interface Share {
  readonly ids: readonly number[];
  readonly slowestMs: number;
}

/** What a process of several is told. */
export interface ShareOrders {
  readonly kind: 'own' | 'naive';
  readonly file: string;
  readonly name: string;
  readonly lengthMs: number;
}

/** Four processes that end tasks of one file and claim the next, as fast as they can. */
export async function measureTogether(size: number): Promise<BenchRow[]> {
  const own = await together('own', size, 3_000);
  const naive = await together('naive', size, 8_000);
  const what = `${PROCESSES} processes on one file`;
  const ratio = naive.perSecond === 0 ? {} : { ratio: round(own.perSecond / naive.perSecond) };
  return [
    figure(what, 'steps/s', own.perSecond, { size, ...ratio, against: 'naive', goal: '≥ 100' }),
    figure(`${what}: naive`, 'steps/s', naive.perSecond, { size }),
    figure(`${what}: slowest step`, 'ms', own.slowestMs, { size, goal: '< 150' }),
    figure(`${what}: slowest step, naive`, 'ms', naive.slowestMs, { size }),
    figure(`${what}: tasks claimed twice`, 'tasks', own.twice, { size, goal: '0' }),
  ];
}

async function together(
  kind: ShareOrders['kind'],
  size: number,
  lengthMs: number,
): Promise<{ readonly perSecond: number; readonly slowestMs: number; readonly twice: number }> {
  const place = new QueuePlace(size);
  try {
    const players = Array.from({ length: PROCESSES }, (_, index) =>
      startPlayer({ kind, file: place.file, name: `p${index}`, lengthMs }),
    );
    await Promise.all(players.map(({ ready }) => ready));
    for (const player of players) player.go();
    const shares = await Promise.all(players.map(({ share }) => share));
    const ids = shares.flatMap((share) => share.ids);
    return {
      perSecond: round((ids.length / lengthMs) * 1000),
      slowestMs: round(Math.max(...shares.map(({ slowestMs }) => slowestMs))),
      twice: ids.length - new Set(ids).size,
    };
  } finally {
    place.remove();
  }
}

/** A process that is told to go when all are ready, and tells what it did at its end. */
interface Player {
  readonly ready: Promise<void>;
  readonly share: Promise<Share>;
  go(): void;
}

function startPlayer(orders: ShareOrders): Player {
  const args = [...process.execArgv, process.argv[1] ?? '', 'share', JSON.stringify(orders)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.startsWith(READY)) resolve();
    });
  });
  const share = new Promise<Share>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(out.slice(READY.length)) as Share);
      else reject(new Error(`A process of the measurement ended with ${code ?? 'a signal'}.`));
    });
  });
  return { ready: Promise.race([ready, share.then(() => undefined)]), share, go: () => child.stdin.end() };
}

const READY = 'ready\n';

/** What a process of several does; it tells it as JSON. */
export async function playShare(orders: ShareOrders): Promise<void> {
  const step = orders.kind === 'own' ? await ownSteps(orders) : naiveSteps(orders);
  const ids: number[] = [];
  let slowestMs = 0;
  process.stdout.write(READY);
  await finished(process.stdin.resume());
  const until = performance.now() + orders.lengthMs;
  for (let now = performance.now(); step !== null && now < until;) {
    const id = await step();
    slowestMs = Math.max(slowestMs, performance.now() - now);
    now = performance.now();
    if (id === null) break;
    ids.push(id);
  }
  process.stdout.write(JSON.stringify({ ids, slowestMs: round(slowestMs) }));
}

async function ownSteps({ file, name }: ShareOrders): Promise<() => Promise<number | null>> {
  const queue = await openBenchQueue(file);
  let running = await queue.claim(benchWant(), `${name}-first`);
  let turn = 0;
  return async () => {
    if (running.kind === 'idle') throw new Error(`Nothing was claimed: ${running.why.text}`);
    const done = running;
    running = (await queue.finish(done.claim, successOf(done), `${name}-${turn++}`, benchWant())) ?? running;
    return done.claim.id;
  };
}

function naiveSteps({ file }: ShareOrders): (() => Promise<number | null>) | null {
  const naive = naiveQueue(file);
  if (naive === null) return null;
  let running: string | null = null;
  return async () => {
    running = await naive.step(running);
    return running === null ? null : Number(running);
  };
}
