import { hash } from 'node:crypto';
import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EpochMs } from '../../domain/time/epoch';
import {
  hasCode,
  isOfSystem,
  makePrivateFolder,
  readIfThere,
  replaceDurably,
} from '../../platform/files/files';
import { stampTextOf } from '../../platform/files/fileStamp';
import {
  fields,
  isBoolean,
  isNumber,
  isText,
  listOf,
  orAbsent,
  orNull,
  recordOf,
} from '../../platform/text/shapes';
import { findConfigFolder } from '../attempt/session';
import { locateClaude, type InstallationFacts, type InstallationOptions } from './installation';
import { nameProgram, type Offers, type OffersMemory } from './offers';
import { CLOUD_SWITCHES, KEY_VARIABLES, TOKEN_VARIABLE, type SignIn } from './signIn';

/** Last answer of Claude Code. */
export interface RememberedInstallation {
  /** Without the account's e-mail address and organization. */
  readonly claude: InstallationFacts;
  /** Options and permission modes of this version; null if it was never asked for them. */
  readonly offers: Offers | null;
  readonly askedAt: EpochMs;
  /** Time from which the answer has been the same. */
  readonly since: EpochMs;
  /** Whether the program, the user's settings and the sign-in are unchanged since. */
  readonly isCurrent: boolean;
}

interface Entry extends Pick<RememberedInstallation, 'claude' | 'askedAt'> {
  /** Absent in files of earlier versions. */
  readonly since?: EpochMs;
  readonly stamp: string;
}

type Entries = Readonly<Record<string, Entry>>;

/** Flags that a program offers; see `OffersMemory`. */
interface KnownProgram {
  readonly program: string;
  readonly flags: readonly string[];
  readonly modes: readonly string[];
}

/** Format version of the file. */
const VERSION = 1;

interface Stored {
  readonly version: number;
  readonly entries: Entries;
  /** The newest first. Absent in files of earlier versions. */
  readonly programs?: readonly KnownProgram[];
}

/**
 * Maximum number of entries, one for each combination of settings and environment, and of programs. The oldest is
 * dropped first.
 */
const MOST_ENTRIES = 8;

/**
 * Keeps Claude Code's last answers in a file of the user. Who pays is for display and to prepare a start: Claude Code
 * itself is asked before an attempt gets its prompt. What it offers stays the same as long as the program does.
 */
export class InstallationMemory implements OffersMemory {
  private readonly file: string;

  constructor(private readonly stateFolder: string) {
    this.file = path.join(stateFolder, 'claude.json');
  }

  /**
   * Stores the answer without the account's e-mail address and organization.
   */
  async remember(options: InstallationOptions, claude: InstallationFacts, askedAt: EpochMs): Promise<void> {
    const key = keyOf(claude.path, options);
    await this.update(async ({ entries, ...rest }) => {
      const stamp = await stampOf(claude.path, options.environment);
      const others = Object.entries(entries).filter(([name]) => name !== key);
      others.sort(([, one], [, other]) => other.askedAt - one.askedAt);
      const facts = withoutUser(claude);
      const before = entries[key];
      const isSame = before !== undefined && isDeepStrictEqual(before.claude, facts);
      const since = isSame ? (before.since ?? before.askedAt) : askedAt;
      const kept: Entries = Object.fromEntries([
        [key, { askedAt, since, stamp, claude: facts }],
        ...others.slice(0, MOST_ENTRIES - 1),
      ]);
      return { ...rest, entries: kept };
    });
  }

  /**
   * Returns the last answer for these options without starting a program; null if there is none. @throws
   * Problem `claude-missing`
   */
  async recall(options: InstallationOptions): Promise<RememberedInstallation | null> {
    const program = await locateClaude(options);
    const stored = await this.read();
    const entry = stored.entries[keyOf(program, options)];
    if (entry === undefined) return null;
    const { claude, askedAt, since = askedAt, stamp } = entry;
    const isCurrent = stamp === (await stampOf(program, options.environment));
    return { claude, offers: offersOf(stored, await nameProgram(claude)), askedAt, since, isCurrent };
  }

