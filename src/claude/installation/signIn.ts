import type { Billing, BillingChoice } from '../../domain/task/attempt';
import { asText, compact, parseObject } from '../stream/json';

/** What `claude auth status` says of the account; it proves that there is a sign-in, not that it still works. */
export interface SignIn {
  readonly loggedIn: boolean;
  /** `claude.ai`, `oauth_token`, `api_key`, `none`, …; `unknown` where the version cannot tell. */
  readonly method: string;
  /** Where a key comes from that Claude Code uses whatever else it is signed in with: a variable, `apiKeyHelper`, …. */
  readonly keySource?: string;
  /** Set where a cloud provider serves the models: `bedrock`, `vertex`, `foundry`, …. */
  readonly provider?: string;
  readonly subscriptionType?: string;
  /** The plan more exactly, `max_20x`. */
  readonly planTier?: string;
  readonly email?: string;
  readonly orgId?: string;
}

/** Of a version that cannot tell. */
export const UNKNOWN_SIGN_IN: SignIn = { loggedIn: false, method: 'unknown' };

/** The arguments with which `claude` signs its user in: versions that do not know `auth` have a slash command for it. */
export function signInArguments({ method }: SignIn): string[] {
  return method === UNKNOWN_SIGN_IN.method ? ['/login'] : ['auth', 'login'];
}

/** Reads the answer of `claude auth status`. */
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

/** Either of these is billed by use, and wins over a subscription inside Claude Code. */
export const KEY_VARIABLES: readonly string[] = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];

/** A subscription's own token. */
export const TOKEN_VARIABLE = 'CLAUDE_CODE_OAUTH_TOKEN';

/** What the person pays with, as it is in their environment: it belongs into nothing that is kept. */
export function listSecrets(environment: NodeJS.ProcessEnv): string[] {
  return [...KEY_VARIABLES, TOKEN_VARIABLE].flatMap((name) => environment[name] ?? []);
}

/** Each sends runs to a cloud provider, whatever else is there. */
export const CLOUD_SWITCHES: readonly string[] = [
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
];

/**
 * The variables by which something else would pay for a run: what wins over what inside Claude Code was measured with
 * 2.0.20, 2.1.90 and 2.1.329.
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

/** The variables among these that hold something. */
export function findSet(names: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  return names.filter((name) => (environment[name] ?? '') !== '');
}

/** A way to pay, with the sign-in that was found for it. */
export interface Payment {
  readonly billing: Billing;
  readonly auth: SignIn;
}

/** Asks who is signed in, as it is in an environment from which others pay for nothing. */
export type AskSignIn = (billing: Billing) => Promise<SignIn>;

/** What runs will be billed to; `none` where it cannot be what was chosen. */
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
  // Asked without the keys first, so that they cannot hide the subscription behind them.
  const keyless = choice === 'api-key' ? null : await ask('subscription');
  if (keyless !== null && isSubscription(keyless, choice, environment))
    return { billing: 'subscription', auth: keyless };
  if (choice === 'subscription') return { billing: 'none', auth: keyless ?? UNKNOWN_SIGN_IN };
  const hasKey = findSet(KEY_VARIABLES, environment).length > 0;
  const auth = keyless === null || hasKey ? await ask('api-key') : keyless;
  return { billing: nameBilling(auth, hasKey, choice), auth };
}

/** A version that cannot tell takes a token from the environment, and whatever the person says that it has. */
function isSubscription(auth: SignIn, choice: BillingChoice, environment: NodeJS.ProcessEnv): boolean {
  if (auth.method === 'unknown')
    return choice === 'subscription' || findSet([TOKEN_VARIABLE], environment).length > 0;
  const isOne = auth.method === 'claude.ai' || auth.method === 'oauth_token';
  return auth.loggedIn && isOne && auth.keySource === undefined;
}

function nameBilling(auth: SignIn, hasKey: boolean, choice: BillingChoice): Billing {
  if (auth.provider !== undefined) return choice === 'auto' ? 'cloud' : 'none';
  if (hasKey || auth.keySource !== undefined) return 'api-key';
  // What has no name here is signed in all the same, and billed by use.
  return choice === 'auto' && auth.loggedIn ? 'api-key' : 'none';
}
