import type { Billing, BillingChoice } from '../../domain/task/attempt';
import { asText, compact, parseObject } from '../stream/json';

/** Answer of `claude auth status`. It proves that there is a sign-in, not that it still works. */
export interface SignIn {
  readonly loggedIn: boolean;
  /** Such as `claude.ai`, `oauth_token`, `api_key` or `none`; `unknown` if the version cannot report it. */
  readonly method: string;
  /**
   * Source of a key that Claude Code uses whatever else it is signed in with: a variable, `apiKeyHelper`, ….
   */
  readonly keySource?: string;
  /** Cloud provider that serves the models: `bedrock`, `vertex`, `foundry`, …; absent: none. */
  readonly provider?: string;
  readonly subscriptionType?: string;
  /** Exact plan, such as `max_20x`. */
  readonly planTier?: string;
  readonly email?: string;
  readonly orgId?: string;
}

/** Sign-in of a version that cannot report it. */
export const UNKNOWN_SIGN_IN: SignIn = { loggedIn: false, method: 'unknown' };

/**
 * Returns the arguments with which `claude` signs its user in. Versions without `auth` have a slash command for
 * it.
 */
export function signInArguments({ method }: SignIn): string[] {
  return method === UNKNOWN_SIGN_IN.method ? ['/login'] : ['auth', 'login'];
}

/** Parses the answer of `claude auth status`. */
export function parseSignIn(answer: string): SignIn {
  const status = parseObject(answer);
  if (status === null) return UNKNOWN_SIGN_IN;
  const provider = asText(status['apiProvider']);
  return {
    loggedIn: status['loggedIn'] === true,
    method: asText(status['authMethod']) ?? 'unknown',
    ...compact({
      keySource: asText(status['apiKeySource']),
      provider: provider === 'firstParty' ? undefined : provider,
      subscriptionType: asText(status['subscriptionType']),
      planTier: asText(status['planTier']),
      email: asText(status['email']),
      orgId: asText(status['orgId']),
    }),
  };
}

/** Variables with a key. Either is billed by use, and wins over a subscription inside Claude Code. */
export const KEY_VARIABLES: readonly string[] = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];

/** Variable with a subscription's token. */
export const TOKEN_VARIABLE = 'CLAUDE_CODE_OAUTH_TOKEN';

/** Returns the user's credentials in the environment. They must not be stored anywhere. */
export function listSecrets(environment: NodeJS.ProcessEnv): string[] {
  return [...KEY_VARIABLES, TOKEN_VARIABLE].flatMap((name) => environment[name] ?? []);
}

/** Variables that send requests to a cloud provider, whatever else is set. */
export const CLOUD_SWITCHES: readonly string[] = [
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
];

/**
 * Returns the variables that would make something else pay for an attempt. The precedence inside Claude Code
 * was measured with 2.0.20, 2.1.90 and 2.1.329.
 */
export function listOtherPayers(billing: Billing): readonly string[] {
  switch (billing) {
    case 'api-key':
      return [TOKEN_VARIABLE, ...CLOUD_SWITCHES];
    case 'cloud':
      return [];
    case 'subscription':
    case 'none':
      return [...KEY_VARIABLES, ...CLOUD_SWITCHES];
  }
}

/** Returns the names whose variables are set and not empty. */
export function findSet(names: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  return names.filter((name) => (environment[name] ?? '') !== '');
}

/** Account type to bill, with the sign-in that was found for it. */
export interface Payment {
  readonly billing: Billing;
  readonly auth: SignIn;
}

/** Asks who is signed in, in an environment without the variables that would make something else pay. */
export type AskSignIn = (billing: Billing) => Promise<SignIn>;

/** Returns the account type that attempts are billed to; `none` if the user's choice is not available. */
export async function findPayment(
  choice: BillingChoice,
  environment: NodeJS.ProcessEnv,
  ask: AskSignIn,
): Promise<Payment> {
  const cloud = findSet(CLOUD_SWITCHES, environment).length > 0;
  if (choice === 'auto' && cloud) {
    const auth = await ask('cloud');
    // A switch can also be set to off.
    if (auth.provider !== undefined || auth.method === 'unknown') return { billing: 'cloud', auth };
  }
  // Ask without the keys first, since they would hide the subscription.
  const keyless = choice === 'api-key' ? null : await ask('subscription');
  if (keyless !== null && isSubscription(keyless, choice, environment))
    return { billing: 'subscription', auth: keyless };
  if (choice === 'subscription') return { billing: 'none', auth: keyless ?? UNKNOWN_SIGN_IN };
  const hasKey = findSet(KEY_VARIABLES, environment).length > 0;
  const auth = keyless === null || hasKey ? await ask('api-key') : keyless;
  return { billing: nameBilling(auth, hasKey, choice), auth };
}

/**
 * Whether the sign-in is a subscription. If the version cannot report it, a token in the environment or the user's
 * choice decides.
 */
function isSubscription(auth: SignIn, choice: BillingChoice, environment: NodeJS.ProcessEnv): boolean {
  if (auth.method === 'unknown')
    return choice === 'subscription' || findSet([TOKEN_VARIABLE], environment).length > 0;
  const isOne = auth.method === 'claude.ai' || auth.method === 'oauth_token';
  return auth.loggedIn && isOne && auth.keySource === undefined;
}

function nameBilling(auth: SignIn, hasKey: boolean, choice: BillingChoice): Billing {
  if (auth.provider !== undefined) return choice === 'auto' ? 'cloud' : 'none';
  if (hasKey || auth.keySource !== undefined) return 'api-key';
  // Any other sign-in is billed by use.
  return choice === 'auto' && auth.loggedIn ? 'api-key' : 'none';
}

/**
 * Returns the credential in the environment that pays; empty if Claude Code has its own from elsewhere. Only a digest of it may be
 * stored.
 */
export function findCredential({ auth, billing }: Payment, environment: NodeJS.ProcessEnv): string {
  const { method, keySource } = auth;
  if (billing === 'subscription') return method === 'claude.ai' ? '' : (environment[TOKEN_VARIABLE] ?? '');
  const isFromElsewhere = keySource !== undefined && !KEY_VARIABLES.includes(keySource);
  if (billing !== 'api-key' || isFromElsewhere) return '';
  return findSet(keySource === undefined ? KEY_VARIABLES : [keySource], environment)
    .map((name) => environment[name])
    .join('\0');
}
