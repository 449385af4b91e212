import type { CheckRun, Tokens } from '../../domain/task/attempt';
import type { Spent } from './spent';

/** What Claude Code says of the account's usage, in a `rate_limit_event` line; times are epoch seconds there. */
export interface RateLimitInfo {
  readonly status: string;
  /** Absent for a plain throttle, which is not a usage limit. */
  readonly rateLimitType?: string;
  readonly resetsAtS?: number;
  readonly utilization?: number;
  /** The limit is reached, and what the account has left is for coming to an end: Claude was told so. */
  readonly isGrace?: true;
  /** Why the account does not continue at its own expense. */
  readonly overageDisabledReason?: string;
  readonly windows: Readonly<Record<string, { readonly utilization: number; readonly resetsAtS: number }>>;
}

/** Which failure a line reports, in the words of Claude Code. */
export interface ApiFailure {
  readonly error?: string;
  readonly apiError?: string;
  readonly apiErrorType?: string;
  readonly status?: number;
  readonly rateLimit?: RateLimitInfo;
  /** What Claude Code wrote in an answer's place. */
  readonly said?: string;
}

/** A tool call as it is in a message or in a list of refusals. */
export interface ToolCall {
  /** Joins it to its result; absent where a line does not say. */
  readonly id?: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What Claude Code reports of a tool call when it is over. */
export interface ToolResult {
  /** Id of the call. */
  readonly call: string;
  readonly isError: boolean;
  /** The result where it is a string, or an error; helpers and most servers answer with a list of blocks. */
  readonly text?: string;
  /** Claude Code's own mark that the call was stopped: by a rule or for want of an answer, or by the sandbox. */
  readonly mark?: 'refused' | 'sandbox';
  /** For a helper that has ended: tokens of its last message. 0: Claude Code wrote that message itself. */
  readonly helperTokens?: number;
}

/** The last line of a run. */
export interface ResultMessage {
  readonly type: 'result';
  readonly subtype: string;
  /** Null where it does not say. */
  readonly isError: boolean | null;
  /** The answer, or the text of the failure where `isError`. */
  readonly text: string;
  readonly errors: readonly string[];
  readonly failure: ApiFailure;
  readonly terminalReason?: string;
  readonly stopReason?: string;
  readonly startupFailure?: string;
  readonly localCommand?: string;
  readonly turns?: number;
  /** Over the whole session, in versions that tell `spent` too. */
  readonly costUsd?: number;
  /** Of the main conversation alone. */
  readonly tokens?: Tokens;
  /** What was used since the run started, or since its last result line. */
  readonly spent?: Spent;
  /** Over the whole session, where it was continued. */
  readonly apiMs?: number;
  readonly durationMs?: number;
  readonly refused: readonly ToolCall[];
}

/** What a run says of itself before it sends its first request. */
export interface InitFacts {
  readonly version?: string;
  readonly model?: string;
  /** Where the API key comes from that it will use; absent: it uses none, or does not say. */
  readonly keySource?: string;
  /** Its permission mode. */
  readonly mode?: string;
}

/** One line of `claude --output-format stream-json`, as far as it matters here. */
export type StreamMessage =
  | { readonly type: 'init'; readonly about: InitFacts }
  | {
      readonly type: 'assistant';
      readonly texts: readonly string[];
      readonly tools: readonly ToolCall[];
      /** Which message of the API this is a part of, and what that used by then. */
      readonly used?: { readonly message: string; readonly tokens: Tokens };
      /** Set where Claude Code speaks itself, to report a failure. */
      readonly failure?: ApiFailure;
      /** Claude Code's own words, for which no model was asked. */
      readonly isOwn?: true;
      /** Said by a helper, or to it: id of the call that started the helper. */
      readonly helper?: string;
    }
  | { readonly type: 'tool-results'; readonly results: readonly ToolResult[] }
  /** The run's permission mode has changed. */
  | { readonly type: 'mode'; readonly mode: string }
  /** A helper, or something in the background, runs: id of the call that started it. */
  | { readonly type: 'task-start'; readonly call: string }
  /** A helper has called a tool. */
  | {
      readonly type: 'task-progress';
      readonly call: string;
      readonly helperTokens: number;
      readonly tool?: string;
    }
  /** It has ended. */
  | {
      readonly type: 'task-end';
      readonly call: string;
      readonly status: string;
      /** Tokens of a helper's last message, where the line has them. */
      readonly helperTokens?: number;
    }
  | { readonly type: 'rate-limit'; readonly info: RateLimitInfo }
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly status?: number;
      readonly error?: string;
    }
  /** What Claude Code tells its person by the way. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'refused'; readonly call?: string; readonly tool: string; readonly message: string }
  | ResultMessage
  /** What the row's own check came to: our line, not Claude Code's. */
  | {
      readonly type: 'check';
      readonly name: string;
      readonly check: Pick<CheckRun, 'result' | 'exitCode' | 'output'>;
    }
  /** JSON that is of no use here, or of a kind that is not known yet. */
  | { readonly type: 'other' }
  /** Not JSON: a warning, or the whole answer of another output format. */
  | { readonly type: 'text'; readonly text: string };
