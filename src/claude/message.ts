/** What Claude Code says of the account's usage, in a `rate_limit_event` line; times are epoch seconds there. */
export interface RateLimitInfo {
  readonly status: string;
  /** Absent for a plain throttle, which is not a usage limit. */
  readonly rateLimitType?: string;
  readonly resetsAtS?: number;
  readonly utilization?: number;
  readonly windows: Readonly<Record<string, { readonly utilization: number; readonly resetsAtS: number }>>;
}

/** Which failure a line reports, in the words of Claude Code. */
export interface ApiFailure {
  readonly error?: string;
  readonly apiError?: string;
  readonly apiErrorType?: string;
  readonly status?: number;
  readonly rateLimit?: RateLimitInfo;
}

/** A tool call as it stands in a message or in a list of refusals. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The last line of a run. */
export interface ResultMessage {
  readonly type: 'result';
  readonly subtype: string;
  readonly isError: boolean;
  /** The answer, or the text of the failure where `isError`. */
  readonly text: string;
  readonly errors: readonly string[];
  readonly failure: ApiFailure;
  readonly terminalReason?: string;
  readonly stopReason?: string;
  readonly startupFailure?: string;
  readonly localCommand?: string;
  readonly turns?: number;
  readonly costUsd?: number;
  readonly durationMs?: number;
  readonly refused: readonly ToolCall[];
}

/** One line of `claude --output-format stream-json`, as far as it matters here. */
export type StreamMessage =
  | { readonly type: 'init'; readonly about: { readonly version?: string; readonly model?: string } }
  | {
      readonly type: 'assistant';
      readonly texts: readonly string[];
      readonly tools: readonly ToolCall[];
      /** Set where Claude Code speaks itself, to report a failure. */
      readonly failure?: ApiFailure;
    }
  | { readonly type: 'rate-limit'; readonly info: RateLimitInfo }
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly status?: number;
      readonly error?: string;
    }
  | { readonly type: 'refused'; readonly tool: string; readonly message: string }
  | ResultMessage
  /** JSON that is of no use here, or of a kind that is not known yet. */
  | { readonly type: 'other' }
  /** Not JSON: a warning, or the whole answer of another output format. */
  | { readonly type: 'text'; readonly text: string };
