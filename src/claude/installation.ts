import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../domain/problem';
import type { PermissionMode } from '../domain/task';
import { hasCode } from '../platform/files';
import { buildEnvironment, KEY_VARIABLES } from './command';
import type { Billing } from './command';
import { asText, compact, parseObject } from './json';
import { firstLine } from './plain';
import { findConfigFolder } from './session';

/** What `claude auth status` says of the account; it proves that there is a sign-in, not that it still works. */
export interface SignIn {
  readonly loggedIn: boolean;
  /** `claude.ai`, `oauth_token`, `api_key`, `none`, …; `unknown` where the version cannot tell. */
  readonly method: string;
  readonly subscriptionType?: string;
  readonly email?: string;
  readonly orgId?: string;
}

/** The user's own Claude Code. */
export interface Installation {
  /** Absolute path of the program. */
  readonly path: string;
  /** `2.1.329`; null where the program does not say. */
  readonly version: string | null;
  readonly auth: SignIn;
  /** What runs will be billed to. A subscription wins over a key in the environment. */
  readonly billing: Billing;
  /** Names the account without telling it (SHA-256, hex): what its gate is kept under. */
  readonly accountKey: string;
}

export interface InstallationOptions {
  /** A path or a name; default `claude`. */
  readonly claude?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** How long each question to the program may take. */
  readonly timeoutMs?: number;
}

const ANSWER_MS = 30_000;
const ADVICE =
  'Install Claude Code (npm install -g @anthropic-ai/claude-code), or say where it is: --claude PATH, or the setting claude.';

/** Finds Claude Code and asks it who is signed in; no network. Throws Problem `claude-missing`. */
export async function findInstallation(options: InstallationOptions): Promise<Installation> {
  const { environment, timeoutMs = ANSWER_MS } = options;
  const path = await locate(options.claude ?? 'claude', environment);
  const environmentOf = (billing: Billing): NodeJS.ProcessEnv =>
    buildEnvironment(environment, { billing, runMark: '', apiRetries: 0 });
  const ask: Ask = (args, env) => askProgram(path, args, env, timeoutMs);
  const version = /\d+\.\d+\.\d+/.exec(await ask(['--version'], environmentOf('none')))?.[0] ?? null;
  // Asked without the keys first, so that they cannot hide the subscription behind them.
  const subscriber = await readSignIn(ask, version, environmentOf('subscription'));
  const auth =
    isSubscription(subscriber) || !hasKey(environment)
      ? subscriber
      : await readSignIn(ask, version, environmentOf('api-key'));
  return {
    path,
    version,
    auth,
    billing: chooseBilling(auth, environment),
    accountKey: nameAccount(auth, environment),
  };
}

/** Whether this version knows a permission mode. @throws Problem `claude-missing` */
export async function offersMode(
  claude: string,
  mode: PermissionMode,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const env = buildEnvironment(environment, { billing: 'none', runMark: '', apiRetries: 0 });
  const help = await askProgram(claude, ['--help'], env, ANSWER_MS);
  const choices = /--permission-mode <mode>[^(]*\(choices: ([^)]*)\)/.exec(help)?.[1] ?? '';
  return choices.includes(`"${mode}"`);
}

type Ask = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<string>;

async function locate(claude: string, environment: NodeJS.ProcessEnv): Promise<string> {
  if (isAbsolute(claude) || claude.includes(sep)) {
    const path = resolve(claude);
    if (await isProgram(path)) return path;
    throw new Problem('claude-missing', `There is no program at ${path}. ${ADVICE}`);
  }
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const path = resolve(folder, claude);
    if (await isProgram(path)) return path;
  }
  throw new Problem('claude-missing', `There is no program "${claude}" on the PATH. ${ADVICE}`);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return false;
    throw error;
  }
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

/** Since 2.1.41 (its changelog). An older `claude` would take the words for a prompt and send it. */
const FIRST_WITH_AUTH = [2, 1, 41] as const;

async function readSignIn(ask: Ask, version: string | null, environment: NodeJS.ProcessEnv): Promise<SignIn> {
  const unknown = { loggedIn: false, method: 'unknown' };
  if (version === null || !isAtLeast(version, FIRST_WITH_AUTH)) return unknown;
  const status = parseObject(await ask(['auth', 'status'], environment));
  if (status === null) return unknown;
  return {
    loggedIn: status['loggedIn'] === true,
    method: asText(status['authMethod']) ?? 'unknown',
    ...compact({
      subscriptionType: asText(status['subscriptionType']),
      email: asText(status['email']),
      orgId: asText(status['orgId']),
    }),
  };
}

function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const at = wanted.findIndex((part, index) => (parts[index] ?? 0) !== part);
  return at === -1 || (parts[at] ?? 0) > (wanted[at] ?? 0);
}

const SUBSCRIPTIONS: readonly string[] = ['claude.ai', 'oauth_token'];

function isSubscription(auth: SignIn): boolean {
  return auth.loggedIn && SUBSCRIPTIONS.includes(auth.method);
}

function hasKey(environment: NodeJS.ProcessEnv): boolean {
  return KEY_VARIABLES.some((name) => isSet(environment, name));
}

function isSet(environment: NodeJS.ProcessEnv, name: string): boolean {
  return (environment[name] ?? '') !== '';
}

function chooseBilling(auth: SignIn, environment: NodeJS.ProcessEnv): Billing {
  if (isSubscription(auth)) return 'subscription';
  // A version that cannot tell who is signed in still takes a token from the environment.
  if (auth.method === 'unknown' && isSet(environment, 'CLAUDE_CODE_OAUTH_TOKEN')) return 'subscription';
  return hasKey(environment) || auth.loggedIn ? 'api-key' : 'none';
}

function nameAccount(auth: SignIn, environment: NodeJS.ProcessEnv): string {
  const name =
    auth.orgId === undefined && auth.email === undefined
      ? `${findConfigFolder(environment)}\0${auth.method}`
      : `${auth.orgId ?? ''}\0${auth.email ?? ''}`;
  return createHash('sha256').update(name).digest('hex');
}
