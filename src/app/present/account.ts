import type { Installation, InstallationFacts } from '../../claude/installation/installation';
import type { RememberedInstallation } from '../../claude/installation/installationMemory';
import type { SignIn } from '../../claude/installation/signIn';
import { judgeVersion, listLacks, OLDEST_USABLE, TESTED } from '../../claude/installation/versions';
import { isProblem, Problem } from '../../domain/problem';
import { formatDuration } from '../../domain/time/duration';
import type { EpochMs } from '../../domain/time/epoch';

/** `Claude Code 2.1.329`. */
export function nameClaude({ version }: Pick<Installation, 'version'>): string {
  return `Claude Code ${version ?? '(unknown version)'}`;
}

const RANGE = `${TESTED.from} to ${TESTED.to}`;

const TOO_OLD = `This version of Claude Code is too old: ${OLDEST_USABLE} is the oldest that this program can use.`;

/** A sentence where this version is none that the program is tested with; else null. */
export function noteVersion({ version }: Pick<Installation, 'version'>): string | null {
  switch (judgeVersion(version)) {
    case 'tested':
      return null;
    case 'newer':
      return `This version of Claude Code is newer than the tested ones (${RANGE}).`;
    case 'older':
      return `This version of Claude Code is older than the tested ones (${RANGE})${describeMissing(version ?? '')}.`;
    case 'too-old':
      return TOO_OLD;
    case 'unknown':
      return `Claude Code did not report its version. Tested versions: ${RANGE}.`;
  }
}

function describeMissing(version: string): string {
  const lacks = listLacks(version);
  return lacks.length === 0 ? '' : `: it ${lacks.join(', and ')}`;
}

/** What it takes to tell what runs are billed to. */
export type Paid = Pick<Installation, 'auth' | 'billing' | 'billingChoice' | 'unusedKeys' | 'accountKey'>;

/** What runs will be billed to, and which key is not used for it; never whose address the account has. */
export function describePayment(paid: Paid): string {
  const unused = describeUnusedKeys(paid);
  return `${describePayer(paid)}${unused === null ? '' : `; ${unused}`}`;
}

/** Which keys of the environment do not pay for runs; null where there are none. */
export function describeUnusedKeys({ unusedKeys }: Pick<Paid, 'unusedKeys'>): string | null {
  if (unusedKeys.length === 0) return null;
  return `${unusedKeys.join(' and ')} ${unusedKeys.length === 1 ? 'is' : 'are'} not used`;
}

/** What runs will be billed to; never whose address the account has. */
export function describePayer({ auth, billing, accountKey }: Paid): string {
  switch (billing) {
    case 'subscription':
      return `billed to ${nameSubscription(auth)} (${[...listPlan(auth), `account ${accountKey.slice(0, 8)}`].join(', ')})`;
    case 'api-key':
      return `billed to ${nameKey(auth)}, not to a subscription`;
    case 'cloud':
      return `billed by ${CLOUDS[auth.provider ?? ''] ?? 'a cloud provider'}, not to a subscription`;
    case 'none':
      return auth.method === 'unknown'
        ? 'billed to the subscription that it is signed in with, if any: this version cannot report it'
        : 'not signed in';
  }
}

function nameSubscription({ method }: SignIn): string {
  if (method === 'claude.ai') return 'the subscription it is signed in with';
  return method === 'oauth_token'
    ? 'the subscription of the token in CLAUDE_CODE_OAUTH_TOKEN'
    : 'a subscription, as far as this version can tell';
}

function listPlan({ planTier, subscriptionType }: SignIn): string[] {
  const plan = planTier ?? subscriptionType;
  return plan === undefined ? [] : [plan.replaceAll('_', ' ')];
}

function nameKey({ keySource = '' }: SignIn): string {
  return KEYS[keySource] ?? 'an API key (Claude Code does not say which)';
}

/** By the words of `claude auth status`. */
const KEYS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'the API key in ANTHROPIC_API_KEY',
  apiKeyHelper: "the API key that apiKeyHelper in Claude Code's settings gives",
  '/login managed key': 'the API key of the Console account it is signed in with',
};

const CLOUDS: Readonly<Record<string, string>> = {
  bedrock: 'Amazon Bedrock',
  vertex: 'Google Vertex AI',
  foundry: 'Microsoft Foundry',
};

/** Which Claude Code runs tasks here, and what they are billed to. */
export interface ClaudeInfo {
  readonly lines: readonly string[];
  /** Whether tasks can be run with it. */
  readonly isUsable: boolean;
  /** For programs; null where there is no Claude Code, or it is not known yet. */
  readonly json: object | null;
}

