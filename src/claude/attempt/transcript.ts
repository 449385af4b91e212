import type { EpochMs } from '../../domain/time/epoch';
import { statIfThere } from '../../platform/files/files';
import { readPieces } from './filePieces';
import { asList, isObject } from '../../platform/text/shapes';
import { asNumber, asObject, asText, compact, parseObject, type JsonObject } from '../stream/json';
import { createLineSplitter } from './lineSplitter';
import type { ApiFailure } from '../stream/message';
import { parseRateLimit } from '../stream/parseLine';

/** Bytes at the end of a transcript to search for a recent failure. A transcript may be many megabytes long. */
const NEAR_END_BYTES = 1024 * 1024;
/**
 * Bytes at the end of a transcript to search for Claude's last message. A picture that a tool has shown may
 * follow it.
 */
const LAST_WORDS_BYTES = 16 * 1024 * 1024;

/** Failure as a transcript records it. */
export interface FailureRecord {
  readonly failure: ApiFailure;
  /** Time of the failure; absent if the line has none. */
  readonly at?: EpochMs;
}

/**
 * Returns the last failure with this text in a transcript, or null. It shows what a hook does not: when a limit
 * ends, to the second. Claude Code writes it at about the time the hook runs, so it may be missing.
 */
export async function readFailure(transcript: string, text: string): Promise<FailureRecord | null> {
  let found: FailureRecord | null = null;
  await readEnd(transcript, NEAR_END_BYTES, (line) => {
    const json = line.includes('"isApiErrorMessage"') ? parseObject(line) : null;
    if (json?.['isApiErrorMessage'] === true && textOf(json) === text) found = readRecord(json);
  });
  return found;
}

/** Facts from the end of a transcript. */
export interface SessionEnd {
  /** Tokens that the model read for its last answer; absent if there is no answer. */
  readonly contextTokens?: number;
  /** Claude's last text besides tool calls; empty if there is none. */
  readonly lastText: string;
}

/** Returns the context size of a session and Claude's last text in it. */
export async function readSessionEnd(transcript: string): Promise<SessionEnd> {
  let end: SessionEnd = { lastText: '' };
  await readEnd(transcript, LAST_WORDS_BYTES, (line) => {
    const json = line.includes('"assistant"') ? parseObject(line) : null;
    if (json === null || !isAnswer(json)) return;
    const contextTokens = contextOf(asObject(asObject(json['message'])['usage']));
    end = { lastText: textOf(json) || end.lastText, contextTokens };
  });
  return end;
}

/**
 * Whether a line holds Claude's own words in the main conversation: no failure that Claude Code reports, and no
 * subagent's words.
 */
function isAnswer(json: JsonObject): boolean {
  const { type, isSidechain, isApiErrorMessage, message } = json;
  const isReal = isApiErrorMessage !== true && asObject(message)['model'] !== '<synthetic>';
  return type === 'assistant' && isSidechain !== true && isReal;
}

function contextOf(usage: JsonObject): number {
  const read = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  return read.reduce((sum, name) => sum + (asNumber(usage[name]) ?? 0), 0);
}

async function readEnd(file: string, bytes: number, take: (line: string) => void): Promise<void> {
  const start = Math.max(0, ((await statIfThere(file))?.size ?? 0) - bytes);
  const splitter = createLineSplitter();
  for await (const piece of readPieces(file, start)) splitter.push(piece).forEach(take);
  splitter.end().forEach(take);
}

function textOf(json: JsonObject): string {
  const content = asList(asObject(json['message'])['content']).map(asObject);
  return content.flatMap((block) => asText(block['text']) ?? []).join('\n');
}

/** Reads a failure. The members are those of a stream's failure, with the transcript's names. */
function readRecord(json: JsonObject): FailureRecord {
  const at = Date.parse(asText(json['timestamp']) ?? '');
  const limits = [json['quotaLimits'], asObject(json['apiErrorParams'])['rate_limit_info']].find(isObject);
  const failure = compact({
    error: asText(json['error']),
    apiError: asText(json['apiError']),
    apiErrorType: asText(json['apiErrorType']),
    status: asNumber(json['apiErrorStatus']),
    rateLimit: limits === undefined ? undefined : parseRateLimit(limits),
  });
  return { failure, ...(Number.isNaN(at) ? {} : { at }) };
}
