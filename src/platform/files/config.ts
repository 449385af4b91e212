import { isProblem, type Place, Problem } from '../../domain/problem';
import type { ParsedNode } from 'yaml';
import { readIfThere } from './files';

/**
 * Returns the unchecked values of a settings file (YAML 1.2); `{}`: there is no such file, or it is empty.
 * @throws Problem `settings-invalid` if it cannot be read or is not YAML, naming file, line and column
 */
export async function readConfig(file: string): Promise<unknown> {
  const text = await readText(file);
  if (text === null) return {};
  // Loaded on demand, since most queues have no settings file.
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw notYaml(`${file}:${line}:${col}`, error);
  }
  try {
    const values: unknown = document.toJS();
    return values ?? {};
  } catch (cause) {
    // An alias without its anchor, or aliases that would grow without bounds.
    if (cause instanceof ReferenceError) throw notYaml(file, cause);
    throw cause;
  }
}

/** Returns where a readable settings file has this setting, or this key in a setting; null: nowhere. */
export async function placeInConfig(file: string, ...keys: readonly string[]): Promise<Place | null> {
  const text = await readText(file);
  if (text === null) return null;
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  let place: Place | null = null;
  let node: unknown = parseDocument(text, { lineCounter: lines, logLevel: 'silent' }).contents;
  for (const name of keys) {
    if (!isMap<ParsedNode, ParsedNode | null>(node)) return null;
    const pair = node.items.find(({ key }) => isScalar(key) && nameKey(key.value) === name);
    if (pair === undefined) return null;
    const { line, col } = lines.linePos(pair.key.range[0]);
    place = { line, column: col };
    node = pair.value;
  }
  return place;
}

/** Returns a key as the values of the file have it, also one that is a number, or missing. */
function nameKey(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function readText(file: string): Promise<string | null> {
  try {
    return (await readIfThere(file))?.toString() ?? null;
  } catch (error) {
    if (isProblem(error)) throw new Problem('settings-invalid', error.message, { cause: error });
    const { code } = error as NodeJS.ErrnoException;
    const message = `${file} cannot be read (${code ?? String(error)}). Make it a readable file, or remove it.`;
    throw new Problem('settings-invalid', message, { cause: error });
  }
}

function notYaml(place: string, cause: Error): Problem {
  const message = `${place} is not valid YAML: ${cause.message}. Correct it, or remove the file to use the defaults.`;
  return new Problem('settings-invalid', message, { cause });
}
