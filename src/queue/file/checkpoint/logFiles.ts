import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { PRIVATE_FILE, statIfThere, syncPath, writeAll } from '../../../platform/files/files';
import type { LogLines } from '../../model/events';
import type { StatePaths } from '../../queuePaths';
import { LOG_NAMES } from './logLines';

const NEW_LINE = 0x0a;

/**
 * Appends `lines` to each log, once. `sizes` are the logs' sizes before. If a crash interrupted an earlier call,
 * completes what that call wrote behind them. A log that its owner shortened or removed continues as it is.
 *
 * Writes at an offset, not at the end. A process that was frozen between its look and its write then writes the same
 * bytes to the same place as its successor.
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

/** Flags for appending. Never follows a link: one may have appeared since the folder was checked. */
const FOR_MORE = fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW;

/** Appends lines to one file, as `appendLogs` does. */
export async function appendOnce(file: string, lines: string, sizeBefore: number): Promise<void> {
  const text = Buffer.from(lines);
  const handle = await fs.open(file, FOR_MORE, PRIVATE_FILE);
  try {
    const { size } = await handle.stat();
    const before = Math.min(size, sizeBefore);
    const behind = await readFrom(handle, before, size);
    const isLineStart = before === 0 || (await readFrom(handle, before - 1, before)).at(0) === NEW_LINE;
    const missing = missingPart(behind, text, isLineStart);
    await writeAll(handle, missing, size);
    // Also if nothing is missing: a process that wrote it may have died before it was on the disk.
    await handle.datasync();
    if (before === 0) await syncPath(path.dirname(file));
  } finally {
    await handle.close();
  }
}

async function readFrom(handle: fs.FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** Returns the bytes to append after `behind` so that `text` is there once, as lines of its own. */
function missingPart(behind: Buffer, text: Buffer, isLineStart: boolean): Buffer {
  const addition = isLineStart ? text : Buffer.concat([Buffer.of(NEW_LINE), text]);
  if (addition.subarray(0, behind.length).equals(behind)) return addition.subarray(behind.length);
  if (behind.includes(text)) return Buffer.alloc(0);
  return behind.at(-1) === NEW_LINE ? text : Buffer.concat([Buffer.of(NEW_LINE), text]);
}

/** Returns the current sizes of the logs in bytes; 0 for a log that does not exist. */
export async function measureLogs(state: StatePaths): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of LOG_NAMES) sizes[name] = (await statIfThere(state.log(name)))?.size ?? 0;
  return sizes;
}
