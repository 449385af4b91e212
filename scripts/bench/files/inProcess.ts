import { writeFileSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { parse } from 'csv-parse/sync';
import { longestStretch, median, round, rowOf, timeOf, type BenchRow } from './measuring';
import { naiveQueue } from './naive';
import { claimNext, composeQueue, finishAndClaim, QueuePlace } from './queuePlace';
import { sqliteQueue } from './sqlite';

const NOT_INSTALLED = 'not installed';

/** Times of steps that follow each other. */
async function timesOf(count: number, step: (index: number) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await timeOf(() => step(index)));
  return times;
}

/** Ends a task and claims the next, on a file that nobody touches meanwhile; and what naive and SQLite take for it. */
export async function measureWarm(size: number, steps: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const own = await measureOwn(size, steps);
  const naive = await measureNaive(size, size > 10_000 ? 5 : 9);
  const sqlite = await measureSqlite(size, steps);
  const what = 'end a task and claim the next';
  rows.push(
    rowOf(what, size, own.times, {
      against: 'naive',
      ...(naive === null ? { note: NOT_INSTALLED } : { ratio: round(median(naive) / median(own.times)) }),
      ...(size === 10_000 ? { goal: '≥ 200' } : {}),
    }),
  );
  rows.push(
    rowOf(`${what}, once more`, size, own.times, {
      against: 'better-sqlite3',
      ...(sqlite === null ? { note: NOT_INSTALLED } : { ratio: round(median(own.times) / median(sqlite)) }),
      ...(size === 10_000 ? { goal: '≤ 2' } : {}),
    }),
  );
  if (naive !== null) rows.push(rowOf(`${what}: naive`, size, naive));
  if (sqlite !== null) rows.push(rowOf(`${what}: better-sqlite3`, size, sqlite));
  rows.push(
    rowOf('longest stretch of a step', size, own.stretches, size === 10_000 ? { goal: '≤ 2 ms' } : {}),
  );
  return rows;
}

async function measureOwn(
  size: number,
  steps: number,
): Promise<{ readonly times: number[]; readonly stretches: number[] }> {
  const place = new QueuePlace(size);
  try {
    const queue = await place.open();
    let claimed = await claimNext(queue, 'first');
    const step = async (name: string): Promise<void> => {
      claimed = await finishAndClaim(queue, claimed, name);
    };
    await timesOf(Math.min(200, size / 10), (index) => step(`warm-${index}`));
    await queue.writeBack();
    const times = await timesOf(steps, (index) => step(`own-${index}`));
    const stretches = await timesOf(0, () => undefined);
    for (let turn = 0; turn < 30; turn++) stretches.push(await longestStretch(() => step(`stretch-${turn}`)));
    await queue.close();
    return { times, stretches };
  } finally {
    place.remove();
  }
}

async function measureNaive(size: number, steps: number): Promise<number[] | null> {
  const place = new QueuePlace(size);
  try {
    const naive = naiveQueue(place.file);
    if (naive === null) return null;
    let running = await naive.step(null);
    return await timesOf(steps, async () => {
      running = await naive.step(running);
    });
  } finally {
    place.remove();
  }
}

async function measureSqlite(size: number, steps: number): Promise<number[] | null> {
  const place = new QueuePlace(1);
  try {
    const sqlite = sqliteQueue(path.join(place.folder, 'queue.sqlite'), size);
    if (sqlite === null) return null;
    let running: number | null = null;
    const times = await timesOf(steps, () => {
      running = sqlite.step(running);
    });
    sqlite.close();
    return times;
  } finally {
    place.remove();
  }
}

/** A step right after somebody changed a row in their editor, beside what csv-parse alone takes for the file. */
export async function measureHandEdit(size: number, times: number): Promise<BenchRow[]> {
  const place = new QueuePlace(size);
  try {
    const queue = await place.open();
    let claimed = await claimNext(queue, 'first');
    const [own, parsed, stretches]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; turn < times * 2; turn++) {
      await queue.writeBack();
      editRow(place.file, size - 10 - turn, turn);
      const step = async (): Promise<void> => {
        claimed = await finishAndClaim(queue, claimed, `edit-${turn}`);
      };
      if (turn % 2 === 0) own.push(await timeOf(step));
      else stretches.push(await longestStretch(step));
      parsed.push(await timeOf(() => parse(readFileSync(place.file), { columns: true })));
    }
    await queue.close();
    const isGoal = size === 10_000;
    return [
      rowOf('a step after one row was edited by hand', size, own, {
        ratio: round(median(own) / median(parsed)),
        against: 'csv-parse of the file',
        ...(isGoal ? { goal: '≤ 0.25' } : {}),
      }),
      rowOf('csv-parse of the file', size, parsed),
      rowOf(
        'longest stretch of a step after a hand edit',
        size,
        stretches,
        isGoal ? { goal: '≤ 10 ms' } : {},
      ),
    ];
  } finally {
    place.remove();
  }
}

/** As an editor saves: in place, all of it. */
function editRow(file: string, id: number, turn: number): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(`\n${id},`, `\n${id},`).replace(`/place/${id},`, `/place/${id}/e${turn},`),
  );
}

/** From nothing to everything that can be shown. */
export async function measureLoad(size: number, times: number): Promise<BenchRow> {
  const place = new QueuePlace(size);
  try {
    const loads = await timesOf(times, async () => {
      const queue = await place.open();
      const { tasks, problems } = await queue.read();
      if (tasks.length !== size || problems.length > 0) throw new Error(`${tasks.length} tasks were read`);
      await queue.close();
    });
    const text = Buffer.from(composeQueue(size));
    const parsed = await timesOf(times, () => parse(text, { columns: true }));
    const ratio = round(median(loads) / median(parsed));
    return rowOf('open and read a queue', size, loads, { ratio, against: 'csv-parse of the file' });
  } finally {
    place.remove();
  }
}
