import type { Random } from '../machine/random';
import type { Size } from './size';
import { QUEUE_URL, ROW_URL } from './callbackReceiver';

/** A queue before its history starts. */
export interface Setup {
  readonly csv: string;
  readonly settings: string;
  readonly isTrusted: boolean;
}

const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries,user,tags,note';

/** Time at which every history starts: a Friday evening. */
export const EVENING = Date.parse('2026-11-20T18:00:00Z');

/** Returns a time as a user writes it into a cell. */
export function cellTime(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}

/** Draws a queue. A third of them have rows with callbacks. */
export function drawSetup(random: Random, callbacks: Random, { rows }: Size): Setup {
  const count = random.between(...rows);
  const lines = [HEADER, ...Array.from({ length: count }, (_, index) => drawRow(random, index + 1))];
  const csv = callbacks.oneIn(3)
    ? lines.map((line, index) => `${line},${index === 0 ? 'callback_url' : drawUrl(callbacks)}`)
    : lines;
  return {
    csv: `${csv.join('\n')}\n`,
    settings: drawSettings(random),
    isTrusted: random.oneIn(3),
  };
}

function drawRow(random: Random, id: number): string {
  const dependency = id > 1 && random.oneIn(3) ? drawDependencies(random, id) : '';
  const repeats = random.oneIn(5);
  const cells = [
    String(id),
    random.pick(['critical', 'high', 'medium', 'medium', 'low', '']),
    random.pick(['/place/a', '/place/b', 'c', '.']),
    random.pick([`Do ${String(id)}`, `"Do ${String(id)}, then rest"`, `"Two\nlines ""${String(id)}"""`]),
    'pending',
    random.oneIn(5) ? cellTime(EVENING + random.between(-10, 12) * 60_000) : '',
    dependency,
    repeats ? 'yes' : 'no',
    repeats ? random.pick(['30m', '*/2 * * * *', '*/10 * * * *']) : '',
    '0',
    random.pick(['1', '2', '3', '3']),
    random.pick(['', '', 'ann', 'bob']),
    random.oneIn(10) ? 'spare' : '',
    `kept ${String(id)}`,
  ];
  return cells.join(',');
}

function drawUrl(random: Random): string {
  return random.pick(['', ROW_URL, QUEUE_URL]);
}

function drawDependencies(random: Random, id: number): string {
  const first = random.between(1, id - 1);
  const other = random.between(1, id - 1);
  return random.oneIn(3) && other !== first ? `${String(first)}|${String(other)}` : String(first);
}

/** Draws settings: small numbers, so that everything with a bound can be used up. */
export function drawSettings(random: Random): string {
  const lines = [
    `maxRunning: ${random.pick(['1', '2', '3'])}`,
    `retryBackoff: ${random.pick(['10s', '30s', '1m'])}`,
    `retryBackoffMax: ${random.pick(['1m', '5m'])}`,
    `retryJitter: ${random.pick(['0', '0.2'])}`,
    `strict: ${random.pick(['true', 'false', 'false'])}`,
    `mediumToHigh: ${random.pick(['4h', '30s', '2m'])}`,
    `lowToMedium: ${random.pick(['24h', '1m'])}`,
    `promotedToHigh: ${random.pick(['4h', '2m'])}`,
    `breakerFailures: ${random.pick(['0', '2', '3'])}`,
    `missedRuns: ${random.pick(['once', 'skip', 'skip', 'all', 'all'])}`,
    `missedAfter: ${random.pick(['0s', '0s', '1m', '1h', '1h'])}`,
    `maxPerHour: ${random.pick(['50', '20', '8'])}`,
    `freshSessionAt: ${random.pick(['150000', '0'])}`,
    `selfReport: ${random.pick(['asked', 'off'])}`,
    ...(random.oneIn(4)
      ? [`quietHours: [{ from: "18:${String(random.between(10, 30))}", to: "18:50", priorities: [low] }]`]
      : []),
    `preempt: ${random.pick(['off', 'critical', 'critical'])}`,
  ];
  return `${lines.join('\n')}\n`;
}
