import { asText } from '../stream/json';
import type { RateLimitInfo, StreamMessage, ToolCall, ToolResult } from '../stream/message';

type MessageOf<T extends StreamMessage['type']> = Extract<StreamMessage, { type: T }>;

/** Failed helper whose work no later helper has done. */
export interface FailedHelper {
  readonly description: string;
  /** Text that Claude Code wrote in place of its answer; empty if the stream does not have it. */
  readonly said: string;
}

/** Results of the helpers (subagents) that Claude called. */
export interface HelperFacts {
  readonly failed: readonly FailedHelper[];
  /** Usage limits that stopped helpers which were not continued: one for each kind. */
  readonly limits: readonly RateLimitInfo[];
  /**
   * These limits, and those of helpers whose work was done on another model: all that are closed to the
   * account.
   */
  readonly closed: readonly RateLimitInfo[];
}

interface Helper {
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
  /** Helpers that were running then, and have not been seen to get further since. */
  readonly met: Set<Helper>;
}

/** Tools that start a helper. */
const HELPER_TOOLS: readonly string[] = ['Agent', 'Task', 'Workflow'];

/**
 * Follows the helpers of an attempt.
 *
 * Only newer versions report `failed` for a helper that an API error ended. Older ones report `completed`, and
 * its last message is Claude Code's own. The stream has that message with its error, or says that it cost no
 * tokens (measured with 2.1.90, 2.1.197, 2.1.329 and 2.1.330).
 */
export class HelperLog {
  private readonly helpers = new Map<string, Helper>();
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
  facts(): HelperFacts {
    const failed = [...this.helpers.values()].filter(({ state }) => state === 'failed');
    const lost = failed.filter((helper) => this.listRepeats(helper).length === 0);
    const stopped = failed.filter(
      (helper) => !this.listRepeats(helper).some(({ model }) => model === helper.model),
    );
    return {
      failed: lost.map(({ description, said }) => ({ description, said })),
      limits: this.limitsOf(lost),
      closed: this.limitsOf(stopped),
    };
  }

  private limitsOf(helpers: readonly Helper[]): RateLimitInfo[] {
    return [...this.rejections.values()]
      .filter(({ met }) => helpers.some((helper) => met.has(helper)))
      .map(({ info }) => info);
  }

  private start({ id, name, input }: ToolCall): void {
    if (id === undefined || !HELPER_TOOLS.includes(name)) return;
    this.helpers.set(id, {
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

  /** Marks a helper as running, for the first time or once more. */
  private run(id: string): void {
    const helper = this.helpers.get(id);
    if (helper !== undefined) helper.state = 'running';
  }

  /** Takes a helper's own line. */
  private listen({ helper: id, failure, isOwn }: MessageOf<'assistant'>): void {
    const helper = id === undefined ? undefined : this.helpers.get(id);
    if (helper === undefined) return;
    if (failure !== undefined) this.fail(helper, failure.said);
    else if (isOwn !== true) {
      helper.state = 'running';
      for (const { met } of this.rejections.values()) met.delete(helper);
    }
  }

  /** Takes the call's result. For a helper in the background it only says that the helper was started. */
  private finishCall({ call, isError, helperTokens, text }: ToolResult): void {
    const helper = this.helpers.get(call);
    if (helper === undefined) return;
    // A helper that never ran is a failed call, not a failed helper.
    if (isError && helper.state === 'called') this.helpers.delete(call);
    else if (isError) this.fail(helper, text);
    else if (helperTokens !== undefined) this.end(helper, helperTokens);
  }

  private progress({ call, helperTokens }: MessageOf<'task-progress'>): void {
    const helper = this.helpers.get(call);
    if (helper !== undefined) helper.tokens = helperTokens;
  }

  private endTask({ call, status, helperTokens }: MessageOf<'task-end'>): void {
    const helper = this.helpers.get(call);
    if (helper === undefined) return;
    if (status === 'failed') this.fail(helper);
    else if (status === 'completed') this.end(helper, helperTokens);
    else helper.state = 'stopped';
  }

  private end(helper: Helper, tokens: number | undefined): void {
    const wasOwn = tokens === 0 && this.countsTokens;
    if (wasOwn || this.wasCut(helper, tokens)) this.fail(helper);
    // The end of a helper whose last message was an error does not undo the failure.
    else if (helper.state !== 'failed') helper.state = 'done';
  }

  /**
   * Whether a limit cut the helper off. It met a limit and has fewer tokens than before: its last message was
   * not the model's.
   */
  private wasCut(helper: Helper, tokens: number | undefined): boolean {
    const hasMet = [...this.rejections.values()].some(({ met }) => met.has(helper));
    return hasMet && tokens !== undefined && tokens < helper.tokens;
  }

  private fail(helper: Helper, said = ''): void {
    if (helper.state !== 'failed') helper.failedAt = this.time;
    helper.state = 'failed';
    if (said !== '') helper.said = said;
  }

  private limit(info: RateLimitInfo): void {
    const { rateLimitType: kind, status } = info;
    if (kind === undefined) return;
    if (status !== 'rejected') {
      this.rejections.delete(kind);
      return;
    }
    const running = [...this.helpers.values()].filter(
      ({ state }) => state === 'called' || state === 'running',
    );
    const before = this.rejections.get(kind)?.met ?? [];
    this.rejections.set(kind, { info, met: new Set([...before, ...running]) });
  }

  /**
   * Returns the helpers that succeeded with the same work: the same prompt, or the same title after the
   * failure.
   */
  private listRepeats(failed: Helper): Helper[] {
    return [...this.helpers.values()].filter(({ state, prompt, description, calledAt }) => {
      if (state !== 'done') return false;
      if (failed.prompt !== '' && prompt.includes(failed.prompt)) return true;
      return failed.description !== '' && description === failed.description && calledAt > failed.failedAt;
    });
  }
}
