import { asList } from '../../platform/text/shapes';
import { asNumber, asObject, asText, compact, type JsonObject } from './json';
import type { StreamMessage, ToolResult } from './message';

/** Parses a `user` line: the results of tool calls. */
export function parseToolResults(json: JsonObject): StreamMessage {
  const content = asList(asObject(json['message'])['content']).map(asObject);
  const blocks = content.filter((block) => block['type'] === 'tool_result');
  const marks = asList(json['tool_result_meta']).map(asObject);
  // The field is about the line's only result: Claude Code writes one line for each.
  const subagentTokens =
    blocks.length === 1 ? readSubagentTokens(asObject(json['tool_use_result'])) : undefined;
  const results = blocks.flatMap((block): ToolResult[] => {
    const call = asText(block['tool_use_id']);
    if (call === undefined) return [];
    const mark = readMark(marks.find(({ id }) => id === call));
    const isError = block['is_error'] === true;
    const text = asText(block['content']) ?? (isError ? readTexts(block['content']) : undefined);
    return [{ call, isError, ...compact({ text, mark, subagentTokens }) }];
  });
  return results.length === 0 ? { type: 'other' } : { type: 'tool-results', results };
}

function readTexts(content: unknown): string | undefined {
  const texts = asList(content).flatMap((block) => asText(asObject(block)['text']) ?? []);
  return texts.length === 0 ? undefined : texts.join('\n');
}

/**
 * Returns Claude Code's mark of a stopped call. `decision: "accept"` proves nothing: calls that failed or were
 * stopped later have it too.
 */
function readMark(meta: JsonObject | undefined): ToolResult['mark'] {
  if (meta === undefined) return undefined;
  if (asObject(meta['remedy'])['kind'] === 'sandbox_violation') return 'sandbox';
  const isRejected = asObject(meta['permission_decision'])['decision'] === 'reject';
  return isRejected || meta['non_execution_kind'] !== undefined ? 'refused' : undefined;
}

/** Returns the tokens of a subagent's last message. Only a subagent that ran in the foreground has both fields. */
function readSubagentTokens(result: JsonObject): number | undefined {
  return result['status'] === 'completed' && asText(result['agentId']) !== undefined
    ? asNumber(result['totalTokens'])
    : undefined;
}

/** Parses a line about a subagent or a background task. */
export function parseTask(json: JsonObject): StreamMessage {
  const call = asText(json['tool_use_id']);
  if (call === undefined) return { type: 'other' };
  const subagentTokens = asNumber(asObject(json['usage'])['total_tokens']);
  switch (json['subtype']) {
    case 'task_started':
      return { type: 'task-start', call };
    case 'task_progress':
      return {
        type: 'task-progress',
        call,
        subagentTokens: subagentTokens ?? 0,
        ...compact({ tool: asText(json['last_tool_name']) }),
      };
    default:
      return { type: 'task-end', call, status: asText(json['status']) ?? '', ...compact({ subagentTokens }) };
  }
}
