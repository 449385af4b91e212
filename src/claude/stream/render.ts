import { describeBefore, describeCheck } from '../../platform/text/sentences';
import { formatUsd } from '../../domain/usd';
import { readLimitKind } from '../limits/limitTexts';
import type { RateLimitInfo, StreamMessage, ToolCall } from './message';
import { revealInvisible } from '../../platform/text/invisible';
import { clean, firstLine } from '../../platform/text/plainText';
import { describeCall } from './plain';
import { splitAnswer } from '../verdict/selfReport';

type MessageOf<T extends StreamMessage['type']> = Extract<StreamMessage, { type: T }>;

/**
 * Returns the lines of a message for a terminal, or none. They hold no control sequences, and invisible
 * characters appear as their codes. A report line with this token is left out.
 */
export function renderMessage(message: StreamMessage, token?: string): string[] {
  return renderLines(message, token).map(revealInvisible);
}

function renderLines(message: StreamMessage, token: string | undefined): string[] {
  switch (message.type) {
    case 'init':
      return [renderStart(message.about)];
    case 'assistant':
      return [
        ...message.texts.flatMap((text) => renderText(withoutReport(text, token))),
        ...message.tools.map(renderCall),
      ];
    case 'rate-limit':
      return renderLimit(message.info);
    case 'retry':
      return [renderRetry(message)];
    case 'notice':
      return renderText(message.text);
    case 'refused':
      return [firstLine(`Refused ${message.tool}: ${message.message}`)];
    case 'result':
      return [renderResult(message)];
    case 'check':
      return [firstLine(describeCheck(message.name, message.check)), ...renderText(message.check.output)];
    case 'check-before':
      return [describeBefore(message.before), ...renderText(message.before.output)];
    case 'text':
      return renderText(message.text);
    case 'tool-results':
    case 'mode':
    case 'task-start':
    case 'task-progress':
    case 'task-end':
    case 'other':
      return [];
  }
}

function renderStart({ version, model }: MessageOf<'init'>['about']): string {
  const numbered = version === undefined ? 'Claude Code' : `Claude Code ${firstLine(version)}`;
  return model === undefined ? numbered : `${numbered}, ${firstLine(model)}`;
}

function renderLimit({ status, rateLimitType }: RateLimitInfo): string[] {
  const isLimit = status === 'rejected' && rateLimitType !== undefined;
  return isLimit ? [`Usage limit: ${firstLine(rateLimitType)}`] : [];
}

function renderRetry({ attempt, delayMs, status, error }: MessageOf<'retry'>): string {
  const cause = status ?? firstLine(error ?? 'network');
  return `Trying again in ${Math.ceil(delayMs / 1000)} s (${cause}, attempt ${attempt})`;
}

function withoutReport(text: string, token: string | undefined): string {
  return token === undefined ? text : splitAnswer(text, token).answer;
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

function renderResult(result: MessageOf<'result'>): string {
  const costUsd = result.spent?.costUsd ?? result.costUsd;
  const parts = [
    result.turns === undefined ? [] : `${result.turns} ${result.turns === 1 ? 'turn' : 'turns'}`,
    costUsd === undefined ? [] : formatUsd(costUsd),
    result.durationMs === undefined ? [] : `${(result.durationMs / 1000).toFixed(1)} s`,
  ].flat();
  const numbers = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  if (!result.isError) return `Finished${numbers}`;
  const said = firstLine(result.text) || firstLine(result.errors.join('\n')) || firstLine(result.subtype);
  return `${isUsageLimit(result) ? 'Stopped by a usage limit' : 'Failed'}${numbers}: ${said}`;
}

/** Whether a usage limit ended the attempt: by the failure's name, or by its text if the version gives none. */
function isUsageLimit({ failure, text }: MessageOf<'result'>): boolean {
  return failure.apiError?.endsWith('_limit_reached') ?? readLimitKind(text) !== undefined;
}
