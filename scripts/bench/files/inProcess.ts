import { writeFileSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { parse } from 'csv-parse/sync';
import { longestBlock, median, round, rowOf, timeOf, type BenchRow } from './measuring';
import { naiveQueue } from './naive';
import { claimNext, composeQueue, finishAndClaim, QueuePlace } from './queuePlace';
import { sqliteQueue } from './sqlite';

/** Times of steps that follow each other. */
async function timesOf(count: number, step: (index: number) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await timeOf(() => step(index)));
  return times;
}

/** A queue whose steps are measured: each ends a task and claims the next, and is durable when it returns. */
interface Contestant {
  step(): unknown;
  end(): unknown;
}

const ROUNDS = 9;
const WHAT = 'end a task and claim the next';

/** On a file that nobody touches meanwhile; and what naive and SQLite take for it. They take turns: a busy minute hits all. */
export async function measureWarm(size: number, steps: number): Promise<BenchRow[]> {
  const [own, naive, sqlite] = [await ownSteps(size), await naiveSteps(size), sqliteSteps(size)];
  const [ownTimes, naiveTimes, sqliteTimes]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    ownTimes.push(...(await timesOf(steps, () => own.step())));
    if (naive !== null) naiveTimes.push(...(await timesOf(1, () => naive.step())));
    if (sqlite !== null) sqliteTimes.push(...(await timesOf(steps, () => sqlite.step())));
  }
  const stretches: number[] = [];
  for (let turn = 0; turn < 30; turn++) {
    stretches.push(await longestBlock(() => Promise.resolve(own.step())));
  }
  for (const contestant of [own, naive, sqlite]) await contestant?.end();
  const isGoal = size === 10_000;
  const middle = median(ownTimes);
  return [
    rowOf(WHAT, size, ownTimes, {
      ...comparison('naive', naive === null ? null : median(naiveTimes) / middle),
      ...(isGoal ? { goal: '≥ 200' } : {}),
    }),
    rowOf(`${WHAT}, beside SQLite`, size, ownTimes, {
      ...comparison('better-sqlite3', sqlite === null ? null : middle / median(sqliteTimes)),
      ...(isGoal ? { goal: '≤ 2' } : {}),
    }),
    ...(naive === null ? [] : [rowOf(`${WHAT}: naive`, size, naiveTimes)]),
    ...(sqlite === null ? [] : [rowOf(`${WHAT}: better-sqlite3`, size, sqliteTimes)]),
    rowOf('longest stretch of a step', size, stretches, isGoal ? { goal: '≤ 2 ms' } : {}),
  ];
}

function comparison(against: string, ratio: number | null): Partial<BenchRow> {
  return ratio === null ? { against, note: 'not installed' } : { against, ratio: round(ratio) };
}

async function ownSteps(size: number): Promise<Contestant> {
  const place = new QueuePlace(size);
  const queue = await place.open();
  let claimed = await claimNext(queue, 'first');
  let turn = 0;
  const step = async (): Promise<void> => {
    claimed = await finishAndClaim(queue, claimed, `own-${turn++}`);
  };
  await timesOf(Math.min(200, size / 10), step);
  await queue.sync();
  return {
    step,
    end: async () => {
      await queue.close();
      place.remove();
    },
  };
}

async function naiveSteps(size: number): Promise<Contestant | null> {
  const place = new QueuePlace(size);
  const naive = naiveQueue(place.file);
  let running = (await naive?.step(null)) ?? null;
  if (naive === null) place.remove();
  return naive === null
    ? null
    : {
        step: async () => {
          running = await naive.step(running);
        },
        end: () => place.remove(),
      };
}

function sqliteSteps(size: number): Contestant | null {
  const place = new QueuePlace(1);
  const sqlite = sqliteQueue(path.join(place.folder, 'queue.sqlite'), size);
  let running: number | null = null;
  if (sqlite === null) place.remove();
  return sqlite === null
    ? null
    : {
        step: () => {
          running = sqlite.step(running);
        },
        end: () => {
          sqlite.close();
          place.remove();
        },
      };
}

/** A step right after somebody changed a row in their editor, beside what csv-parse alone takes for the file. */
export async function measureHandEdit(size: number, times: number): Promise<BenchRow[]> {
  const place = new QueuePlace(size);
  try {
    const queue = await place.open();
    let claimed = await claimNext(queue, 'first');
    const [own, parsed, stretches]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; turn < times * 2; turn++) {
      await queue.sync();
      editRow(place.file, size - 10 - turn, turn);
      const step = async (): Promise<void> => {
        claimed = await finishAndClaim(queue, claimed, `edit-${turn}`);
      };
      if (turn % 2 === 0) own.push(await timeOf(step));
      else stretches.push(await longestBlock(step));
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
  writeFileSync(file, text.replace(`/place/${id},`, `/place/${id}/e${turn},`));
}

/** Measures opening a queue and reading all that can be shown. */
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
