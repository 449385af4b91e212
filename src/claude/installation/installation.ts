import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Billing, BillingChoice } from '../../domain/task/attempt';
import { Problem } from '../../domain/problem';
import { listFixedFolders } from '../../platform/processes/environment';
import { isProgram } from '../../platform/processes/findProgram';
import { firstLine } from '../../platform/text/plainText';
import { buildEnvironment } from '../attempt/command';
import { findOffers, type Offers } from './offers';
import { findConfigFolder } from '../attempt/session';
import { findPayment, findSet, KEY_VARIABLES, parseSignIn, type SignIn, UNKNOWN_SIGN_IN } from './signIn';
import { FIRST_WITH_AUTH_STATUS, isAtLeast } from './versions';

/** The user's own Claude Code. */
export interface Installation {
  /** Absolute path of the program. */
  readonly path: string;
  /** `2.1.329`; null where the program does not say. */
  readonly version: string | null;
  readonly auth: SignIn;
  /** What runs will be billed to. */
  readonly billing: Billing;
  /** What the person wants to pay with. */
  readonly billingChoice: BillingChoice;
  /** The variables of the environment that hold a key which is not given to the runs. */
  readonly unusedKeys: readonly string[];
  /** Which options and permission modes this version has; asked when it is first wanted. */
  readonly readOffers: () => Promise<Offers>;
  /** Names the account without telling it (SHA-256, hex): what its gate is kept under. */
  readonly accountKey: string;
}

/** What is known of an installation without asking the program again. */
export type InstallationFacts = Omit<Installation, 'readOffers'>;

export interface InstallationOptions {
  /** A path or a name; default `claude`. */
  readonly claude?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Default `auto`. */
  readonly billing?: BillingChoice;
  /** A name for the account, over what Claude Code says of it; empty means none. */
  readonly account?: string;
  /** How long each question to the program may take. */
  readonly timeoutMs?: number;
}

const ANSWER_MS = 30_000;
const ADVICE =
  'Install Claude Code (npm install -g @anthropic-ai/claude-code), or say where it is: --claude PATH, or the setting claude.';

/** Finds Claude Code and asks it who is signed in; no network. Throws Problem `claude-missing`. */
export async function findInstallation(options: InstallationOptions): Promise<Installation> {
  const { environment, billing: choice = 'auto', timeoutMs = ANSWER_MS } = options;
  const path = await locateClaude(options);
  const ask = (billing: Billing, ...args: string[]): Promise<string> =>
    askProgram(path, args, buildEnvironment(environment, { billing, runMark: '', apiRetries: 0 }), timeoutMs);
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
    readOffers: () => findOffers(path, version, () => ask('none', '--help')),
    accountKey: hash(name === '' ? nameAccount(auth, billing, environment) : `named\0${name}`),
  };
}

/** The path of the program, without starting it. @throws Problem `claude-missing` */
export async function locateClaude({
  claude = 'claude',
  environment,
}: Pick<InstallationOptions, 'claude' | 'environment'>): Promise<string> {
  if (isAbsolute(claude) || claude.includes(sep)) {
    const path = resolve(claude);
    if (await isProgram(path)) return path;
    throw new Problem('claude-missing', `There is no program at ${path}. ${ADVICE}`);
  }
  // What lies below the folder in which one happens to be may be anybody's.
  for (const folder of listFixedFolders(environment)) {
    const path = join(folder, claude);
    if (await isProgram(path)) return path;
  }
  throw new Problem('claude-missing', `There is no program "${claude}" on the PATH. ${ADVICE}`);
}

/** The answer on standard output, whatever the exit code: `auth status` exits with 1 where nobody is signed in. */
async function askProgram(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout: number,
): Promise<string> {
  try {
    const running = promisify(execFile)(path, args, {
      // Where it is now may be a repository whose settings nobody trusts: they do not say who is signed in.
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
    const message = `${path} does not answer to ${args.join(' ')} (${why}). Run it yourself to see why. ${ADVICE}`;
    throw new Problem('claude-missing', message, { cause });
  }
}

/** A program that ran and ended by itself; one that was never started has a system error as its code. */
function isExit(error: unknown): error is Error & { readonly stdout: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'stdout' in error;
}

function nameAccount(auth: SignIn, billing: Billing, environment: NodeJS.ProcessEnv): string {
  const { email, orgId, method } = auth;
  return email === undefined && orgId === undefined
    ? [findConfigFolder(environment), method, billing].join('\0')
    : [orgId ?? '', email ?? ''].join('\0');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
