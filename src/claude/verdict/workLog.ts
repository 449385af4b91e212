import { HelperLog, type HelperFacts } from './helperLog';
import type { StreamMessage, ToolCall, ToolResult } from '../stream/message';
import { onlyReads } from './readingCommands';
import { RefusalLog } from './refusalLog';
import type { Refusal } from './refusals';

/** Results of Claude's tool calls. */
export interface WorkFacts {
  /** One entry for each refused call. */
  readonly refused: readonly Refusal[];
  /** Calls of AskUserQuestion that nobody answered. */
  readonly questions: readonly ToolCall[];
  /** Calls of ExitPlanMode that nobody approved. */
  readonly plans: readonly ToolCall[];
  /** Failed changes of files, if no call changed anything. */
  readonly failedChanges: readonly ToolCall[];
  /** Failed calls, if none succeeded. */
  readonly failedCalls: readonly ToolCall[];
  readonly helpers: HelperFacts;
}

/** Facts of an attempt without tool calls. */
export const NO_WORK: WorkFacts = {
  refused: [],
  questions: [],
  plans: [],
  failedChanges: [],
  failedCalls: [],
  helpers: { failed: [], limits: [], closed: [] },
};

/** Tools that change files and do nothing else. */
const CHANGE_TOOLS: readonly string[] = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'];

/** Tools that look for something. That it is not there is a result. */
const LOOK_TOOLS: readonly string[] = ['Glob', 'Grep', 'LS', 'Read', 'ToolSearch'];

/**
 * Tools with which Claude keeps its own list of steps. Some versions have some of them in unattended attempts.
 */
const NOTE_TOOLS: readonly string[] = ['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'TodoWrite'];

/** Follows the tool calls of an attempt. */
export class WorkLog {
  /** Calls without a result yet. */
  private readonly open = new Map<string, ToolCall>();
  private readonly refusals = new RefusalLog();
  private readonly questions = new Map<string, ToolCall>();
  private readonly plans = new Map<string, ToolCall>();
  private readonly helpers = new HelperLog();
  private readonly failedChanges: ToolCall[] = [];
  private readonly failedCalls: ToolCall[] = [];
  /** Helpers with lines of their own in the stream. */
  private readonly heard = new Set<string>();
  /** Helpers that called a tool which may change something. */
  private readonly changers = new Set<string>();
  private hasChanged = false;
  private hasSucceeded = false;

  /** Takes a message of the stream. */
  add(message: StreamMessage): void {
    this.helpers.add(message);
    switch (message.type) {
      case 'init':
        this.refusals.version = message.about.version;
        return;
      case 'assistant':
        if (message.helper !== undefined) this.heard.add(message.helper);
        for (const call of message.tools) this.take(call);
        return;
      case 'task-progress':
        if (message.tool !== undefined && mayChange({ name: message.tool, input: {} }))
          this.changers.add(message.call);
        return;
      case 'tool-results':
        for (const result of message.results) this.finish(result);
        return;
      case 'refused':
        this.refusals.report(message.call, message.tool, this.open.get(message.call ?? ''));
        return;
      case 'result':
        for (const call of message.refused) this.refusals.list(call);
        return;
      default:
    }
  }

  /** Returns what is known by now. */
  facts(): WorkFacts {
    return {
      refused: this.refusals.all(),
      questions: [...this.questions.values()],
      plans: [...this.plans.values()],
      failedChanges: this.mayHaveChanged() ? [] : this.failedChanges,
      failedCalls: this.hasSucceeded ? [] : this.failedCalls,
      helpers: this.helpers.facts(),
    };
  }

  /**
   * Whether anything may have been changed. For a helper's helper, and in older versions for one in the
   * background, only the names of its tools are reported.
   */
  private mayHaveChanged(): boolean {
    return this.hasChanged || [...this.changers].some((helper) => !this.heard.has(helper));
  }

  private take(call: ToolCall): void {
    if (call.id === undefined || NOTE_TOOLS.includes(call.name)) return;
    this.open.set(call.id, call);
    if (call.name === 'AskUserQuestion') this.questions.set(call.id, call);
    if (call.name === 'ExitPlanMode') this.plans.set(call.id, call);
  }

  private finish(result: ToolResult): void {
    const call = this.open.get(result.call);
    if (call === undefined) return;
    // The input may be a whole file, and is not needed from here on.
    this.open.delete(result.call);
    const isRefused = this.refusals.finish(call, result);
    const hasFailed = result.isError && !isResult(call, result);
    if (!hasFailed) {
      this.questions.delete(result.call);
      this.plans.delete(result.call);
    }
    if (!isRefused) this.count(call, result, hasFailed);
  }

  private count(call: ToolCall, { isError }: ToolResult, hasFailed: boolean): void {
    if (!hasFailed) {
      this.hasSucceeded = true;
      // A command that failed may have changed something before.
      if (mayChange(call) && !(isError && isServers(call))) this.hasChanged = true;
    } else if (LOOK_TOOLS.includes(call.name)) {
      this.hasSucceeded = true;
    } else {
      this.failedCalls.push(call);
      if (CHANGE_TOOLS.includes(call.name)) this.failedChanges.push(call);
    }
  }
}

/**
 * Whether a failed call has a result all the same: a command or a server's tool that ran, with a red test or an
 * empty search.
 */
function isResult(call: ToolCall, { text }: ToolResult): boolean {
  return isServers(call) || (call.name === 'Bash' && text?.startsWith('<tool_use_error>') !== true);
}

function isServers({ name }: ToolCall): boolean {
  return name.startsWith('mcp__');
}

/** Whether a call that was carried out may have changed something. */
function mayChange(call: ToolCall): boolean {
  const { name, input } = call;
  if (name === 'Bash') return typeof input['command'] !== 'string' || !onlyReads(input['command']);
  return CHANGE_TOOLS.includes(name) || isServers(call);
}
