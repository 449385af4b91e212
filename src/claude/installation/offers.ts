import { stampTextOf } from '../../platform/files/fileStamp';

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

/** A program with its version; null if that is unknown. */
interface Program {
  readonly path: string;
  readonly version: string | null;
}

/** Returns the name of this version of this file; null if the version is unknown. */
export async function nameProgram({ path, version }: Program): Promise<string | null> {
  return version === null ? null : `${version} ${await stampTextOf(path)}`;
}

/** Keeps offers beyond the end of this process, by `nameProgram`. */
export interface OffersMemory {
  recallOffers(program: string): Promise<Offers | null>;
  rememberOffers(program: string, offers: Offers): Promise<void>;
}

/**
 * Returns what this program offers. Its help is read once for each version of each file. The version must be a fresh
 * answer: the file may only start another program, which is updated without it. `ask` returns the help.
 */
export async function findOffers(
  installed: Program,
  ask: () => Promise<string>,
  memory?: OffersMemory,
): Promise<Offers> {
  const program = await nameProgram(installed);
  const known = program === null ? null : await memory?.recallOffers(program);
  if (known) return known;
  const offers = parseOffers(await ask());
  // A program without options did not answer.
  if (program !== null && offers.flags.size > 0) await memory?.rememberOffers(program, offers);
  return offers;
}
