import type { Installation, InstallationFacts } from '../../claude/installation/installation';
import type { RememberedInstallation } from '../../claude/installation/installationMemory';
import type { SignIn } from '../../claude/installation/signIn';
import { judgeVersion, listLacks, OLDEST_USABLE, TESTED } from '../../claude/installation/versions';
import { isProblem, Problem } from '../../domain/problem';
import { formatDuration } from '../../domain/time/duration';
import type { EpochMs } from '../../domain/time/epoch';
import { t } from '../../platform/text/translate';
import { joinWithAnd } from './text';
import { commandOf } from '../../platform/text/commandName';

/** Formats name and version: `Claude Code 2.1.329`. */
export function nameClaude({ version }: Pick<Installation, 'version'>): string {
  return `Claude Code ${version ?? t('(unknown version)')}`;
}

const RANGE = t('{0} to {1}', TESTED.from, TESTED.to);

const TOO_OLD = t(
  'This version of Claude Code is too old: {0} is the oldest that this program can use.',
  OLDEST_USABLE,
);

/** Returns a sentence if the program is not tested with this version; else null. */
export function noteVersion({ version }: Pick<Installation, 'version'>): string | null {
  switch (judgeVersion(version)) {
    case 'tested':
      return null;
    case 'newer':
      return t('This version of Claude Code is newer than the tested ones ({0}).', RANGE);
    case 'older':
      return describeOlder(version ?? '');
    case 'too-old':
      return TOO_OLD;
    case 'unknown':
      return t('Claude Code did not report its version. Tested versions: {0}.', RANGE);
  }
}

function describeOlder(version: string): string {
  const [first, ...others] = listLacks(version);
  if (first === undefined)
    return t('This version of Claude Code is older than the tested ones ({0}).', RANGE);
  const lacks = others.reduce((all, one) => t('{0}, and {1}', all, one), first);
  return t('This version of Claude Code is older than the tested ones ({0}): it {1}.', RANGE, lacks);
}

/** Facts that decide what attempts are billed to. */
export type Paid = Pick<Installation, 'auth' | 'billing' | 'billingChoice' | 'unusedKeys' | 'accountKey'>;

/** Whether Claude Code reports that nobody is signed in and no key would be billed. */
export function isSignedOut({ auth, billing }: Pick<Paid, 'auth' | 'billing'>): boolean {
  return billing === 'none' && auth.method !== 'unknown';
}

/** Describes what attempts will be billed to, and which keys are not used; never shows the account's address. */
export function describePayment(paid: Paid): string {
  const unused = describeUnusedKeys(paid);
  return `${describePayer(paid)}${unused === null ? '' : `; ${unused}`}`;
}

/** Describes the keys of the environment that are not used for attempts; null if there are none. */
export function describeUnusedKeys({ unusedKeys }: Pick<Paid, 'unusedKeys'>): string | null {
  if (unusedKeys.length === 0) return null;
  const keys = joinWithAnd(unusedKeys);
  return unusedKeys.length === 1 ? t('{0} is not used', keys) : t('{0} are not used', keys);
}

/** Describes what attempts will be billed to; never shows the account's address. */
export function describePayer({ auth, billing, accountKey }: Paid): string {
  switch (billing) {
    case 'subscription':
      return t(
        'billed to {0} ({1})',
        nameSubscription(auth),
        [...listPlan(auth), t('account {0}', accountKey.slice(0, 8))].join(', '),
      );
    case 'api-key':
      return t('billed to {0}, not to a subscription', nameKey(auth));
    case 'cloud':
      return t('billed by {0}, not to a subscription', CLOUDS[auth.provider ?? ''] ?? t('a cloud provider'));
    case 'none':
      return auth.method === 'unknown'
        ? t('billed to the subscription that it is signed in with, if any: this version cannot report it')
        : t('not signed in');
  }
}

function nameSubscription({ method }: SignIn): string {
  if (method === 'claude.ai') return t('the subscription it is signed in with');
  return method === 'oauth_token'
    ? t('the subscription of the token in CLAUDE_CODE_OAUTH_TOKEN')
    : t('a subscription, as far as this version can tell');
}

function listPlan({ planTier, subscriptionType }: SignIn): string[] {
  const plan = planTier ?? subscriptionType;
  return plan === undefined ? [] : [plan.replaceAll('_', ' ')];
}

