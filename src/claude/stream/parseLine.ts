import { UNKNOWN_CAUSES } from '../../domain/task/attempt';
import { asList } from '../../platform/text/shapes';
import { asNumber, asObject, asText, compact, parseObject, type JsonObject } from './json';
import type { ApiFailure, RateLimitInfo, ResultMessage, StreamMessage, ToolCall } from './message';
import { parseTask, parseToolResults } from './parseToolResults';
import { readSpent, readTokens } from './spent';

/**
 * Parses one line of output. Never throws: an unknown kind is `other`, and a line that is not JSON is `text`.
 * The single object of `--output-format json` is a result like the last line of a stream.
 */
export function parseLine(line: string): StreamMessage {
  const json = parseObject(line);
  if (json === null) return isBrokenJson(line) ? { type: 'other' } : { type: 'text', text: line };
  switch (json['type']) {
    case 'system':
      return parseSystem(json);
    case 'assistant':
      return parseAssistant(json);
    case 'user':
      return parseToolResults(json);
    case 'rate_limit_event':
      return { type: 'rate-limit', info: parseRateLimit(asObject(json['rate_limit_info'])) };
    case 'result':
      return parseResult(json);
    case 'check':
      return parseCheck(json);
    case 'check-before':
      return parseBefore(json);
    default:
      return { type: 'other' };
  }
}

/**
 * Whether a line is truncated JSON or a list. Its contents may be anybody's words, and are no text of Claude
 * Code.
 */
