import { isProblem, type Place, Problem } from '../../domain/problem';
import { entryOf, parseConfig } from './configText';
import { readIfThere } from './files';
import { t } from '../text/translate';

/**
 * Returns the unchecked values of a settings file (YAML 1.2); `{}`: there is no such file, or it is empty.
 * @throws Problem `settings-invalid` if it cannot be read or is not YAML, naming file, line and column
 */
export async function readConfig(file: string): Promise<unknown> {
  const text = await readText(file);
  if (text === null) return {};
  const { values, errors } = await parseConfig(text);
  const [error] = errors;
  if (error === undefined) return values;
  const { place, cause } = error;
  throw notYaml(place === null ? file : `${file}:${formatPlace(text, place.start)}`, cause);
}

/** Returns where a readable settings file has this setting, or this key in a setting; null: nowhere. */
export async function placeInConfig(file: string, ...keys: readonly string[]): Promise<Place | null> {
  const text = await readText(file);
  if (text === null) return null;
  let place: Place | null = null;
  let { root: node } = await parseConfig(text);
  for (const name of keys) {
    const entry = entryOf(node, name);
    if (entry === undefined) return null;
    place = placeAt(text, entry.key.start);
    node = entry.value;
  }
  return place;
}

function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function formatPlace(text: string, offset: number): string {
  const { line, column } = placeAt(text, offset);
  return `${String(line)}:${String(column)}`;
}

async function readText(file: string): Promise<string | null> {
  try {
    return (await readIfThere(file))?.toString() ?? null;
  } catch (error) {
    if (isProblem(error)) throw new Problem('settings-invalid', error.message, { cause: error });
    const { code } = error as NodeJS.ErrnoException;
    const message = t(
      '{0} cannot be read ({1}). Make it a readable file, or remove it.',
      file,
      code ?? String(error),
    );
    throw new Problem('settings-invalid', message, { cause: error });
  }
}

function notYaml(place: string, cause: Error): Problem {
  const message = t(
    '{0} is not valid YAML: {1}. Correct it, or remove the file to use the defaults.',
    place,
    cause.message,
  );
  return new Problem('settings-invalid', message, { cause });
}