/** The queue's context, as far as it knows Claude Code. */
interface ClaudeSource {
  findClaude(): Promise<Installation>;
  recallClaude(): Promise<RememberedInstallation | null>;
  readonly host: { readonly clock: { now(): EpochMs } };
}

/** Asks which Claude Code will run tasks, and what they will be billed to; or says why none will. */
export function describeClaude(queueContext: ClaudeSource): Promise<ClaudeInfo> {
  return unlessMissing(async () =>
    describeFacts(await queueContext.findClaude(), queueContext.host.clock.now(), ''),
  );
}

/** As `describeClaude`, by what Claude Code answered last, with the age of that answer. */
export function describeRememberedClaude(queueContext: ClaudeSource): Promise<ClaudeInfo> {
  return unlessMissing(async () => {
    const remembered = await queueContext.recallClaude();
    if (remembered === null) return notKnown('Claude Code was not checked yet');
    const { claude, askedAt, isCurrent } = remembered;
    const age = formatDuration(queueContext.host.clock.now() - askedAt);
    return isCurrent
      ? describeFacts(claude, askedAt, `, as of ${age} ago`)
      : notKnown(`Claude Code changed since it was checked ${age} ago`);
  });
}

const notKnown = (why: string): ClaudeInfo => ({
  lines: [`${why}: claude-queue status --live`],
  isUsable: false,
  json: null,
});

async function unlessMissing(describe: () => Promise<ClaudeInfo>): Promise<ClaudeInfo> {
  try {
    return await describe();
  } catch (error) {
    if (!isProblem(error, 'claude-missing')) throw error;
    return { lines: [error.message], isUsable: false, json: null };
  }
}

function describeFacts(claude: InstallationFacts, askedAt: EpochMs, age: string): ClaudeInfo {
  const [tooOld, unpaid] = [whyTooOld(claude), whyUnpaid(claude)];
  const notes = [tooOld ?? noteVersion(claude), unpaid].filter((note) => note !== null);
  return {
    lines: [`${nameClaude(claude)}, ${describePayment(claude)}${age}.`, ...notes],
    isUsable: tooOld === null && unpaid === null,
    json: claudeAsJson(claude, askedAt),
  };
}

function claudeAsJson(claude: InstallationFacts, askedAt: EpochMs): object {
  const { path, version, auth, billing, billingChoice, unusedKeys, accountKey } = claude;
  return {
    path,
    version,
    standing: judgeVersion(version),
    billing,
    billingChoice,
    signIn: auth.method,
    plan: listPlan(auth)[0] ?? null,
    account: accountKey.slice(0, 8),
    unusedKeys,
    asOf: new Date(askedAt).toISOString(),
  };
}

/** Why nothing is run with this sign-in, since it would not be billed as was chosen; null where it is. */
export function whyUnpaid({ auth, billing, billingChoice }: Paid): string | null {
  // There may be a subscription that the key would be used in place of.
  if (billing === 'api-key' && billingChoice === 'auto' && auth.method === 'unknown')
    return 'Attempts would be billed to the API key in the environment, and this Claude Code cannot report whether it is signed in with a subscription. Set billing to subscription or api-key, or update Claude Code with "claude update".';
  if (billing !== 'none' || billingChoice === 'auto') return null;
  const other = auth.keySource === undefined ? '' : `: it would use ${nameKey(auth)}`;
  return billingChoice === 'subscription'
    ? `The setting billing asks for a subscription, and Claude Code is not signed in with one${other}. Run "claude" and then /login, or set billing to auto or api-key.`
    : 'The setting billing asks for an API key, and there is none. Set ANTHROPIC_API_KEY in the environment of this program, or set billing to auto or subscription.';
}

/** Why nothing is run with this version; null where something is. */
function whyTooOld(claude: Pick<Installation, 'version'>): string | null {
  return judgeVersion(claude.version) === 'too-old' ? `${TOO_OLD} Update it with "claude update".` : null;
}

/** @throws Problem `claude-missing` where this version cannot run tasks at all */
export function requireVersion(claude: Pick<Installation, 'version'>): void {
  const why = whyTooOld(claude);
  if (why !== null) throw new Problem('claude-missing', why);
}

/**
 * @throws Problem `claude-missing` where this version cannot run tasks at all; `not-paid` where runs would not be billed
 * as was chosen
 */
export function requireUsable(claude: Paid & Pick<Installation, 'version'>): void {
  requireVersion(claude);
  const why = whyUnpaid(claude);
  if (why !== null) throw new Problem('not-paid', why);
}
