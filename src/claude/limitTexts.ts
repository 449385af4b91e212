import type { BlockKind, LimitKind } from '../domain/limits';

/**
 * Failure texts of Claude Code 1.0.60 to 2.1.329, for versions and formats that give no structured signal. They are
 * only ever looked up in the text of a failure, never in an answer. The first match counts.
 */
interface TextRule<T> {
  readonly pattern: RegExp;
  readonly means: T;
}

/** `You've hit your …`, `… limit reached ∙ resets …`, `Claude AI usage limit reached|…`, `You're out of …`. */
const LIMIT_RULES: readonly TextRule<LimitKind>[] = [
  { pattern: /\bopus limit\b/i, means: 'seven_day_opus' },
  { pattern: /\bsonnet limit\b/i, means: 'seven_day_sonnet' },
  // Fable is paid from the plan's included extra usage, and its limit is reported under that name.
  { pattern: /\bfable limit\b/i, means: 'seven_day_overage_included' },
  { pattern: /\b(?:5-hour|session) limit\b/i, means: 'five_hour' },
  { pattern: /\bweekly limit\b/i, means: 'seven_day' },
  { pattern: /\bout of (?:extra usage|usage credits)\b/i, means: 'overage' },
  { pattern: /\busage limit reached\|\d/i, means: 'unknown' },
  { pattern: /\b(?:hit|reached) your (?:[\w-]+ )?limit\b/i, means: 'unknown' },
  // Wordings that are not known yet; a limit that ends by itself says when it does.
  { pattern: /\b(?:limit|cap)\b[^\n]{0,200}\bresets\s+(?:at\s+)?(?:[a-z]{3}\b|\d)/i, means: 'unknown' },
];

const BLOCK_RULES: readonly TextRule<BlockKind>[] = [
  { pattern: /\bspend limit\b|\bspending cap reached\b/i, means: 'spend-limit' },
  { pattern: /\bseat type doesn['’]t include\b/i, means: 'spend-limit' },
  { pattern: /\ballocation has been disabled\b/i, means: 'spend-limit' },
  { pattern: /\bcredit balance\b/i, means: 'billing' },
  { pattern: /\bspecified API usage limits\b/i, means: 'billing' },
  { pattern: /\bnot logged in\b|\/login\b|\binvalid api key\b/i, means: 'sign-in' },
  { pattern: /\bfailed to authenticate\b/i, means: 'sign-in' },
  { pattern: /\borganization has (?:been disabled|disabled claude subscription)/i, means: 'sign-in' },
  { pattern: /\bbelongs to a disabled organization\b/i, means: 'sign-in' },
];

const TRANSIENT_TEXT = new RegExp(
  [
    String.raw`API Error: (?:429|5\d\d)\b`,
    'overloaded',
    'rate limit reached',
    'request rejected \\(429\\)',
    'temporarily limiting requests',
    'request timed out',
    'mid-response',
    'empty or malformed response',
    'connection (?:dropped|error|refused|closed)',
    'fetch failed',
    String.raw`can['’]t reach the API`,
    String.raw`\bE(?:CONN(?:RESET|REFUSED|ABORTED)|AI_AGAIN|TIMEDOUT|NOTFOUND|PIPE|HOSTUNREACH|NETUNREACH)\b`,
  ].join('|'),
  'i',
);

/** Which closed window a failure's text speaks of, or undefined. */
export function readLimitKind(text: string): LimitKind | undefined {
  return LIMIT_RULES.find((rule) => rule.pattern.test(text))?.means;
}

/** What a person has to see to, by a failure's text, or undefined. */
export function readBlockKind(text: string): BlockKind | undefined {
  return BLOCK_RULES.find((rule) => rule.pattern.test(text))?.means;
}

/** Whether a failure's text says that the service or the network is at fault, for now. */
export function isTransientText(text: string): boolean {
  return TRANSIENT_TEXT.test(text);
}

/** Own caps in `text` format, where the result line with its subtype is missing. */
export function readOwnCap(text: string): 'error_max_turns' | 'error_max_budget_usd' | undefined {
  if (/^Error: Reached max turns\b/m.test(text)) return 'error_max_turns';
  return /^Error: Exceeded USD budget\b/m.test(text) ? 'error_max_budget_usd' : undefined;
}

/** What `claude` says on stderr when it refuses its arguments or its input: another try would be refused too. */
const START_UP_TEXT = new RegExp(
  [
    '^error: (?:unknown|option|command-argument|missing|too many|required)',
    '^Error: (?:When using|Input contained|Settings |Invalid |piped stdin|Session ID|--|MCP config)',
    '^No conversation found',
    '^--dangerously-skip-permissions cannot be used',
    'was read as a value of --',
  ].join('|'),
  'm',
);

/** Whether stderr shows that `claude` refused to start as it was asked. */
export function isStartUpText(stderr: string): boolean {
  return START_UP_TEXT.test(stderr);
}

/** Whether `claude` gave up waiting for its prompt, which it does after 3 s. */
export function isMissingInputText(stderr: string): boolean {
  return /^Error: Input must be provided\b/m.test(stderr);
}
