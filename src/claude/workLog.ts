import { findRefusal, type Refusal } from './refusals';
import { HelperLog, type HelperFacts } from './helperLog';
import type { StreamMessage, ToolCall, ToolResult } from './message';
import { onlyReads } from './readingCommands';

/** What Claude's tool calls have come to. */
export interface WorkFacts {
  /** One for each refused call. */
  readonly refused: readonly Refusal[];
  /** Calls of AskUserQuestion that nobody answered. */
  readonly questions: readonly ToolCall[];
  /** Calls of ExitPlanMode that nobody approved. */
  readonly plans: readonly ToolCall[];
  /** Attempts to change a file that failed, where no attempt to change anything succeeded. */
  readonly failedChanges: readonly ToolCall[];
  /** Calls that failed, where none succeeded. */
  readonly failedCalls: readonly ToolCall[];
  readonly helpers: HelperFacts;
}

/** A run without any. */
export const NO_WORK: WorkFacts = {
  refused: [],
  questions: [],
  plans: [],
  failedChanges: [],
  failedCalls: [],
  helpers: { failed: [], limits: [] },
};

/** Tools that change files and do nothing else. */
const CHANGE_TOOLS: readonly string[] = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'];

/** Tools that look for something: that it is not there is an answer. */
const LOOK_TOOLS: readonly string[] = ['Glob', 'Grep', 'LS', 'Read', 'ToolSearch'];

/** The tool that an event names where the sandbox has stopped a connection. */
const NETWORK_EVENT = 'SandboxNetworkAccess';

/** Follows the tool calls of a run. */
export class WorkLog {
  /** Calls without a result yet. */
  private readonly open = new Map<string, ToolCall>();
  private readonly refused = new Map<string, Refusal>();
  private readonly questions = new Map<string, ToolCall>();
  private readonly plans = new Map<string, ToolCall>();
  private readonly helpers = new HelperLog();
  private readonly failedChanges: ToolCall[] = [];
  private readonly failedCalls: ToolCall[] = [];
  private hasChanged = false;
  private hasSucceeded = false;

  /** Takes a message of the stream. */
  add(message: StreamMessage): void {
    this.helpers.add(message);
    switch (message.type) {
      case 'assistant':
        for (const call of message.tools) this.take(call);
        return;
      case 'tool-results':
        for (const result of message.results) this.finish(result);
        return;
      case 'refused':
        this.refuseUnfinished(message.call, message.tool);
        return;
      case 'result':
        for (const call of message.refused) this.refuse(call.id ?? JSON.stringify(call), { call });
        return;
      default:
    }
  }

  /** What is known by now. */
  facts(): WorkFacts {
    return {
      refused: [...this.refused.values()],
      questions: [...this.questions.values()],
      plans: [...this.plans.values()],
      failedChanges: this.hasChanged ? [] : this.failedChanges,
      failedCalls: this.hasSucceeded ? [] : this.failedCalls,
      helpers: this.helpers.facts(),
    };
  }

  private take(call: ToolCall): void {
    if (call.id === undefined) return;
    this.open.set(call.id, call);
    if (call.name === 'AskUserQuestion') this.questions.set(call.id, call);
    if (call.name === 'ExitPlanMode') this.plans.set(call.id, call);
  }

  private finish(result: ToolResult): void {
    const call = this.open.get(result.call);
    if (call === undefined) return;
    // The input may be a whole file: nothing of it is needed from here on.
    this.open.delete(result.call);
    const refusal = findRefusal(call, result);
    if (refusal !== null) this.refuse(result.call, refusal);
    const hasFailed = result.isError && !isResult(call);
    if (!hasFailed) {
      this.questions.delete(result.call);
      this.plans.delete(result.call);
    }
    if (refusal === null) this.count(call, hasFailed);
  }

  private count(call: ToolCall, hasFailed: boolean): void {
    if (!hasFailed) {
      this.hasSucceeded = true;
      if (mayChange(call)) this.hasChanged = true;
    } else if (LOOK_TOOLS.includes(call.name)) {
      this.hasSucceeded = true;
    } else {
      this.failedCalls.push(call);
      if (CHANGE_TOOLS.includes(call.name)) this.failedChanges.push(call);
    }
  }

  /** An event of its own may come before the call's result, or be about no call at all. */
  private refuseUnfinished(id: string | undefined, tool: string): void {
    const call = id === undefined ? undefined : this.open.get(id);
    const key = tool === NETWORK_EVENT ? tool : (id ?? tool);
    this.refuse(key, { call: call ?? { name: tool, input: {} } });
  }

  private refuse(key: string, refusal: Refusal): void {
    // The event of a network that the sandbox closed names no call: the call's own result says more.
    if (refusal.cause === 'sandbox') this.refused.delete(NETWORK_EVENT);
    // A known cause says more than a list.
    if (refusal.cause !== undefined || !this.refused.has(key)) this.refused.set(key, refusal);
  }
}

/** A command, or a server's tool, that ran and failed has told something: a test is red, a search found nothing. */
function isResult({ name }: ToolCall): boolean {
  return name === 'Bash' || name.startsWith('mcp__');
}

/** Whether a call that was carried out may have changed something. */
function mayChange({ name, input }: ToolCall): boolean {
  if (name === 'Bash') return typeof input['command'] !== 'string' || !onlyReads(input['command']);
  return CHANGE_TOOLS.includes(name) || name.startsWith('mcp__');
}
