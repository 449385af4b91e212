import { asText } from '../stream/json';
import type { RateLimitInfo, StreamMessage, ToolCall, ToolResult } from '../stream/message';

type MessageOf<T extends StreamMessage['type']> = Extract<StreamMessage, { type: T }>;

/** Failed subagent whose work no later subagent has done. */
export interface FailedSubagent {
  readonly description: string;
  /** Text that Claude Code wrote in place of its answer; empty if the stream does not have it. */
  readonly said: string;
}

/** Results of the subagents that Claude called. */
export interface SubagentFacts {
  readonly failed: readonly FailedSubagent[];
  /** Usage limits that stopped subagents: one for each kind. */
  readonly limits: readonly SubagentLimit[];
}

/** Usage limit that stopped subagents. */
export interface SubagentLimit {
  readonly info: RateLimitInfo;
  /** Later subagents have done the work of all that it stopped. */
  readonly isMadeUpFor: boolean;
  /** They did it on the same model. */
  readonly isPassed: boolean;
}

interface Subagent {
  readonly description: string;
  readonly prompt: string;
  /** Model that the call names; empty if it names none. */
  readonly model: string;
  readonly calledAt: number;
  /** `called`: it has not been seen to run. `stopped`: somebody ended it, which is no failure. */
  state: 'called' | 'running' | 'done' | 'failed' | 'stopped';
  failedAt: number;
  said: string;
  /** Tokens when it last called a tool. */
  tokens: number;
}

interface Rejection {
  readonly info: RateLimitInfo;
  /** Subagents that were running then, and have not been seen to get further since. */
  readonly met: Set<Subagent>;
}

/** Tools that start a subagent. */
const SUBAGENT_TOOLS: readonly string[] = ['Agent', 'Task', 'Workflow'];

/**
 * Follows the subagents of an attempt.
 *
 * Only newer versions report `failed` for a subagent that an API error ended. Older ones report `completed`, and
 * its last message is Claude Code's own. The stream has that message with its error, or says that it cost no
 * tokens (measured with 2.1.90, 2.1.197, 2.1.329 and 2.1.330).
 */
export class SubagentLog {
  private readonly subagents = new Map<string, Subagent>();
  private readonly rejections = new Map<string, Rejection>();
  private time = 0;
  /** Whether tokens are reported. Some gateways report none at all: then zero means nothing. */
  private countsTokens = false;

  /** Takes a message of the stream. */
  add(message: StreamMessage): void {
    this.time += 1;
    switch (message.type) {
      case 'assistant':
        this.countsTokens ||= (message.used?.tokens.input ?? 0) + (message.used?.tokens.output ?? 0) > 0;
        this.listen(message);
        for (const call of message.tools) this.start(call);
        return;
      case 'rate-limit':
        this.limit(message.info);
        return;
      case 'tool-results':
        for (const result of message.results) this.finishCall(result);
        return;
      case 'task-start':
        this.run(message.call);
        return;
      case 'task-progress':
        this.progress(message);
        return;
      case 'task-end':
        this.endTask(message);
        return;
      default:
    }
  }

  /** Returns what is known by now. */
  facts(): SubagentFacts {
    const failed = [...this.subagents.values()].filter(({ state }) => state === 'failed');
    const lost = failed.filter((subagent) => this.listRepeats(subagent).length === 0);
    return {
      failed: lost.map(({ description, said }) => ({ description, said })),
      limits: [...this.rejections.values()].flatMap(({ info, met }) => {
        const stopped = failed.filter((subagent) => met.has(subagent));
        const isMadeUpFor = !stopped.some((subagent) => lost.includes(subagent));
        return stopped.length === 0
          ? []
          : [{ info, isMadeUpFor, isPassed: stopped.every((one) => this.isPassed(one)) }];
      }),
    };
  }

  /** Whether the same work was done on the same model. */
  private isPassed(failed: Subagent): boolean {
    return this.listRepeats(failed).some(({ model }) => model === failed.model);
  }

