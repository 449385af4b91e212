import type { CheckBefore, CheckRun, Tokens } from '../../domain/task/attempt';
import type { Spent } from './spent';

/** Account usage from a `rate_limit_event` line. Its times are epoch seconds. */
export interface RateLimitInfo {
  readonly status: string;
  /** Absent for a plain throttle, which is not a usage limit. */
  readonly rateLimitType?: string;
  readonly resetsAtS?: number;
  readonly utilization?: number;
  /** The limit is reached, and Claude was asked to finish with what the account has left. */
  readonly isGrace?: true;
  /** Reason why the account does not continue at its own expense. */
  readonly overageDisabledReason?: string;
  readonly windows: Readonly<Record<string, { readonly utilization: number; readonly resetsAtS: number }>>;
}

/** Failure that a line reports, in the words of Claude Code. */
export interface ApiFailure {
  readonly error?: string;
  readonly apiError?: string;
  readonly apiErrorType?: string;
  readonly status?: number;
  readonly rateLimit?: RateLimitInfo;
  /** Text that Claude Code wrote in place of an answer. */
  readonly said?: string;
}

/** Tool call in a message or in a list of refusals. */
export interface ToolCall {
  /** Joins the call to its result; absent if a line has none. */
  readonly id?: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Result of a tool call, as Claude Code reports it. */
export interface ToolResult {
  /** ID of the call. */
  readonly call: string;
  readonly isError: boolean;
  /**
   * Result if it is a string, or the text of an error. Subagents and most servers answer with a list of blocks.
   */
  readonly text?: string;
  /**
   * Claude Code's own mark that the call was stopped. `refused`: by a rule, or because nobody answered.
   * `sandbox`: by the sandbox.
   */
  readonly mark?: 'refused' | 'sandbox';
  /** Tokens of the last message of a subagent that has ended. 0: Claude Code wrote that message itself. */
  readonly subagentTokens?: number;
}

/** Result line of a turn. An attempt has more than one if background work made it continue. */
export interface ResultMessage {
  readonly type: 'result';
  readonly subtype: string;
  /** Null if the line does not say. */
  readonly isError: boolean | null;
  /** Answer, or text of the failure if `isError`. */
  readonly text: string;
  readonly errors: readonly string[];
  readonly failure: ApiFailure;
  readonly terminalReason?: string;
  readonly stopReason?: string;
  readonly startupFailure?: string;
  readonly localCommand?: string;
  readonly turns?: number;
  /** Cost in USD: of the whole session in versions that report `spent` too. */
  readonly costUsd?: number;
  /** Tokens of the main conversation alone. */
  readonly tokens?: Tokens;
  /** Usage since the start of the attempt, or since its last result line. */
  readonly spent?: Spent;
  /** Time in API requests, in milliseconds: of the whole session if it was resumed. */
  readonly apiMs?: number;
  readonly durationMs?: number;
  readonly refused: readonly ToolCall[];
}

/** Facts that Claude Code reports before its first request. */
export interface InitFacts {
  readonly version?: string;
  readonly model?: string;
  /** Source of the API key that will be used; absent: no key, or not reported. */
  readonly keySource?: string;
  /** Permission mode. */
  readonly mode?: string;
}

/** One line of `claude --output-format stream-json`, as far as it is used here. */
export type StreamMessage =
  | { readonly type: 'init'; readonly about: InitFacts }
  | {
      readonly type: 'assistant';
      readonly texts: readonly string[];
      readonly tools: readonly ToolCall[];
      /** Message of the API that this is a part of, and the tokens that it had used by then. */
      readonly used?: { readonly message: string; readonly tokens: Tokens };
      /** Set if Claude Code itself reports a failure. */
      readonly failure?: ApiFailure;
      /** Set if the words are Claude Code's own, for which no model was asked. */
      readonly isOwn?: true;
      /** ID of the call that started the subagent which speaks or is spoken to. */
      readonly subagent?: string;
    }
  | { readonly type: 'tool-results'; readonly results: readonly ToolResult[] }
  /** The permission mode has changed. */
  | { readonly type: 'mode'; readonly mode: string }
  /** A subagent or a background task runs. `call`: ID of the call that started it. */
  | { readonly type: 'task-start'; readonly call: string }
  /** A subagent has called a tool. */
  | {
      readonly type: 'task-progress';
      readonly call: string;
      readonly subagentTokens: number;
      readonly tool?: string;
    }
  /** A subagent or a background task has ended. */
  | {
      readonly type: 'task-end';
      readonly call: string;
      readonly status: string;
      /** Tokens of a subagent's last message, if the line has them. */
      readonly subagentTokens?: number;
    }
  | { readonly type: 'rate-limit'; readonly info: RateLimitInfo }
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly status?: number;
      readonly error?: string;
    }
  /** Notice from Claude Code to its user. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'refused'; readonly call?: string; readonly tool: string; readonly message: string }
  | ResultMessage
  /** Result of the row's own check. This program writes the line, not Claude Code. */
  | {
      readonly type: 'check';
      readonly name: string;
      readonly check: Pick<CheckRun, 'result' | 'exitCode' | 'signal' | 'output'>;
    }
  /** Result of that check on the files before the attempt. */
  | { readonly type: 'check-before'; readonly before: Omit<CheckBefore, 'ms'> }
  /** JSON that is not used here, or of an unknown kind. */
  | { readonly type: 'other' }
  /** Not JSON: a warning, or the whole answer of another output format. */
  | { readonly type: 'text'; readonly text: string };
