import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files/files';
import { decodeText } from '../../platform/text/utf8';
import type { TaskDraft } from '../../queue/taskQueue';
import { writeCells, type Cells } from './cellOptions';
import type { Context } from '../context';

/**
 * Reads tasks from a file, or from standard input (`-`). Each line is a prompt, or a JSON object of cells by column
 * name. Empty lines are skipped.
 * @throws Problem `usage`
 */
export async function readBatch(context: Context, from: string): Promise<readonly TaskDraft[]> {
  const text = from === '-' ? await context.system.readInput() : await readFile(context, from);
  const name = from === '-' ? 'standard input' : from;
  const tasks: TaskDraft[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const place = `${name}, line ${String(index + 1)}`;
    if (line.trim() !== '') tasks.push({ fields: await readLine(context, line, place), place });
  }
  if (tasks.length === 0)
    throw new Problem('usage', `There is no task in ${name}: write one prompt per line.`);
  return tasks;
}

async function readFile({ system }: Context, from: string): Promise<string> {
  try {
    return decodeText(from, await fs.readFile(path.resolve(system.cwd, from)));
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EACCES', 'EISDIR')) throw error;
    throw new Problem('usage', `${from} cannot be read: ${String(error)}`, { cause: error });
  }
}

async function readLine(context: Context, line: string, where: string): Promise<Cells> {
  if (!line.trimStart().startsWith('{')) return { prompt: line.trim() };
  const given = Object.entries(parseObject(line, where));
  const cells = Object.fromEntries(
    given.map(([column, value]) => [column, writeValue(column, value, where)]),
  );
  if ('id' in cells) throw new Problem('usage', `${where}: leave out "id", the queue gives ids itself.`);
  if ((cells['prompt'] ?? '').trim() === '') throw new Problem('usage', `${where}: "prompt" is missing.`);
  return writeCells(context, cells, `${where}: `);
}

function parseObject(line: string, where: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new Problem('usage', `${where} is not JSON: ${String(error)}`, { cause: error });
  }
  throw new Problem('usage', `${where} is not a JSON object.`);
}

/** Columns whose cells are texts with `|` between them. */
const LISTS: readonly string[] = ['dependencies', 'tags', 'allowed_tools'];

/** Columns whose cells are JSON. */
const JSON_CELLS: readonly string[] = ['verify', 'metadata'];

/** Formats a JSON value as a cell. */
function writeValue(column: string, value: unknown, where: string): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (JSON_CELLS.includes(column)) return JSON.stringify(value);
  if (typeof value === 'number') return String(value);
  if (column === 'unless_unchanged' && typeof value === 'boolean') return value ? 'true' : '';
  if (LISTS.includes(column) && Array.isArray(value))
    return value.map((item) => writeValue(column, item, where)).join('|');
  const allowed = LISTS.includes(column) ? 'a text, a number nor a list' : 'a text nor a number';
  throw new Problem('usage', `${where}: "${column}" is neither ${allowed}.`);
}
