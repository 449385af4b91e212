import { stat } from 'node:fs/promises';
import type { EpochMs } from '../domain/epoch';
import { hasCode } from '../platform/files';
import { readPieces } from './filePieces';
import { asList, asNumber, asObject, asText, compact, isObject, parseObject } from './json';
import type { JsonObject } from './json';
import { createLineSplitter } from './lineSplitter';
import type { ApiFailure } from './message';
import { parseRateLimit } from './parseLine';

/** A failure that has just happened stands near the end; a transcript may be many megabytes long. */
const NEAR_END_BYTES = 1024 * 1024;

/** A failure as a transcript keeps it. */
export interface FailureRecord {
  readonly failure: ApiFailure;
  /** When it happened; absent where the line does not say. */
  readonly at?: EpochMs;
}

/**
 * The last failure that a transcript records with this text, or null. It tells what a hook does not: when a limit ends,
 * to the second. Claude Code writes it about when the hook runs, so it may not be there yet.
 */
export async function readFailure(transcript: string, text: string): Promise<FailureRecord | null> {
  const start = Math.max(0, (await sizeOf(transcript)) - NEAR_END_BYTES);
  const splitter = createLineSplitter();
  let found: FailureRecord | null = null;
  const look = (line: string): void => {
    const json = line.includes('"isApiErrorMessage"') ? parseObject(line) : null;
    if (json?.['isApiErrorMessage'] === true && textOf(json) === text) found = readRecord(json);
  };
  for await (const piece of readPieces(transcript, start)) splitter.push(piece).forEach(look);
  splitter.end().forEach(look);
  return found;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return 0;
    throw error;
  }
}

function textOf(json: JsonObject): string {
  const content = asList(asObject(json['message'])['content']).map(asObject);
  return content.flatMap((block) => asText(block['text']) ?? []).join('\n');
}

/** The words of a stream's failure, in the transcript's spelling. */
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
