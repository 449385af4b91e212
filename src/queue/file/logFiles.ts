import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { appendDurably, hasCode, readIfThere } from '../../platform/files';
import { LOG_NAMES } from './seedLogs';

const NEW_LINE = '\n';

/**
 * Appends `lines` to each log, once: where a crash cut an earlier call off, what it wrote behind `sizes` (the logs'
 * sizes before) is completed and not written again. A log that its owner shortened or removed goes on as it is.
 */
export async function appendLogs(
  folder: string,
  lines: ReadonlyMap<string, string>,
  sizes: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [name, text] of lines) {
    const file = path.join(folder, name);
    const present = (await readIfThere(file)) ?? Buffer.alloc(0);
    const missing = missingPart(present, Buffer.from(text), sizes[name] ?? 0);
    if (missing.length > 0) await appendDurably(file, missing);
  }
}

function missingPart(present: Buffer, text: Buffer, sizeBefore: number): Buffer {
  const before = present.subarray(0, sizeBefore);
  const behind = present.subarray(sizeBefore);
  const addition = onNewLine(before, text);
  if (behind.length <= addition.length && addition.subarray(0, behind.length).equals(behind)) {
    return addition.subarray(behind.length);
  }
  return behind.includes(text) ? Buffer.alloc(0) : onNewLine(present, text);
}

/** What to append behind `present` so that `text` begins a line. */
function onNewLine(present: Buffer, text: Buffer): Buffer {
  const endsLine = present.length === 0 || present.at(-1) === NEW_LINE.charCodeAt(0);
  return endsLine ? text : Buffer.concat([Buffer.from(NEW_LINE), text]);
}

/** The sizes of the logs now, 0 for one that is not there. */
export async function measureLogs(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of LOG_NAMES) sizes[name] = await sizeOf(path.join(folder, name));
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