function isBrokenJson(line: string): boolean {
  return /^\s*(?:\{|\[\s*[{"])/.test(line);
}

function parseSystem(json: JsonObject): StreamMessage {
  switch (json['subtype']) {
    case 'init':
      return {
        type: 'init',
        about: compact({
          version: asText(json['claude_code_version']),
          model: asText(json['model']),
          keySource: readKeySource(json['apiKeySource']),
          mode: asText(json['permissionMode']),
        }),
      };
    case 'api_retry':
      return {
        type: 'retry',
        attempt: asNumber(json['attempt']) ?? 0,
        delayMs: asNumber(json['retry_delay_ms']) ?? 0,
        ...compact({ status: asNumber(json['error_status']), error: asText(json['error']) }),
      };
    case 'informational':
      return { type: 'notice', text: asText(json['content']) ?? '' };
    case 'permission_denied':
      return {
        type: 'refused',
        tool: asText(json['tool_name']) ?? 'a tool',
        message: asText(json['message']) ?? '',
        ...compact({ call: asText(json['tool_use_id']) }),
      };
    case 'task_started':
    case 'task_progress':
    case 'task_notification':
      return parseTask(json);
    case 'status':
      return parseMode(json);
    default:
      return { type: 'other' };
  }
}

function parseMode(json: JsonObject): StreamMessage {
  const mode = asText(json['permissionMode']);
  return mode === undefined ? { type: 'other' } : { type: 'mode', mode };
}

function readKeySource(value: unknown): string | undefined {
  const source = asText(value);
  return source === 'none' ? undefined : source;
}

function parseAssistant(json: JsonObject): StreamMessage {
  const message = asObject(json['message']);
  const content = asList(message['content']).map(asObject);
  const id = asText(message['id']);
  const tokens = readTokens(message['usage']);
  const failure = parseFailure(json);
  const texts = content.flatMap((block) => (block['type'] === 'text' ? (asText(block['text']) ?? []) : []));
  return {
    type: 'assistant',
    texts,
    tools: content.flatMap((block) =>
      block['type'] === 'tool_use' ? [parseToolCall(block['id'], block['name'], block['input'])] : [],
    ),
    ...(id === undefined || tokens === undefined ? {} : { used: { message: id, tokens } }),
    ...(failure.error === undefined && failure.apiError === undefined
      ? {}
      : { failure: { ...failure, said: texts.join('\n') } }),
    ...(message['model'] === '<synthetic>' ? { isOwn: true } : {}),
    ...compact({ subagent: asText(json['parent_tool_use_id']) }),
  };
}

function parseToolCall(id: unknown, name: unknown, input: unknown): ToolCall {
  return { name: asText(name) ?? 'a tool', input: asObject(input), ...compact({ id: asText(id) }) };
}

function parseFailure(json: JsonObject): ApiFailure {
  const rateLimit = asObject(json['api_error_params'])['rate_limit_info'];
  return compact({
    error: asText(json['error']),
    apiError: asText(json['api_error']),
    apiErrorType: asText(json['api_error_type']),
    status: asNumber(json['api_error_status']),
    rateLimit: rateLimit === undefined ? undefined : parseRateLimit(asObject(rateLimit)),
  });
}

/** Parses the account's usage from a stream or a transcript. */
export function parseRateLimit(info: JsonObject): RateLimitInfo {
  const windows = Object.entries(asObject(info['unifiedWindows'])).flatMap(([name, value]) => {
    const utilization = asNumber(asObject(value)['utilization']);
    const resetsAtS = asNumber(asObject(value)['resetsAt']);
    return utilization === undefined || resetsAtS === undefined ? [] : [[name, { utilization, resetsAtS }]];
  });
  return {
    status: asText(info['status']) ?? '',
    ...(isGrace(info) ? { isGrace: true } : {}),
    windows: Object.fromEntries(windows) as RateLimitInfo['windows'],
    ...compact({
      rateLimitType: asText(info['rateLimitType']),
      resetsAtS: asNumber(info['resetsAt']),
      utilization: asNumber(info['utilization']),
      overageDisabledReason: asText(info['overageDisabledReason']),
    }),
  };
}

/**
 * Whether the limit is reached and Claude was informed. An account with credits of its own continues as before,
 * and Claude is not informed.
 */
function isGrace(info: JsonObject): boolean {
  const hasCredits = ['allowed', 'allowed_warning'].includes(asText(info['overageStatus']) ?? '');
  return info['rateLimitGraceActive'] === true && !hasCredits;
}

const CHECK_RESULTS = ['passed', 'failed', 'timeout', 'could-not-run'] as const;

function parseCheck(json: JsonObject): StreamMessage {
  const result = CHECK_RESULTS.find((known) => known === json['result']);
  if (result === undefined) return { type: 'other' };
  const words = asList(json['command']).flatMap((word) => asText(word) ?? []);
  const check = {
    result,
    exitCode: asNumber(json['exitCode']) ?? null,
    output: asText(json['output']) ?? '',
    ...compact({ signal: asText(json['signal']) }),
  };
  return { type: 'check', name: words.join(' '), check };
}

const BEFORE_RESULTS = ['passed', 'failed', 'unknown'] as const;

function parseBefore(json: JsonObject): StreamMessage {
  const result = BEFORE_RESULTS.find((known) => known === json['result']);
  if (result === undefined) return { type: 'other' };
  const before = {
    result,
    exitCode: asNumber(json['exitCode']) ?? null,
    output: asText(json['output']) ?? '',
    ...compact({
      cause: UNKNOWN_CAUSES.find((known) => known === json['cause']),
      signal: asText(json['signal']),
    }),
  };
  return { type: 'check-before', before };
}

function parseResult(json: JsonObject): ResultMessage {
  return {
    type: 'result',
    subtype: asText(json['subtype']) ?? '',
    isError: typeof json['is_error'] === 'boolean' ? json['is_error'] : null,
    text: asText(json['result']) ?? '',
    errors: asList(json['errors']).flatMap((entry) => asText(entry) ?? []),
    failure: parseFailure(json),
    refused: asList(json['permission_denials'])
      .map(asObject)
      .map((denial) => parseToolCall(denial['tool_use_id'], denial['tool_name'], denial['tool_input'])),
    ...compact({
      terminalReason: asText(json['terminal_reason']),
      stopReason: asText(json['stop_reason']),
      startupFailure: asText(json['startup_failure_reason']),
      localCommand: asText(json['local_command']),
      turns: asNumber(json['num_turns']),
      costUsd: asNumber(json['total_cost_usd']),
      tokens: readTokens(json['usage']),
      spent: readSpent(json),
      apiMs: asNumber(json['duration_api_ms']),
      durationMs: asNumber(json['duration_ms']),
    }),
  };
}
