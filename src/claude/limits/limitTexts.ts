import type { BlockKind, LimitKind } from '../../domain/gate/gate';

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
  { pattern: /\bopus(?: [\d.]+)?(?: weekly| usage)? limit\b/i, means: 'seven_day_opus' },
  { pattern: /\bsonnet(?: [\d.]+)?(?: weekly| usage)? limit\b/i, means: 'seven_day_sonnet' },
  // Fable is paid from the plan's included extra usage, and its limit is reported under that name.
  { pattern: /\bfable(?: [\d.]+)?(?: weekly| usage)? limit\b/i, means: 'seven_day_overage_included' },
  { pattern: /\bhaiku(?: [\d.]+)?(?: weekly| usage)? limit\b/i, means: 'unknown' },
  { pattern: /\b(?:5-hour|session) limit\b/i, means: 'five_hour' },
  { pattern: /\bweekly limit\b/i, means: 'seven_day' },
  { pattern: /\bout of (?:extra usage|usage credits)\b/i, means: 'overage' },
  { pattern: /\busage limit reached\b/i, means: 'unknown' },
  { pattern: /\b(?:hit|reached) your (?:[\w-]+ )?limit\b/i, means: 'unknown' },
  // Other wordings: a limit that ends by itself says when it does.
  {
    pattern: /\b(?:limit|cap)\b[^\n]{0,200}\bresets?\s+(?:at\s+|on\s+)?(?:[a-z]{3}\b|\d)/i,
    means: 'unknown',
  },
];

const BLOCK_RULES: readonly TextRule<BlockKind>[] = [
  { pattern: /\bspend limit\b|\bspending cap reached\b/i, means: 'spend-limit' },
  { pattern: /\bseat type doesn['’]t include\b/i, means: 'spend-limit' },
  { pattern: /\ballocation has been disabled\b|\blimit is set to \$0/i, means: 'spend-limit' },
  { pattern: /\bservice is disabled for your org\b/i, means: 'spend-limit' },
  { pattern: /\bcredit balance\b/i, means: 'billing' },
  { pattern: /\bspecified API usage limits\b|\byou will regain access on\b/i, means: 'billing' },
  { pattern: /\bnot logged in\b|\/login\b|\binvalid api key\b/i, means: 'sign-in' },
  { pattern: /\bfailed to authenticate\b/i, means: 'sign-in' },
  { pattern: /\borganization has (?:been disabled|disabled claude subscription)/i, means: 'sign-in' },
  { pattern: /\bbelongs to a disabled organization\b/i, means: 'sign-in' },
];

/** Returns the kind of the usage limit that a failure's text names, or undefined. */
export function readLimitKind(text: string): LimitKind | undefined {
  return LIMIT_RULES.find((rule) => rule.pattern.test(text))?.means;
}

/** Returns the model family of a limit, from its name or its text, or undefined. */
export function readFamily(text: string): string | undefined {
  const family = /(?:^seven_day_|\b)(opus|sonnet|haiku|fable)(?:$| (?:[\w.]+ ){0,2}limit\b)/i.exec(text)?.[1];
  return family?.toLowerCase();
}

/** Returns the problem that the user has to fix, from a failure's text, or undefined. */
export function readBlockKind(text: string): BlockKind | undefined {
  return BLOCK_RULES.find((rule) => rule.pattern.test(text))?.means;
}
