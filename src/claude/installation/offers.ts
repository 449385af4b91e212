import { stat } from 'node:fs/promises';

/** What the installed version of Claude Code takes, as its own help says. */
export interface Offers {
  /** Its options, such as `--permission-prompts`. */
  readonly flags: ReadonlySet<string>;
  /** The permission modes that it has, such as `auto`. */
  readonly modes: ReadonlySet<string>;
}

/** Options that work without being told of in the help: measured with 2.0.20, 2.1.90 and 2.1.329. */
const UNTOLD_FLAGS: readonly string[] = ['--max-turns'];
/** `manual` is the newer word for `default`; since then both are taken, though only one is told of. */
const DEFAULT_MODES: readonly string[] = ['manual', 'default'];

/** Reads what `claude --help` writes. */
function parseOffers(help: string): Offers {
  const lines = help.split('\n').filter((line) => /^ {2,}-/.test(line));
  const flags = lines.flatMap((line) => line.match(/(?<=^ {2,}|, )--?[A-Za-z][\w-]*/g) ?? []);
  const choices = /--permission-mode <mode>[^(]*\(choices:([^)]*)\)/.exec(help)?.[1] ?? '';
  const modes = [...choices.matchAll(/"(\w+)"/g)].map(([, mode = '']) => mode);
  return {
    flags: new Set([...flags, ...(flags.length === 0 ? [] : UNTOLD_FLAGS)]),
    modes: new Set([...modes, ...(modes.includes('manual') ? DEFAULT_MODES : [])]),
  };
}

/** A program's help stays the same as long as the program does. */
const known = new Map<string, Promise<Offers>>();

/** What this program takes; it is asked for its help once. `ask` gives the help. */
export async function findOffers(
  path: string,
  version: string | null,
  ask: () => Promise<string>,
): Promise<Offers> {
  const key = `${path}\0${version ?? ''}\0${String((await stat(path)).mtimeMs)}`;
  const found = known.get(key) ?? ask().then(parseOffers);
  known.set(key, found);
  // What went wrong is asked again the next time.
  found.catch(() => known.delete(key));
  return found;
}
