import { asList, asNumber, asObject, asText, compact, parseObject } from './json';
import type { JsonObject } from './json';
import type { ApiFailure, RateLimitInfo, ResultMessage, StreamMessage, ToolCall } from './message';

/**
 * One line of output as a message. Never throws: what is not known yet is `other`, what is not JSON is `text`. The
 * single object of `--output-format json` is a result like the last line of a stream.
 */
export function parseLine(line: string): StreamMessage {
  const json = parseObject(line);
  if (json === null) return { type: 'text', text: line };
  switch (json['type']) {
    case 'system':
      return parseSystem(json);
    case 'assistant':
      return parseAssistant(json);
    case 'rate_limit_event':
      return { type: 'rate-limit', info: parseRateLimit(asObject(json['rate_limit_info'])) };
    case 'result':
      return parseResult(json);
    default:
      return { type: 'other' };
  }
}

function parseSystem(json: JsonObject): StreamMessage {
  switch (json['subtype']) {
    case 'init':
      return {
        type: 'init',
        about: compact({ version: asText(json['claude_code_version']), model: asText(json['model']) }),
      };
    case 'api_retry':
      return {
        type: 'retry',
        attempt: asNumber(json['attempt']) ?? 0,
        delayMs: asNumber(json['retry_delay_ms']) ?? 0,
        ...compact({ status: asNumber(json['error_status']), error: asText(json['error']) }),
      };
    case 'permission_denied':
      return {
        type: 'refused',
        tool: asText(json['tool_name']) ?? 'a tool',
        message: asText(json['message']) ?? '',
      };
    default:
      return { type: 'other' };
  }
}

function parseAssistant(json: JsonObject): StreamMessage {
  const content = asList(asObject(json['message'])['content']).map(asObject);
  const failure = parseFailure(json);
  return {
    type: 'assistant',
    texts: content.flatMap((block) => (block['type'] === 'text' ? (asText(block['text']) ?? []) : [])),
    tools: content.flatMap((block) =>
      block['type'] === 'tool_use' ? [parseToolCall(block['name'], block['input'])] : [],
    ),
    ...(failure.error === undefined && failure.apiError === undefined ? {} : { failure }),
  };
}

function parseToolCall(name: unknown, input: unknown): ToolCall {
  return { name: asText(name) ?? 'a tool', input: asObject(input) };
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

/** The account's usage as it stands in a stream, and in a transcript too. */
export function parseRateLimit(info: JsonObject): RateLimitInfo {
  const windows = Object.entries(asObject(info['unifiedWindows'])).flatMap(([name, value]) => {
    const utilization = asNumber(asObject(value)['utilization']);
    const resetsAtS = asNumber(asObject(value)['resetsAt']);
    return utilization === undefined || resetsAtS === undefined ? [] : [[name, { utilization, resetsAtS }]];
  });
  return {
    status: asText(info['status']) ?? '',
    windows: Object.fromEntries(windows) as RateLimitInfo['windows'],
    ...compact({
      rateLimitType: asText(info['rateLimitType']),
      resetsAtS: asNumber(info['resetsAt']),
      utilization: asNumber(info['utilization']),
    }),
  };
}

function parseResult(json: JsonObject): ResultMessage {
  return {
    type: 'result',
    subtype: asText(json['subtype']) ?? '',
    // Only a plain "no" is one.
    isError: json['is_error'] !== false,
    text: asText(json['result']) ?? '',
    errors: asList(json['errors']).flatMap((entry) => asText(entry) ?? []),
    failure: parseFailure(json),
    refused: asList(json['permission_denials'])
      .map(asObject)
      .map((denial) => parseToolCall(denial['tool_name'], denial['tool_input'])),
    ...compact({
      terminalReason: asText(json['terminal_reason']),
      stopReason: asText(json['stop_reason']),
      startupFailure: asText(json['startup_failure_reason']),
      localCommand: asText(json['local_command']),
      turns: asNumber(json['num_turns']),
      costUsd: asNumber(json['total_cost_usd']),
      durationMs: asNumber(json['duration_ms']),
    }),
  };
}