  async recallOffers(program: string): Promise<Offers | null> {
    return offersOf(await this.read(), program);
  }

  async rememberOffers(program: string, { flags, modes }: Offers): Promise<void> {
    await this.update(({ programs = [], ...rest }) => {
      const others = programs.filter((one) => one.program !== program).slice(0, MOST_ENTRIES - 1);
      return { ...rest, programs: [{ program, flags: [...flags], modes: [...modes] }, ...others] };
    });
  }

  /** Rewrites the file. If it cannot be written, nothing is stored. */
  private async update(change: (stored: Stored) => Stored | Promise<Stored>): Promise<void> {
    try {
      const changed = await change(await this.read());
      await makePrivateFolder(this.stateFolder);
      await replaceDurably(this.file, `${JSON.stringify(changed, null, 2)}\n`);
    } catch (error) {
      if (!isOfSystem(error)) throw error;
    }
  }

  /** Returns nothing stored if the file is unreadable, damaged or from another version. The next answer replaces it. */
  private async read(): Promise<Stored> {
    try {
      const bytes = await readIfThere(this.file);
      const stored: unknown = bytes === null ? null : JSON.parse(bytes.toString());
      return isStored(stored) && stored.version === VERSION ? stored : NOTHING;
    } catch (error) {
      if (error instanceof SyntaxError || isOfSystem(error)) return NOTHING;
      throw error;
    }
  }
}

function offersOf({ programs }: Stored, name: string | null): Offers | null {
  const known = programs?.find(({ program }) => program === name);
  return known === undefined ? null : { flags: new Set(known.flags), modes: new Set(known.modes) };
}

/** Returns the facts without the account's e-mail address and organization; `accountKey` still identifies it. */
export function withoutUser(claude: InstallationFacts): InstallationFacts {
  const { email: _email, orgId: _orgId, ...auth } = claude.auth;
  return { ...claude, auth };
}

const NOTHING: Stored = { version: VERSION, entries: {} };

/** Returns a hash of what decides who pays: the program, the settings and the environment. It shows no key. */
function keyOf(program: string, { environment, billing, account }: InstallationOptions): string {
  const parts = [
    program,
    billing ?? 'auto',
    account ?? '',
    findConfigFolder(environment),
    ...[...KEY_VARIABLES, TOKEN_VARIABLE, ...CLOUD_SWITCHES].map((name) => environment[name] ?? ''),
  ];
  return hash('sha256', parts.join('\0'));
}

/**
 * Returns a stamp that changes with the program, its user's settings and its sign-in, as far as files show
 * that.
 */
async function stampOf(program: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const config = findConfigFolder(environment);
  const files = ['.credentials.json', 'settings.json'].map((name) => path.join(config, name));
  return [await stampTextOf(program), ...(await Promise.all(files.map(stampIfThere)))].join(' ');
}

async function stampIfThere(file: string): Promise<string> {
  try {
    return await stampTextOf(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return '-';
    throw error;
  }
}

const isStored = fields<Stored>({
  version: isNumber,
  programs: orAbsent(
    listOf(fields<KnownProgram>({ program: isText, flags: listOf(isText), modes: listOf(isText) })),
  ),
  entries: recordOf(
    isText,
    fields<Entry>({
      askedAt: isNumber,
      since: orAbsent(isNumber),
      stamp: isText,
      claude: fields<InstallationFacts>({
        path: isText,
        version: orNull(isText),
        auth: fields<SignIn>({
          loggedIn: isBoolean,
          method: isText,
          keySource: orAbsent(isText),
          provider: orAbsent(isText),
          subscriptionType: orAbsent(isText),
          planTier: orAbsent(isText),
        }),
        billing: isText,
        billingChoice: isText,
        unusedKeys: listOf(isText),
        accountKey: isText,
      }),
    }),
  ),
});
