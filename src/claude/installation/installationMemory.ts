import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../domain/time/epoch';
import { hasCode, makePrivateFolder, readIfThere, replaceDurably } from '../../platform/files/files';
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
import { CLOUD_SWITCHES, findSet, KEY_VARIABLES, TOKEN_VARIABLE, type SignIn } from './signIn';

/** Last answer of Claude Code. */
export interface RememberedInstallation {
  readonly claude: InstallationFacts;
  readonly askedAt: EpochMs;
  /** Whether the program, the user's settings and the sign-in are unchanged since. */
  readonly isCurrent: boolean;
}

interface Entry extends Pick<RememberedInstallation, 'claude' | 'askedAt'> {
  readonly stamp: string;
}

type Entries = Readonly<Record<string, Entry>>;

/** Format version of the file. */
const VERSION = 1;

interface Stored {
  readonly version: number;
  readonly entries: Entries;
}

/**
 * Maximum number of entries: one for each combination of settings and environment. The oldest is dropped first.
 */
const MOST_ENTRIES = 8;

/**
 * Keeps Claude Code's last answer in a file of the user. It is only for display: Claude Code itself is asked
 * before anything runs.
 */
export class InstallationMemory {
  private readonly file: string;

  constructor(private readonly stateFolder: string) {
    this.file = path.join(stateFolder, 'claude.json');
  }

  /**
   * Stores the answer without the account's e-mail address and organization. If the file cannot be written,
   * nothing is stored.
   */
  async remember(options: InstallationOptions, claude: InstallationFacts, askedAt: EpochMs): Promise<void> {
    const { email: _email, orgId: _orgId, ...auth } = claude.auth;
    const key = keyOf(claude.path, options);
    try {
      const stamp = await stampOf(claude.path, options.environment);
      const others = Object.entries(await this.read()).filter(([name]) => name !== key);
      others.sort(([, one], [, other]) => other.askedAt - one.askedAt);
      const entries: Entries = Object.fromEntries([
        [key, { askedAt, stamp, claude: { ...claude, auth } }],
        ...others.slice(0, MOST_ENTRIES - 1),
      ]);
      await makePrivateFolder(this.stateFolder);
      await replaceDurably(this.file, `${JSON.stringify({ version: VERSION, entries }, null, 2)}\n`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  /**
   * Returns the last answer for these options without starting a program; null if there is none. @throws
   * Problem `claude-missing`
   */
  async recall(options: InstallationOptions): Promise<RememberedInstallation | null> {
    const program = await locateClaude(options);
    const entry = (await this.read())[keyOf(program, options)];
    if (entry === undefined) return null;
    const { claude, askedAt, stamp } = entry;
    return { claude, askedAt, isCurrent: stamp === (await stampOf(program, options.environment)) };
  }

  /** Returns no entries if the file is damaged or from another version. The next answer replaces it. */
  private async read(): Promise<Entries> {
    const bytes = await readIfThere(this.file);
    if (bytes === null) return {};
    try {
      const stored: unknown = JSON.parse(bytes.toString());
      return isStored(stored) && stored.version === VERSION ? stored.entries : {};
    } catch (error) {
      if (error instanceof SyntaxError) return {};
      throw error;
    }
  }
}

/** Returns a hash of what decides who pays: the program, the settings and the environment. No key is in it. */
function keyOf(program: string, { environment, billing, account }: InstallationOptions): string {
  const parts = [
    program,
    billing ?? 'auto',
    account ?? '',
    findConfigFolder(environment),
    ...findSet([...KEY_VARIABLES, TOKEN_VARIABLE], environment),
    ...CLOUD_SWITCHES.map((name) => environment[name] ?? ''),
  ];
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

/**
 * Returns a stamp that changes with the program, its user's settings and its sign-in, as far as files show
 * that.
 */
async function stampOf(program: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const real = await realpath(program);
  const config = findConfigFolder(environment);
  const files = [real, ...['.credentials.json', 'settings.json'].map((name) => path.join(config, name))];
  return [real, ...(await Promise.all(files.map(changedAt)))].join(' ');
}

async function changedAt(file: string): Promise<string> {
  try {
    return String((await stat(file)).mtimeMs);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return '-';
    throw error;
  }
}

const isStored = fields<Stored>({
  version: isNumber,
  entries: recordOf(
    isText,
    fields<Entry>({
      askedAt: isNumber,
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
