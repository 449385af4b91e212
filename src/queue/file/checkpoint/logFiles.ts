import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, PRIVATE_FILE, syncFolder, writeAll } from '../../../platform/files/files';
import type { LogLines } from '../../model/events';
import type { StatePaths } from '../../queuePaths';
import { LOG_NAMES } from './logLines';

const NEW_LINE = 0x0a;

/**
 * Appends `lines` to each log, once: where a crash cut an earlier call off, what it wrote behind `sizes` (the logs'
 * sizes before) is completed and not written again. A log that its owner shortened or removed continues as it is.
 *
 * It writes at a place, not at the end: an owner that was frozen between its look and its write puts the same bytes
 * where its successor has put them.
 */
export async function appendLogs(
  state: StatePaths,
  lines: LogLines,
  sizes: Readonly<Record<string, number>>,
): Promise<void> {
  for (const name of LOG_NAMES) {
    const text = lines[name];
    if (text !== undefined) await appendOnce(state.log(name), text, sizes[name] ?? 0);
  }
}

/** A link may have come since the folder was looked through: nothing is written to what it names. */
const FOR_MORE = fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW;

/** As `appendLogs`, to one file. */
export async function appendOnce(file: string, lines: string, sizeBefore: number): Promise<void> {
  const text = Buffer.from(lines);
  const handle = await fs.open(file, FOR_MORE, PRIVATE_FILE);
  try {
    const { size } = await handle.stat();
    const before = Math.min(size, sizeBefore);
    const behind = await readFrom(handle, before, size);
    const isLineStart = before === 0 || (await readFrom(handle, before - 1, before)).at(0) === NEW_LINE;
    const missing = missingPart(behind, text, isLineStart);
    if (missing.length === 0) return;
    await writeAll(handle, missing, size);
    await handle.datasync();
    if (size === 0) await syncFolder(path.dirname(file));
  } finally {
    await handle.close();
  }
}

async function readFrom(handle: fs.FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** What is to follow `behind` so that `text` is there as lines of its own. */
function missingPart(behind: Buffer, text: Buffer, isLineStart: boolean): Buffer {
  const addition = isLineStart ? text : Buffer.concat([Buffer.of(NEW_LINE), text]);
  if (addition.subarray(0, behind.length).equals(behind)) return addition.subarray(behind.length);
  if (behind.includes(text)) return Buffer.alloc(0);
  return behind.at(-1) === NEW_LINE ? text : Buffer.concat([Buffer.of(NEW_LINE), text]);
}

/** The sizes of the logs now, 0 for one that is not there. */
export async function measureLogs(state: StatePaths): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of LOG_NAMES) sizes[name] = await sizeOf(state.log(name));
  return sizes;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await fs.stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
