import { LONG_CONTEXT, MODEL_NOT_FOUND, REFUSAL } from '../../domain/task/ownMistakes';
import type { PassingKind } from '../../domain/gate/gate';

/**
 * Failure texts of Claude Code 2.0.20 to 2.1.329 besides those of limits, for facts without a structured field.
 * They are only looked up in the text of a failure, never in an answer. The first match counts.
 */
interface TextRule<T> {
  readonly pattern: RegExp;
  readonly means: T;
}

/**
 * Returns the status of the API's answer, from texts such as `API Error: 529 {"type":…`, `API Error (500 …)` or
 * `Request rejected (429)`.
 */
export function readStatus(text: string): number | undefined {
  const status = /\b(?:API Error:? \(?|Request rejected \()([45]\d\d)\b/.exec(text)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** Texts of a broken connection. An answer was on its way, or might have come: the API is there. */
const BROKEN_OFF = new RegExp(
  [
    'mid-response',
    'request timed out',
    'request was aborted',
    'empty or malformed response',
    'connection (?:dropped|closed)',
    'socket hang up',
    'premature close',
    String.raw`\b(?:UND_ERR_\w+|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)\b`,
  ].join('|'),
  'i',
);

const PASSING_RULES: readonly TextRule<PassingKind>[] = [
  {
    pattern: /\b(?:rate limit reached|temporarily limiting requests|too many requests)\b/i,
    means: 'throttle',
  },
  { pattern: /\boverloaded\b|\bat capacity\b/i, means: 'overload' },
  {
    pattern: /\b(?:unable to connect to (?:the )?API|can['’]t reach the API|connection refused)\b/i,
    means: 'offline',
  },
  { pattern: /\bcheck your internet\b/i, means: 'offline' },
  {
    pattern: /\bE(?:CONNREFUSED|AI_AGAIN|AI_FAIL|NOTFOUND|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN)\b/,
    means: 'offline',
  },
];

/** Returns the problem that keeps the requests of all attempts from being answered for now, or undefined. */
export function readPassingKind(text: string): PassingKind | undefined {
  return BROKEN_OFF.test(text) ? undefined : PASSING_RULES.find((rule) => rule.pattern.test(text))?.means;
}

/** Texts of older versions that do not say whether the service or the network failed. */
const SERVICE_TEXT = /\b(?:connection error|fetch failed|internal server error)\b/i;

/** Whether a failure's text says that the service or the network is at fault, for now. */
export function isTransientText(text: string): boolean {
  return BROKEN_OFF.test(text) || SERVICE_TEXT.test(text) || readPassingKind(text) !== undefined;
}

/**
 * Texts of permanent failures. `means` is the word of the structured field in newer versions, if there is one.
 */
const PERMANENT_RULES: readonly TextRule<string>[] = [
  { pattern: /\bextra usage is required for (?:long|1M) context\b/i, means: LONG_CONTEXT },
  { pattern: /\busage credits required for (?:long|1M) context\b/i, means: LONG_CONTEXT },
  { pattern: /\bprompt is too long\b/i, means: 'prompt_too_long' },
  { pattern: /\brequest too large\b|"request_too_large"/i, means: 'image_error' },
  {
    pattern: /\bissue with the selected model\b|"not_found_error","message":"model:/i,
    means: MODEL_NOT_FOUND,
  },
  { pattern: /\bis not available with the Claude \w+ plan\b/i, means: MODEL_NOT_FOUND },
  { pattern: /\bexceeded the \d+ output token maximum\b/i, means: 'max_output_tokens' },
  { pattern: /\bappears to violate our usage policy\b/i, means: REFUSAL },
];

/** Returns why another try would fail as well, from a failure's text, or undefined. */
export function readPermanent(text: string): string | undefined {
  return PERMANENT_RULES.find((rule) => rule.pattern.test(text))?.means;
}

/**
 * Returns the row's own cap that ended an attempt in `text` format, where the result line with its subtype is
 * missing.
 */
export function readOwnCap(text: string): 'error_max_turns' | 'error_max_budget_usd' | undefined {
  if (/^Error: Reached max turns\b/m.test(text)) return 'error_max_turns';
  return /^Error: Exceeded USD budget\b/m.test(text) ? 'error_max_budget_usd' : undefined;
}

/** Texts on stderr with which `claude` refuses its arguments or its input. Another try would be refused too. */
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

/** Whether stderr shows that `claude` refused to start with these arguments or this input. */
export function isStartUpText(stderr: string): boolean {
  return START_UP_TEXT.test(stderr);
}

/** Whether `claude` stopped waiting for its prompt, which it does after 3 s. A resumed session has a text of its own. */
export function isMissingInputText(stderr: string): boolean {
  return /^Error: (?:Input must be provided|No deferred tool marker found in the resumed session)\b/m.test(
    stderr,
  );
}
