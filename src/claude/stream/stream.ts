import type { Tokens } from '../../domain/task/attempt';
import type { WindowUsage } from '../../domain/gate/gate';
import type { ApiFailure, InitFacts, RateLimitInfo, ResultMessage, StreamMessage } from './message';
import { compact, type Compact } from './json';
import { parseLine } from './parseLine';
import { addSpent, addTokens, type Spent } from './spent';
import { NO_WORK, ToolCallTracker, type WorkFacts } from '../verdict/toolCallTracker';

/** Facts from an attempt's output for its verdict and its history. */
export interface StreamFacts extends InitFacts {
  /** Last event of its kind: an attempt may meet a limit, wait for its end by itself and continue. */
  readonly rateLimit?: RateLimitInfo;
  /** Last rejection of each kind of limit. A later event that allows requests removes it. */
  readonly rejections?: readonly RateLimitInfo[];
  /** Last failure that Claude Code reported; absent if the model has spoken since. */
  readonly failure?: ApiFailure;
  /** Last result line, with the turns of all of them. */
  readonly result?: ResultMessage;
  /** First answer that is not empty; absent if no turn ended with one. */
  readonly answer?: string;
  /** Failure of an earlier turn, if something in the background called for another one. */
  readonly failedTurn?: string;
  /** Sum of the usage in all result lines. */
  readonly spent?: Spent;
  /** Usage of each message of the API, as far as it was reported while the message came. */
  readonly used?: ReadonlyMap<string, Tokens>;
  /** Claude was asked to wrap up, since a limit of the account is near or reached. */
  readonly wrapsUp?: true;
  /** Results of the tool calls. */
  readonly work: WorkFacts;
  /** Whether any line was JSON. */
  readonly structured: boolean;
  /** Lines that were not JSON, at most the last `PLAIN_LIMIT` characters. */
  readonly plainText: string;
}

/** Reads an attempt's output line by line. */
interface StreamReader {
  push(line: string): StreamMessage;
  facts(): StreamFacts;
}

/**
 * Characters kept of plain text: more than any failure text. A help page or another output format may be
 * longer.
 */
const PLAIN_LIMIT = 64 * 1024;

/** Creates a reader for the lines of one attempt. */
export function createStreamReader(): StreamReader {
  const work = new ToolCallTracker();
  let facts: StreamFacts = { structured: false, plainText: '', work: NO_WORK };
  const used = new Map<string, Tokens>();
  return {
    push(line) {
      const message = parseLine(line);
      facts = add(facts, message);
      work.add(message);
      // Each part of a message repeats what the whole message has used by then.
      if (message.type === 'assistant' && message.used !== undefined) {
        used.set(message.used.message, message.used.tokens);
      }
      return message;
    },
    facts: () => ({ ...facts, work: work.facts(), ...(used.size === 0 ? {} : { used }) }),
  };
}

function add(facts: StreamFacts, message: StreamMessage): StreamFacts {
  const known = message.type === 'text' || facts.structured ? facts : { ...facts, structured: true };
  switch (message.type) {
    case 'init':
      return compact({ ...known, ...message.about, failedTurn: known.failure?.said ?? known.failedTurn });
    case 'assistant':
      return message.subagent === undefined ? compact({ ...known, failure: message.failure }) : known;
    case 'mode':
      return { ...known, mode: message.mode };
    case 'notice':
      return WRAP_UP.test(message.text) ? { ...known, wrapsUp: true } : known;
    case 'rate-limit':
      return {
        ...known,
        rateLimit: message.info,
        rejections: addRejection(known.rejections ?? [], message.info),
        ...(message.info.isGrace === true ? { wrapsUp: true } : {}),
      };
    case 'result':
      return compact({ ...known, ...addResult(known, message) });
    case 'text':
      return { ...known, plainText: `${known.plainText}${message.text}\n`.slice(-PLAIN_LIMIT) };
    default:
      return known;
  }
}

function addRejection(before: readonly RateLimitInfo[], info: RateLimitInfo): readonly RateLimitInfo[] {
  const { rateLimitType: kind, status } = info;
  const others = before.filter(({ rateLimitType }) => rateLimitType !== kind);
  return status === 'rejected' && kind !== undefined ? [...others, info] : others;
}

/**
 * Notice that Claude also receives (2.1.329): "Approaching your 5-hour usage limit — Claude will wrap up the
 * current step."
 */
const WRAP_UP = /usage limit.*\bwrap(?:ping)? up\b/i;

/**
 * Adds a result line. An attempt has more than one if something in the background made it continue: each is
 * about its own turn.
 */
function addResult(known: StreamFacts, message: ResultMessage): Compact<Partial<StreamFacts>> {
  const { result: before, failedTurn, spent, answer } = known;
  const turns = addNumbers(before?.turns, message.turns);
  return compact({
    result: compact({ ...message, turns }),
    answer: answer ?? (message.text.trim() === '' ? undefined : message.text),
    failedTurn: before?.isError === true ? before.text : failedTurn,
    spent:
      spent === undefined || message.spent === undefined
        ? (message.spent ?? spent)
        : addSpent(spent, message.spent),
  });
}

function addNumbers(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (other ?? one) : one + other;
}

/** Returns the usage of an attempt. Without a result line, that is the sum of what its messages reported. */
export function readSpending({ result, spent, used }: StreamFacts): {
  readonly tokens?: Tokens;
  readonly costUsd?: number;
} {
  if (spent !== undefined) return spent;
  if (result !== undefined) return compact({ tokens: result.tokens, costUsd: result.costUsd });
  return used === undefined ? {} : { tokens: [...used.values()].reduce(addTokens) };
}

/** Returns the fill levels of the account's usage windows from the last `rate_limit_event`. */
export function readUsage(info: RateLimitInfo | undefined): readonly WindowUsage[] {
  if (info === undefined) return [];
  return (['five_hour', 'seven_day'] as const).flatMap((window) => {
    const usage = info.windows[window] ?? readOwnWindow(info, window);
    if (usage === undefined) return [];
    return [{ window, utilization: usage.utilization, resetAt: usage.resetsAtS * 1000 }];
  });
}

/** Returns the event's own window. Versions before 2.1.329 report only the window that decides. */
function readOwnWindow(
  info: RateLimitInfo,
  window: string,
): { readonly utilization: number; readonly resetsAtS: number } | undefined {
  const { rateLimitType, utilization, resetsAtS } = info;
  if (rateLimitType !== window || utilization === undefined || resetsAtS === undefined) return undefined;
  return { utilization, resetsAtS };
}
