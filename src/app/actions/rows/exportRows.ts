import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../../domain/problem';
import { FULL_DISK, hasCode, replaceDurably, statIfThere, writeAll } from '../../../platform/files/files';
import { resolveFile, resolveLinks } from '../../../platform/files/paths';
import { t } from '../../../platform/text/translate';
import { encodeCell } from '../../../queue/csv/csvFile';
import type { RowTable } from '../../../queue/rowTable';
import type { SharedQueue } from '../../../queue/sharedQueue';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { QueueContext } from '../../context/queueContext';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import { parseTable } from './importRows';

/** Returns the rows of a queue as CSV, with the current status of the tasks. */
export async function exportRows({ paths }: QueueContext, queue: TaskQueue | SharedQueue): Promise<string> {
  if ('exportRows' in queue) return formatTable(await queue.exportRows());
  // The file shows the status of the tasks only after this.
  await queue.sync();
  return formatTable(parseTable(paths.file, await fs.readFile(paths.file), 'export'));
}

/**
 * Writes the rows of a queue to a file, as CSV.
 * @throws Problem `inside-run`; `output-exists` if the file exists, unless `force` is set; `output-unwritable` if the
 * disk is full
 */
export async function writeExport(
  queueContext: QueueContext,
  queue: TaskQueue | SharedQueue,
  file: string,
  { force }: { readonly force: boolean },
): Promise<void> {
  // It could replace files that an attempt may not write by itself.
  await refuseInsideAttempt(queueContext, queue, 'write the queue to a file');
  const target = path.resolve(queueContext.host.cwd, file);
  if (resolveLinks(target) === queueContext.queueFile)
    throw new Problem('usage', t('{0} is the queue itself. Name another file.', file));
  const text = await exportRows(queueContext, queue);
  try {
    await (force ? replaceFile(target, text) : createFile(target, text, 'wx'));
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      const message = t('{0} already exists. Name another file, or replace it with --force.', file);
      throw new Problem('output-exists', message, { cause: error });
    }
    if (hasCode(error, ...FULL_DISK)) {
      const message = t('{0} was not written: the disk is full. Make room, then try again.', file);
      throw new Problem('output-unwritable', message, { cause: error });
    }
    if (!hasCode(error, 'ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EROFS')) throw error;
    throw new Problem('usage', t('{0} cannot be written: {1}', file, String(error)), { cause: error });
  }
}

/** Writes a new file. If that fails, no part of it stays. */
async function createFile(file: string, text: string, flag: 'w' | 'wx'): Promise<void> {
  const handle = await fs.open(file, flag);
  try {
    await writeAll(handle, Buffer.from(text));
  } catch (error) {
    await fs.rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Replaces a file in one step: if that fails, it is as it was. A hard link to the queue itself stays the queue. */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await resolveFile(file);
  const existing = await statIfThere(target);
  if (existing === null) await createFile(file, text, 'w');
  else if (existing.isFile()) await replaceDurably(target, text, existing.mode & PERMISSION_BITS);
  else await fs.writeFile(target, text);
}

const PERMISSION_BITS = 0o777;

const COMMA = { delimiter: ',' } as const;

/** Returns a table as CSV. */
export function formatTable({ columns, rows }: RowTable): string {
  // The delimiter of a file is found by its header, outside quotes.
  const header = columns.map((name) => encodeCell(name, COMMA, /[;\t\ufeff]/.test(name))).join(',');
  return [header, ...rows.map(formatRow), ''].join('\n');
}

/** A row of one blank cell needs quotes: without them it is a blank line. */
function formatRow(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  if (others.length === 0) return encodeCell(first, COMMA, first.trim() === '');
  return texts.map((text) => encodeCell(text, COMMA, false)).join(',');
}
