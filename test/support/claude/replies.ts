/** A reply of the stand-in of the Messages API, as a value; `messagesApi` sends it. */
export type Reply = MessageReply | ErrorReply | { readonly kind: 'hang' } | { readonly kind: 'drop' };

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** A message of Claude's, streamed where the request asks for it. */
export interface MessageReply {
  readonly kind: 'message';
  readonly content: readonly Block[];
  readonly stopReason: 'end_turn' | 'tool_use' | 'refusal' | 'max_tokens';
  /** Between two pieces of the stream. */
  readonly pauseMs?: number;
  /** The connection breaks after this many events of the stream. */
  readonly cutAfterEvents?: number;
}

/** A failure as the API words it: a status, a type and a message. */
export interface ErrorReply {
  readonly kind: 'error';
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** Set where a usage limit is behind the failure. */
  readonly limit?: Limit;
  readonly retryAfterSeconds?: number;
  /** The server's word on whether to try again; absent: it says nothing. */
  readonly shouldRetry?: boolean;
}

/** The word for the window that is full, as the API's `representative-claim` header gives it. */
export type LimitClaim =
  | 'five_hour'
  | 'seven_day'
  | 'seven_day_opus'
  | 'seven_day_sonnet'
  | 'seven_day_overage_included'
  | 'overage';

/** A reset, in seconds, that a test waits for: far enough ahead to look around before it, also on a busy machine. */
export const SOON_SECONDS = 20;

/** A reset, in seconds, that a test waits for when it looks at nothing before it. */
export const NEXT_SECONDS = 4;

export interface Limit {
  readonly kind: LimitClaim;
  /** Seconds from the request on; null leaves the reset unsaid. */
  readonly resetInSeconds: number | null;
  /** Reason why the account has no extra usage; `org_level_disabled` is what most accounts have. */
  readonly overageDisabledReason?: string;
}

/** An answer in plain words; with `pauseMs` it comes slowly, piece by piece. */
export function text(words: string, pauseMs?: number): Reply {
  return {
    kind: 'message',
    content: [{ type: 'text', text: words }],
    stopReason: 'end_turn',
    ...(pauseMs === undefined ? {} : { pauseMs }),
  };
}

/** Claude calls a tool, after saying `before` where given. The next request of the session has the tool's result. */
export function tool(name: string, input: Readonly<Record<string, unknown>>, before?: string): Reply {
  const call: Block = { type: 'tool_use', name, input };
  const content: Block[] = before === undefined ? [call] : [{ type: 'text', text: before }, call];
  return { kind: 'message', content, stopReason: 'tool_use' };
}

/** Claude declines for safety's sake. */
export function refusal(): Reply {
  return { kind: 'message', content: [{ type: 'text', text: '' }], stopReason: 'refusal' };
}

/** The answer was longer than it may be. */
export function cutByLength(words: string): Reply {
  return { kind: 'message', content: [{ type: 'text', text: words }], stopReason: 'max_tokens' };
}

/** The account's usage limit is reached. */
export function limit(full: Limit): Reply {
  return {
    ...error(
      429,
      'rate_limit_error',
      "This request would exceed your account's rate limit. Please try again later.",
    ),
    limit: full,
    ...(full.resetInSeconds === null ? {} : { retryAfterSeconds: full.resetInSeconds }),
  };
}

/** Too many requests just now; not the account's usage limit. */
export function throttle(retryAfterSeconds?: number): Reply {
  return {
    ...error(429, 'rate_limit_error', 'This request would exceed the rate limit for your organization.'),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** The API is overloaded. */
export function overload(): Reply {
  return { ...error(529, 'overloaded_error', 'Overloaded'), shouldRetry: true };
}

/** The API failed in itself. */
export function serverError(): Reply {
  return { ...error(500, 'api_error', 'Internal server error'), shouldRetry: true };
}

/** The sign-in is no longer good. */
export function signInFailure(): Reply {
  return final(
    401,
    'authentication_error',
    'OAuth token has expired. Please obtain a new token or refresh your existing token.',
  );
}

/** A prepaid account is empty. */
export function creditTooLow(): Reply {
  return final(
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  );
}

/** The organization's monthly spend limit is reached. */
export function spendLimit(): Reply {
  return final(402, 'billing_error', 'Your organization has reached its monthly spend limit.');
}

/** The conversation does not fit the model. */
export function promptTooLong(): Reply {
  return final(400, 'invalid_request_error', 'prompt is too long: 214001 tokens > 200000 maximum');
}

/** There is no such model. */
export function unknownModel(model: string): Reply {
  return final(404, 'not_found_error', `model: ${model}`);
}

/** The account pays for no context as large as this model's. */
export function longContext(): Reply {
  return final(429, 'rate_limit_error', 'Extra usage is required for long context requests.');
}

/** The request is wrong in itself. */
export function invalidRequest(message: string): Reply {
  return final(400, 'invalid_request_error', message);
}

/** No answer ever comes; the connection stays open. */
export function hang(): Reply {
  return { kind: 'hang' };
}

/** The connection breaks: at once, or in the middle of an answer where `afterEvents` of its stream have been sent. */
export function dropConnection(afterEvents?: number): Reply {
  if (afterEvents === undefined) return { kind: 'drop' };
  return {
    kind: 'message',
    content: [{ type: 'text', text: 'This answer breaks off before it has come to an end.' }],
    stopReason: 'end_turn',
    cutAfterEvents: afterEvents,
  };
}

function error(status: number, type: string, message: string): ErrorReply {
  return { kind: 'error', status, type, message };
}

/** A failure that the server says is not worth repeating. */
function final(status: number, type: string, message: string): ErrorReply {
  return { ...error(status, type, message), shouldRetry: false };
}
