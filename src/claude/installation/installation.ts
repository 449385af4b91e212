import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Billing, BillingChoice } from '../../domain/task/attempt';
import { Problem } from '../../domain/problem';
import { listFixedFolders } from '../../platform/processes/environment';
import { isProgram } from '../../platform/processes/findProgram';
import { firstLine } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';
import { buildEnvironment } from '../attempt/command';
import { findOffers, type Offers, type OffersMemory } from './offers';
import { findConfigFolder } from '../attempt/session';
import {
  findCredential,
  findPayment,
  findSet,
  KEY_VARIABLES,
  parseSignIn,
  type Payment,
  type SignIn,
  UNKNOWN_SIGN_IN,
} from './signIn';
import { FIRST_WITH_AUTH_STATUS, isAtLeast } from './versions';

/** The user's own Claude Code. */
export interface Installation {
  /** Absolute path of the program. */
  readonly path: string;
  /** Such as `2.1.329`; null if the program does not report it. */
  readonly version: string | null;
  readonly auth: SignIn;
  /** Account type that attempts are billed to. */
  readonly billing: Billing;
  /** Account type that the user chose. */
  readonly billingChoice: BillingChoice;
  /** Environment variables with a key that attempts do not get. */
  readonly unusedKeys: readonly string[];
  /** Returns the options and permission modes of this version. The program is asked unless they are remembered. */
  readonly readOffers: () => Promise<Offers>;
  /** Identifies the account without revealing it (SHA-256, hex). Its gate is kept under this key. */
  readonly accountKey: string;
}

/** Facts about an installation that need no further call of the program. */
export type InstallationFacts = Omit<Installation, 'readOffers'>;

export interface InstallationOptions {
  /** Path or name of the program; default `claude`. */
  readonly claude?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Default `auto`. */
  readonly billing?: BillingChoice;
  /** Name for the account, instead of what Claude Code reports; empty means none. */
  readonly account?: string;
  /** Timeout for each call of the program, in milliseconds. */
  readonly timeoutMs?: number;
}

const ANSWER_MS = 30_000;
const ADVICE = t(
  'Install Claude Code (npm install -g @anthropic-ai/claude-code), or set its path: the setting "claude", in a terminal also --claude PATH.',
);

/**
 * Finds Claude Code and asks it who is signed in. No network. What it offers is kept in `memory`.
 * @throws Problem `claude-missing`
 */
export async function findInstallation(
  options: InstallationOptions,
  memory?: OffersMemory,
): Promise<Installation> {
  const { environment, billing: choice = 'auto', timeoutMs = ANSWER_MS } = options;
  const path = await locateClaude(options);
  const ask = (billing: Billing, ...args: string[]): Promise<string> =>
    askProgram(
      path,
      args,
      buildEnvironment(environment, { billing, attemptMark: '', apiRetries: 0 }),
      timeoutMs,
    );
  const version = /\d+\.\d+\.\d+/.exec(await ask('none', '--version'))?.[0] ?? null;
  const hasAuthStatus = version !== null && isAtLeast(version, FIRST_WITH_AUTH_STATUS);
  const { auth, billing } = await findPayment(choice, environment, async (by) =>
    hasAuthStatus ? parseSignIn(await ask(by, 'auth', 'status')) : UNKNOWN_SIGN_IN,
  );
  const name = options.account ?? '';
  return {
    path,
    version,
    auth,
    billing,
    billingChoice: choice,
    unusedKeys: billing === 'api-key' ? [] : findSet(KEY_VARIABLES, environment),
    readOffers: () => findOffers({ path, version }, () => ask('none', '--help'), memory),
    accountKey: hash('sha256', name === '' ? nameAccount({ auth, billing }, environment) : `named\0${name}`),
  };
}

/** Returns the path of the program without starting it. @throws Problem `claude-missing` */
export async function locateClaude({
  claude = 'claude',
  environment,
}: Pick<InstallationOptions, 'claude' | 'environment'>): Promise<string> {
  if (isAbsolute(claude) || claude.includes(sep)) {
    const path = resolve(claude);
    if (await isProgram(path)) return path;
    throw new Problem('claude-missing', t('There is no program at {0}. {1}', path, ADVICE));
  }
  // Relative folders of the PATH are skipped: the current folder may hold anybody's programs.
  for (const folder of listFixedFolders(environment)) {
    const path = join(folder, claude);
    if (await isProgram(path)) return path;
  }
  throw new Problem('claude-missing', t('There is no program "{0}" on the PATH. {1}', claude, ADVICE));
}

/**
 * Returns the program's standard output, whatever its exit code: `auth status` exits with 1 if nobody is signed
 * in.
 */
async function askProgram(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout: number,
): Promise<string> {
  try {
    const running = promisify(execFile)(path, args, {
      // The current folder may be an untrusted repository, whose settings must not decide who is signed in.
      cwd: '/',
      env,
      timeout,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    running.child.stdin?.end();
    return (await running).stdout;
  } catch (cause) {
    if (isExit(cause)) return cause.stdout;
    const why = firstLine(cause instanceof Error ? cause.message : String(cause));
    const message = t(
      '{0} does not answer to {1} ({2}). Run it yourself to see why. {3}',
      path,
      args.join(' '),
      why,
      ADVICE,
    );
    throw new Problem('claude-missing', message, { cause });
  }
}

/** Whether a program ran and exited by itself. One that was never started has a system error as its code. */
function isExit(error: unknown): error is Error & { readonly stdout: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'stdout' in error;
}

/**
 * Returns the account, to be hashed: as Claude Code shows it, else by its token or key, which is the same on each machine, else by
 * its configuration folder.
 */
function nameAccount({ auth, billing }: Payment, environment: NodeJS.ProcessEnv): string {
  const { email, orgId, method } = auth;
  if (email !== undefined || orgId !== undefined) return [orgId ?? '', email ?? ''].join('\0');
  const credential = findCredential({ auth, billing }, environment);
  return credential === ''
    ? [findConfigFolder(environment), method, billing].join('\0')
    : `credential\0${credential}`;
}
