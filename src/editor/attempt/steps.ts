import type { ResultMessage, StreamMessage, ToolCall, ToolResult } from '../../claude/stream/message';
import { renderMessage } from '../../claude/stream/render';
import { splitAnswer } from '../../claude/verdict/selfReport';
import { revealInvisible } from '../../platform/text/invisible';
import { clean } from '../../platform/text/plainText';

/** Tool call of Claude with its result. */
export interface ToolStep {
  readonly kind: 'tool';
  readonly call: ToolCall;
  /** `open`: its result is not known yet. */
  readonly state: 'open' | 'done' | 'failed' | 'refused';
  /** Result, or the reason why it was refused; empty: none that is text. */
  readonly output: string;
}

/** One step of an attempt, in the order of its output. Its texts hold no control characters. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | ToolStep
  /** Line of Claude Code or of this program. */
  | { readonly kind: 'note'; readonly text: string; readonly isWarning: boolean }
  | { readonly kind: 'check'; readonly title: string; readonly hasPassed: boolean; readonly output: string }
  | { readonly kind: 'end'; readonly text: string; readonly hasFailed: boolean };

/** Returns text from outside as the page may show it: invisible characters appear as their codes. */
export function toShown(text: string): string {
  return revealInvisible(clean(text));
}

/** Steps of an attempt, from the messages of its output. A step that changes is replaced by another object. */
export class AttemptSteps {
  private readonly list: Step[] = [];
  /** Place of each tool call in the list. */
  private readonly places = new Map<string, number>();

  get all(): readonly Step[] {
    return this.list;
  }

  /** Adds messages. A report line with this token is left out. */
  add(messages: readonly StreamMessage[], token: string | undefined): void {
    for (const message of messages) this.addMessage(message, token);
  }

  private addMessage(message: StreamMessage, token: string | undefined): void {
    switch (message.type) {
      case 'assistant':
        for (const text of message.texts) this.addText(text, token);
        message.tools.forEach((call) => this.addCall(call, 'open', ''));
        return;
      case 'tool-results':
        message.results.forEach((result) => this.addResult(result));
        return;
      case 'refused':
        this.refuse({ name: message.tool, input: {}, ...idOf(message.call) }, message.message);
        return;
      case 'check':
        this.list.push(toCheck(message));
        return;
      case 'result':
        this.end(message);
        return;
      default:
        this.addNote(message, token);
    }
  }

  private addText(text: string, token: string | undefined): void {
    const shown = toShown(token === undefined ? text : splitAnswer(text, token).answer).trim();
    if (shown !== '') this.list.push({ kind: 'text', text: shown });
  }

  private addCall(call: ToolCall, state: ToolStep['state'], output: string): void {
    if (call.id !== undefined) this.places.set(call.id, this.list.length);
    this.list.push({ kind: 'tool', call, state, output: toShown(output) });
  }

  private addResult({ call, isError, text = '', mark }: ToolResult): void {
    const known = this.find(call);
    if (known === null) return;
    const isRefused = mark === 'refused' || known.step.state === 'refused';
    const state = isRefused ? 'refused' : isError ? 'failed' : 'done';
    this.list[known.place] = { ...known.step, state, output: toShown(text) || known.step.output };
  }

  private refuse(call: ToolCall, why: string): void {
    const known = call.id === undefined ? null : this.find(call.id);
    if (known === null) this.addCall(call, 'refused', why);
    else
      this.list[known.place] = { ...known.step, state: 'refused', output: known.step.output || toShown(why) };
  }

  private find(call: string): { readonly place: number; readonly step: ToolStep } | null {
    const place = this.places.get(call);
    const step = place === undefined ? undefined : this.list[place];
    return place === undefined || step?.kind !== 'tool' ? null : { place, step };
  }

  private end(message: ResultMessage): void {
    for (const call of message.refused) this.refuse(call, '');
    const text = renderMessage(message).join(' ');
    this.list.push({ kind: 'end', text, hasFailed: message.isError === true });
  }

  private addNote(message: StreamMessage, token: string | undefined): void {
    const text = renderMessage(message, token).join('\n');
    const isWarning =
      message.type === 'rate-limit' ||
      message.type === 'retry' ||
      (message.type === 'check-before' && message.before.result !== 'failed');
    if (text !== '') this.list.push({ kind: 'note', text, isWarning });
  }
}

function idOf(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}

function toCheck(message: Extract<StreamMessage, { type: 'check' }>): Step {
  const [title = ''] = renderMessage(message);
  const { result, output } = message.check;
  return { kind: 'check', title, hasPassed: result === 'passed', output: toShown(output).trim() };
}
