import * as fs from 'node:fs/promises';
import { parseTime } from '../../domain/time/localTime';
import type { EpochMs } from '../../domain/time/epoch';
import type { ScriptsLog, ScriptsRecord } from '../../domain/task/scriptsHistory';
import { hasCode } from '../../platform/files/files';
import type { StatePaths } from '../queuePaths';

/** What the logs of `queue_manager.sh` hold. */
export interface ScriptsLogs {
  /** Oldest first. */
  readonly records: readonly ScriptsRecord[];
  /** Lines that are no record, by log. */
  readonly unreadable: ReadonlyMap<ScriptsLog, number>;
}

/** A larger log is no log of theirs: they append a line a run. */
const LARGEST_LOG_BYTES = 64 * 1024 * 1024;

/** No run takes longer. */
const LONGEST_RUN_SECONDS = 366 * 24 * 3600;

/** Reads the fields of one line, and the rest of it; null: it is no record. */
type ReadLine = (fields: readonly string[], timeZone: string) => Omit<ScriptsRecord, 'log' | 'id'> | null;

/** An editor may have put it at the start of a log. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** How many fields come before the prompt, and what they say. */
const FORMATS: Readonly<Record<ScriptsLog, { readonly fields: number; readonly read: ReadLine }>> = {
  'executed.log': {
    fields: 4,
    read: ([, time, seconds, code, prompt], timeZone) =>
      toRecord(parseTime(time ?? '', timeZone), seconds, code, prompt),
  },
  'repeat_tasks.log': {
    fields: 5,
    read: ([, epoch, seconds, code, , prompt]) => toRecord(parseEpoch(epoch ?? ''), seconds, code, prompt),
  },
  'quota_exceeded.log': {
    fields: 4,
    read: ([, time, seconds, word, prompt], timeZone) =>
      toRecord(
        parseTime(time ?? '', timeZone),
        seconds,
        word === 'quota_exceeded' ? QUOTA_CODE : undefined,
        prompt,
      ),
  },
  'retry_tasks.log': {
    fields: 6,
    read: ([, time, seconds, code, , , prompt], timeZone) =>
      toRecord(parseTime(time ?? '', timeZone), seconds, code, prompt),
  },
};

const QUOTA_CODE = '2';

/** By how much a clock, or a change of the zone, may have made a record too late. */
const LATEST_MS = 24 * 3_600_000;

/**
 * Reads the logs of `queue_manager.sh` in a state folder. `timeZone` is the machine's: they write its local time. A record
 * of a time that has not come yet cannot be read: by it a task would not be due for years.
 */
export async function readScriptsLogs(
  state: StatePaths,
  { timeZone, now }: { readonly timeZone: string; readonly now: EpochMs },
): Promise<ScriptsLogs> {
  const records: ScriptsRecord[] = [];
  const unreadable = new Map<ScriptsLog, number>();
  for (const log of Object.keys(FORMATS) as ScriptsLog[]) {
    const lines = (await readLog(state.log(log)))
      .replace(BYTE_ORDER_MARK, '')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const read = lines.map((line) => readRecord(log, line, timeZone));
    const found = read.filter((record) => record !== null).filter(({ at }) => at <= now + LATEST_MS);
    for (const record of found) records.push(record);
    if (found.length < read.length) unreadable.set(log, read.length - found.length);
  }
  return { records: records.sort((a, b) => a.at - b.at), unreadable };
}

async function readLog(file: string): Promise<string> {
  try {
    const stat = await fs.lstat(file);
    return stat.isFile() && stat.size <= LARGEST_LOG_BYTES ? await fs.readFile(file, 'utf8') : '';
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return '';
    throw error;
  }
}

function readRecord(log: ScriptsLog, line: string, timeZone: string): ScriptsRecord | null {
  const { fields: count, read } = FORMATS[log];
  const parts = line.trimEnd().split(',');
  // The prompt may hold commas where a later program wrote it.
  const fields = [...parts.slice(0, count), parts.slice(count).join(',')];
  const id = /^[1-9]\d{0,14}$/.test(fields[0] ?? '') ? Number(fields[0]) : null;
  const record = id === null || parts.length <= count ? null : read(fields, timeZone);
  return record === null || id === null ? null : { log, id, ...record };
}

function toRecord(
  at: EpochMs | null,
  seconds: string | undefined,
  code: string | undefined,
  prompt = '',
): Omit<ScriptsRecord, 'log' | 'id'> | null {
  const isTaken = /^\d{1,8}$/.test(seconds ?? '') && Number(seconds) <= LONGEST_RUN_SECONDS;
  if (at === null || !isTaken || !/^\d{1,3}$/.test(code ?? '')) return null;
  return { at, seconds: Number(seconds), code: Number(code), prompt: unquote(prompt.trim()) };
}

function parseEpoch(text: string): EpochMs | null {
  return /^\d{9,11}$/.test(text) ? Number(text) * 1000 : null;
}

/** The scripts write a cell as it is in the file; one that they cut at a comma has only its first quote. */
function unquote(cell: string): string {
  if (!cell.startsWith('"')) return cell;
  return (cell.length > 1 && cell.endsWith('"') ? cell.slice(1, -1) : cell.slice(1)).replaceAll('""', '"');
}
