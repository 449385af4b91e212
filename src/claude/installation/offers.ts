import { stat } from 'node:fs/promises';

/** Options and permission modes of the installed version of Claude Code, from its help. */
export interface Offers {
  /** Options, such as `--permission-prompts`. */
  readonly flags: ReadonlySet<string>;
  /** Permission modes, such as `auto`. */
  readonly modes: ReadonlySet<string>;
}

/** Options that work although the help does not list them: measured with 2.0.20, 2.1.90 and 2.1.329. */
const UNLISTED_FLAGS: readonly string[] = ['--max-turns'];
/** Names of the default mode. `manual` is the newer one; versions that have it take both but list only that. */
const DEFAULT_MODES: readonly string[] = ['manual', 'default'];

/** Parses the output of `claude --help`. */
function parseOffers(help: string): Offers {
  const lines = help.split('\n').filter((line) => /^ {2,}-/.test(line));
  const flags = lines.flatMap((line) => line.match(/(?<=^ {2,}|, )--?[A-Za-z][\w-]*/g) ?? []);
  const choices = /--permission-mode <mode>[^(]*\(choices:([^)]*)\)/.exec(help)?.[1] ?? '';
  const modes = [...choices.matchAll(/"(\w+)"/g)].map(([, mode = '']) => mode);
  return {
    flags: new Set([...flags, ...(flags.length === 0 ? [] : UNLISTED_FLAGS)]),
    modes: new Set([...modes, ...(modes.includes('manual') ? DEFAULT_MODES : [])]),
  };
}

/** Cache of what programs offer. A program's help stays the same as long as the program does. */
const known = new Map<string, Promise<Offers>>();

/** Returns what this program offers. Its help is read once. `ask` returns the help. */
export async function findOffers(
  path: string,
  version: string | null,
  ask: () => Promise<string>,
): Promise<Offers> {
  const key = `${path}\0${version ?? ''}\0${String((await stat(path)).mtimeMs)}`;
  const found = known.get(key) ?? ask().then(parseOffers);
  known.set(key, found);
  // A failed call is repeated the next time.
  found.catch(() => known.delete(key));
  return found;
}
