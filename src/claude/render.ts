import type { StreamMessage, ToolCall } from './message';
import { clean, describeCall, firstLine } from './plain';

/** What a message looks like in a terminal: some lines, or none. Nothing in them can steer the terminal. */
export function renderMessage(message: StreamMessage): string[] {
  switch (message.type) {
    case 'init': {
      const { version, model } = message.about;
      return [`Claude Code${version === undefined ? '' : ` ${firstLine(version)}`}${renderModel(model)}`];
    }
    case 'assistant':
      return [...message.texts.flatMap(renderText), ...message.tools.map(renderCall)];
    case 'rate-limit':
      return message.info.status === 'rejected' && message.info.rateLimitType !== undefined
        ? [`Usage limit: ${firstLine(message.info.rateLimitType)}`]
        : [];
    case 'retry':
      return [
        `Trying again in ${Math.ceil(message.delayMs / 1000)} s (${message.status ?? firstLine(message.error ?? 'network')}, attempt ${message.attempt})`,
      ];
    case 'refused':
      return [`Refused: ${firstLine(`${message.tool}  ${message.message}`)}`];
    case 'result':
      return [renderResult(message)];
    case 'text':
      return renderText(message.text);
    case 'other':
      return [];
  }
}

function renderModel(model: string | undefined): string {
  return model === undefined ? '' : `, ${firstLine(model)}`;
}

function renderText(text: string): string[] {
  return clean(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

function renderCall(call: ToolCall): string {
  return `${firstLine(call.name)} ${describeCall(call)}`.trimEnd();
}

function renderResult(result: Extract<StreamMessage, { type: 'result' }>): string {
  const parts = [
    result.turns === undefined ? [] : `${result.turns} ${result.turns === 1 ? 'turn' : 'turns'}`,
    result.costUsd === undefined ? [] : `$${result.costUsd.toFixed(4)}`,
    result.durationMs === undefined ? [] : `${(result.durationMs / 1000).toFixed(1)} s`,
  ].flat();
  const numbers = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  if (!result.isError) return `Finished${numbers}`;
  const said = firstLine(result.text) || firstLine(result.errors.join('\n')) || firstLine(result.subtype);
  return `Failed${numbers}: ${said}`;
}
