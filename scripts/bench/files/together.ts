import { spawn } from 'node:child_process';
import { finished } from 'node:stream/promises';
import { median, round, type BenchRow } from './measuring';
import { naiveQueue } from './naive';
import { benchWant, openBenchQueue, QueuePlace, successOf } from './queuePlace';

const PROCESSES = 4;

/** Rounds of a measurement; the first only warms up. */
const ROUNDS = 7;

/** The end of a task and the claim of the next: when it was over since the processes went off, and how long it took. */
type DoneStep = readonly [id: number, endedMs: number, tookMs: number];

/** Orders for one process of several. */
export interface ShareOrders {
  readonly kind: 'own' | 'naive';
  readonly file: string;
  readonly name: string;
  readonly lengthMs: number;
}

/** Four processes that end tasks of one file and claim the next, as fast as they can. */
export async function measureTogether(size: number): Promise<BenchRow[]> {
  const own = await together('own', size, 1_000);
  const naive = await together('naive', size, 2_000);
  const what = `${PROCESSES} processes on one file`;
  const speed = median(own.perSecond);
  const naiveSpeed = median(naive.perSecond);
  const ratio = naiveSpeed > 0 ? { ratio: round(speed / naiveSpeed) } : {};
  return [
    rateRow(what, size, own.perSecond, { ...ratio, against: 'naive', goal: '≥ 100' }),
    rateRow(`${what}: naive`, size, naive.perSecond),
    slowestRow(`${what}: slowest step of a second`, size, own.slowestMs, { goal: '< 150' }),
    slowestRow(`${what}: slowest step, naive`, size, naive.slowestMs),
    {
      what: `${what}: tasks claimed twice`,
      unit: 'tasks',
      size,
      median: own.twice,
      least: own.twice,
      goal: '0',
    },
  ];
}

/** Figures, one for each round. */
interface Rounds {
  readonly perSecond: readonly number[];
  readonly slowestMs: readonly number[];
  readonly twice: number;
}

function rateRow(
  what: string,
  size: number,
  rates: readonly number[],
  more: Partial<BenchRow> = {},
): BenchRow {
  return {
    what,
    unit: 'steps/s',
    size,
    median: round(median(rates)),
    least: round(Math.min(...rates)),
    ...more,
  };
}

/** Makes a row of the slowest steps, with the worst of all in its name. */
function slowestRow(
  what: string,
  size: number,
  ms: readonly number[],
  more: Partial<BenchRow> = {},
): BenchRow {
  const worst = round(Math.max(...ms));
  return {
    what: `${what} (worst: ${String(worst)} ms)`,
    unit: 'ms',
    size,
    median: round(median(ms)),
    least: round(Math.min(...ms)),
    ...more,
  };
}

async function together(kind: ShareOrders['kind'], size: number, roundMs: number): Promise<Rounds> {
  const place = new QueuePlace(size);
  try {
    const lengthMs = ROUNDS * roundMs;
    const players = Array.from({ length: PROCESSES }, (_, index) =>
      startPlayer({ kind, file: place.file, name: `p${index}`, lengthMs }),
    );
    await Promise.all(players.map(({ ready }) => ready));
    for (const player of players) player.go();
    const steps = (await Promise.all(players.map(({ share }) => share))).flat();
    return cutIntoRounds(steps, roundMs);
  } finally {
    place.remove();
  }
}

function cutIntoRounds(steps: readonly DoneStep[], roundMs: number): Rounds {
  const rounds: number[][] = Array.from({ length: ROUNDS }, () => []);
  for (const [, endedMs, tookMs] of steps) {
    rounds[Math.min(ROUNDS - 1, Math.floor(endedMs / roundMs))]?.push(tookMs);
  }
  const [, ...counted] = rounds;
  return {
    perSecond: counted.map(({ length }) => (length / roundMs) * 1000),
    slowestMs: counted.map((times) => Math.max(0, ...times)),
    twice: steps.length - new Set(steps.map(([id]) => id)).size,
  };
}

/** A process that starts when all are ready, and reports its steps at its end. */
interface Player {
  readonly ready: Promise<void>;
  readonly share: Promise<readonly DoneStep[]>;
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
  const share = new Promise<readonly DoneStep[]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(out.slice(READY.length)) as DoneStep[]);
      else reject(new Error(`A process of the measurement ended with ${code ?? 'a signal'}.`));
    });
  });
  return { ready: Promise.race([ready, share.then(() => undefined)]), share, go: () => child.stdin.end() };
}

const READY = 'ready\n';

/** Plays one process of several, and prints its steps as JSON. */
export async function playShare(orders: ShareOrders): Promise<void> {
  const step = orders.kind === 'own' ? await ownSteps(orders) : naiveSteps(orders);
  const steps: DoneStep[] = [];
  process.stdout.write(READY);
  await finished(process.stdin.resume());
  const startedMs = performance.now();
  for (let now = startedMs; step !== null && now < startedMs + orders.lengthMs;) {
    const id = await step();
    const ended = performance.now();
    if (id === null) break;
    steps.push([id, round(ended - startedMs), round(ended - now)]);
    now = ended;
  }
  process.stdout.write(JSON.stringify(steps));
}

async function ownSteps({ file, name }: ShareOrders): Promise<() => Promise<number | null>> {
  const queue = await openBenchQueue(file);
  let running = await queue.claim(benchWant(), `${name}-first`);
  let turn = 0;
  return async () => {
    if (running.kind === 'idle') throw new Error(`Nothing was claimed: ${running.why.state}`);
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