  private start({ id, name, input }: ToolCall): void {
    if (id === undefined || !SUBAGENT_TOOLS.includes(name)) return;
    this.subagents.set(id, {
      description: asText(input['description']) ?? '',
      prompt: asText(input['prompt']) ?? '',
      model: asText(input['model']) ?? '',
      calledAt: this.time,
      state: 'called',
      failedAt: 0,
      said: '',
      tokens: 0,
    });
  }

  /** Marks a subagent as running, for the first time or once more. */
  private run(id: string): void {
    const subagent = this.subagents.get(id);
    if (subagent !== undefined) subagent.state = 'running';
  }

  /** Takes a subagent's own line. */
  private listen({ subagent: id, failure, isOwn }: MessageOf<'assistant'>): void {
    const subagent = id === undefined ? undefined : this.subagents.get(id);
    if (subagent === undefined) return;
    if (failure !== undefined) this.fail(subagent, failure.said);
    else if (isOwn !== true) {
      subagent.state = 'running';
      for (const { met } of this.rejections.values()) met.delete(subagent);
    }
  }

  /** Takes the call's result. For a subagent in the background it only says that the subagent was started. */
  private finishCall({ call, isError, subagentTokens, text }: ToolResult): void {
    const subagent = this.subagents.get(call);
    if (subagent === undefined) return;
    // A subagent that never ran is a failed call, not a failed subagent.
    if (isError && subagent.state === 'called') this.subagents.delete(call);
    else if (isError) this.fail(subagent, text);
    else if (subagentTokens !== undefined) this.end(subagent, subagentTokens);
  }

  private progress({ call, subagentTokens }: MessageOf<'task-progress'>): void {
    const subagent = this.subagents.get(call);
    if (subagent !== undefined) subagent.tokens = subagentTokens;
  }

  private endTask({ call, status, subagentTokens }: MessageOf<'task-end'>): void {
    const subagent = this.subagents.get(call);
    if (subagent === undefined) return;
    if (status === 'failed') this.fail(subagent);
    else if (status === 'completed') this.end(subagent, subagentTokens);
    else subagent.state = 'stopped';
  }

  private end(subagent: Subagent, tokens: number | undefined): void {
    const wasOwn = tokens === 0 && this.countsTokens;
    if (wasOwn || this.wasCut(subagent, tokens)) this.fail(subagent);
    // The end of a subagent whose last message was an error does not undo the failure.
    else if (subagent.state !== 'failed') subagent.state = 'done';
  }

  /**
   * Whether a limit cut the subagent off. It met a limit and has fewer tokens than before: its last message was
   * not the model's.
   */
  private wasCut(subagent: Subagent, tokens: number | undefined): boolean {
    const hasMet = [...this.rejections.values()].some(({ met }) => met.has(subagent));
    return hasMet && tokens !== undefined && tokens < subagent.tokens;
  }

  private fail(subagent: Subagent, said = ''): void {
    if (subagent.state !== 'failed') subagent.failedAt = this.time;
    subagent.state = 'failed';
    if (said !== '') subagent.said = said;
  }

  private limit(info: RateLimitInfo): void {
    const { rateLimitType: kind, status } = info;
    if (kind === undefined) return;
    if (status !== 'rejected') {
      this.rejections.delete(kind);
      return;
    }
    const running = [...this.subagents.values()].filter(
      ({ state }) => state === 'called' || state === 'running',
    );
    const before = this.rejections.get(kind)?.met ?? [];
    this.rejections.set(kind, { info, met: new Set([...before, ...running]) });
  }

  /**
   * Returns the subagents that succeeded with the same work: the same prompt, or the same title after the
   * failure.
   */
  private listRepeats(failed: Subagent): Subagent[] {
    return [...this.subagents.values()].filter(({ state, prompt, description, calledAt }) => {
      if (state !== 'done') return false;
      if (failed.prompt !== '' && prompt.includes(failed.prompt)) return true;
      return failed.description !== '' && description === failed.description && calledAt > failed.failedAt;
    });
  }
}