function nameKey({ keySource = '' }: SignIn): string {
  return KEYS[keySource] ?? t('an API key (Claude Code does not say which)');
}

/** Key sources by the names that `claude auth status` uses. */
const KEYS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: t('the API key in ANTHROPIC_API_KEY'),
  apiKeyHelper: t("the API key that apiKeyHelper in Claude Code's settings gives"),
  '/login managed key': t('the API key of the Console account it is signed in with'),
};

const CLOUDS: Readonly<Record<string, string>> = {
  bedrock: 'Amazon Bedrock',
  vertex: 'Google Vertex AI',
  foundry: 'Microsoft Foundry',
};

/** Claude Code that runs tasks here, and what they are billed to. */
export interface ClaudeInfo {
  readonly lines: readonly string[];
  /** Whether it can run tasks. */
  readonly isUsable: boolean;
  /** JSON; null if there is no Claude Code, or if it is not known yet. */
  readonly json: object | null;
}

/** Part of a queue's context that knows Claude Code. */
interface ClaudeSource {
  findClaude(): Promise<Installation>;
  recallClaude(): Promise<RememberedInstallation | null>;
  readonly host: { readonly clock: { now(): EpochMs } };
}

/** Asks Claude Code for its version and billing, and describes them; or says why it cannot run tasks. */
export function describeClaude(queueContext: ClaudeSource): Promise<ClaudeInfo> {
  return unlessMissing(async () =>
    describeFacts(await queueContext.findClaude(), queueContext.host.clock.now(), ''),
  );
}

/** Like `describeClaude`, but uses the last answer of Claude Code and adds its age. */
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
  lines: [`${why}: ${commandOf('status --live')}`],
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
  const notes = [whyTooOld(claude) ?? noteVersion(claude), whyUnpaid(claude)].filter((note) => note !== null);
  return {
    lines: [`${nameClaude(claude)}, ${describePayment(claude)}${age}.`, ...notes],
    isUsable: isUsable(claude),
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

/** Returns why nothing runs with this sign-in: it would not be billed as chosen. Null if it is. */
export function whyUnpaid({ auth, billing, billingChoice }: Paid): string | null {
  // Its user may have a subscription that the key would replace.
  if (billing === 'api-key' && billingChoice === 'auto' && auth.method === 'unknown')
    return t(
      'Attempts would be billed to the API key in the environment, and this Claude Code cannot report whether it is signed in with a subscription. Set billing to subscription or api-key, or update Claude Code with "claude update".',
    );
  if (billing !== 'none' || billingChoice === 'auto') return null;
  if (billingChoice === 'subscription') return whyNoSubscription(auth);
  return t(
    'The setting billing asks for an API key, and there is none. Set ANTHROPIC_API_KEY in the environment of this program, or set billing to auto or subscription.',
  );
}

function whyNoSubscription(auth: SignIn): string {
  return auth.keySource === undefined
    ? t(
        'The setting billing asks for a subscription, and Claude Code is not signed in with one. Run "claude" and then /login, or set billing to auto or api-key.',
      )
    : t(
        'The setting billing asks for a subscription, and Claude Code is not signed in with one: it would use {0}. Run "claude" and then /login, or set billing to auto or api-key.',
        nameKey(auth),
      );
}

/** Returns why nothing runs with this version; null if it is usable. */
function whyTooOld(claude: Pick<Installation, 'version'>): string | null {
  return judgeVersion(claude.version) === 'too-old'
    ? t('{0} Update it with "claude update".', TOO_OLD)
    : null;
}

/** Refuses a version that cannot run tasks. @throws Problem `claude-missing` */
export function requireVersion(claude: Pick<Installation, 'version'>): void {
  const why = whyTooOld(claude);
  if (why !== null) throw new Problem('claude-missing', why);
}

/** Whether an installation can run tasks. */
export function isUsable(claude: Paid & Pick<Installation, 'version'>): boolean {
  return whyTooOld(claude) === null && whyUnpaid(claude) === null;
}

/**
 * Refuses an installation that cannot run tasks.
 * @throws Problem `claude-missing` for its version; `not-paid` if attempts would not be billed as chosen
 */
export function requireUsable(claude: Paid & Pick<Installation, 'version'>): void {
  requireVersion(claude);
  const why = whyUnpaid(claude);
  if (why !== null) throw new Problem('not-paid', why);
}
