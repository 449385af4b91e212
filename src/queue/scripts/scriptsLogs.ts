import * as fs from 'node:fs/promises';
import { parseTime } from '../../domain/time/localTime';
import type { EpochMs } from '../../domain/time/epoch';
import type { ScriptsLog, ScriptsRecord } from '../../domain/task/scriptsHistory';
import { hasCode } from '../../platform/files/files';
import type { StatePaths } from '../queuePaths';

/** Content of the logs of `queue_manager.sh`. */
export interface ScriptsLogs {
  /** Oldest first. */
  readonly records: readonly ScriptsRecord[];
  /** Number of lines that are not records, by log. */
  readonly unreadable: ReadonlyMap<ScriptsLog, number>;
}

/** Size above which a log is ignored, in bytes: the scripts append one line per attempt. */
const LARGEST_LOG_BYTES = 64 * 1024 * 1024;

/** Longest plausible attempt, in seconds. */
const LONGEST_RUN_SECONDS = 366 * 24 * 3600;

/** Parses the fields of one line; null if it is not a record. */
type ReadLine = (fields: readonly string[], timeZone: string) => Omit<ScriptsRecord, 'log' | 'id'> | null;

/** Byte order mark, which an editor may have put at the start of a log. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** Formats of the logs: the number of fields before the prompt, and their meaning. */
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

/** Time by which a record may lie in the future, in ms: a clock may be wrong, or the zone may have changed. */
const LATEST_MS = 24 * 3_600_000;

/**
 * Reads the logs of `queue_manager.sh` in a state folder. `timeZone` is the machine's, because the scripts write
 * local time. A record from the future counts as unreadable: because of it a task might not be due for years.
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
  // The prompt may contain commas if a later program wrote it.
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

/**
 * Returns a cell without its quotes. The scripts write a cell as it is in the CSV file; a cell that they cut at a
 * comma has only its first quote.
 */
function unquote(cell: string): string {
  if (!cell.startsWith('"')) return cell;
  return (cell.length > 1 && cell.endsWith('"') ? cell.slice(1, -1) : cell.slice(1)).replaceAll('""', '"');
}
