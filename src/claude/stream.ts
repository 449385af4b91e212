import type { WindowUsage } from '../domain/limits';
import type { ApiFailure, RateLimitInfo, ResultMessage, StreamMessage } from './message';
import { compact } from './json';
import { parseLine } from './parseLine';

/** What a run has told, as far as its verdict and its history need it. */
export interface StreamFacts {
  readonly version?: string;
  readonly model?: string;
  /** The last one: a run may meet a limit, wait for its end by itself and go on. */
  readonly rateLimit?: RateLimitInfo;
  /** The failure that Claude Code reported last, unless the model has spoken since. */
  readonly failure?: ApiFailure;
  readonly result?: ResultMessage;
  /** Whether any line was JSON. */
  readonly structured: boolean;
  /** The lines that were not, at most the last `PLAIN_LIMIT` characters. */
  readonly plainText: string;
}

/** Reads a run's output line by line. */
export interface StreamReader {
  push(line: string): StreamMessage;
  facts(): StreamFacts;
}

/** More than any failure text; a help page or another output format may be longer. */
const PLAIN_LIMIT = 64 * 1024;

/** A reader for the lines of one run. */
export function createStreamReader(): StreamReader {
  let facts: StreamFacts = { structured: false, plainText: '' };
  return {
    push(line) {
      const message = parseLine(line);
      facts = add(facts, message);
      return message;
    },
    facts: () => facts,
  };
}

function add(facts: StreamFacts, message: StreamMessage): StreamFacts {
  const known = message.type === 'text' || facts.structured ? facts : { ...facts, structured: true };
  switch (message.type) {
    case 'init':
      return { ...known, ...message.about };
    case 'assistant':
      return compact({ ...known, failure: message.failure });
    case 'rate-limit':
      return { ...known, rateLimit: message.info };
    case 'result':
      return { ...known, result: message };
    case 'text':
      return { ...known, plainText: `${known.plainText}${message.text}\n`.slice(-PLAIN_LIMIT) };
    default:
      return known;
  }
}

/** Fill levels of the account's windows, as the last `rate_limit_event` told them. */
export function readUsage(info: RateLimitInfo | undefined): readonly WindowUsage[] {
  if (info === undefined) return [];
  return (['five_hour', 'seven_day'] as const).flatMap((window) => {
    const told = info.windows[window] ?? readOwnWindow(info, window);
    if (told === undefined) return [];
    return [{ window, utilization: told.utilization, resetAt: told.resetsAtS * 1000 }];
  });
}

/** Versions before 2.1.329 tell only the window that decides. */
function readOwnWindow(
  info: RateLimitInfo,
  window: string,
): { readonly utilization: number; readonly resetsAtS: number } | undefined {
  const { rateLimitType, utilization, resetsAtS } = info;
  if (rateLimitType !== window || utilization === undefined || resetsAtS === undefined) return undefined;
  return { utilization, resetsAtS };
}
