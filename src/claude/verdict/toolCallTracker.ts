import { SubagentLog, type SubagentFacts } from './subagentLog';
import type { StreamMessage, ToolCall, ToolResult } from '../stream/message';
import { onlyReads } from './readingCommands';
import { RefusalLog } from './refusalLog';
import type { Refusal } from './refusals';

/** Summary of the tool calls of an attempt. */
export interface WorkFacts {
  /** One entry for each refused call. */
  readonly refused: readonly Refusal[];
  /** Calls of AskUserQuestion that nobody answered. */
  readonly questions: readonly ToolCall[];
  /** Calls of ExitPlanMode that nobody approved. */
  readonly plans: readonly ToolCall[];
  /** Failed edit calls; empty once anything else may have changed something. */
  readonly changesIfAllFailed: readonly ToolCall[];
  /** Failed calls; empty once any call got an answer: a failed search or command is one too. */
  readonly callsIfAllFailed: readonly ToolCall[];
  readonly subagents: SubagentFacts;
}

/** Summary of an attempt without tool calls. */
export const NO_WORK: WorkFacts = {
  refused: [],
  questions: [],
  plans: [],
  changesIfAllFailed: [],
  callsIfAllFailed: [],
  subagents: { failed: [], limits: [] },
};

/** Tools that change files and do nothing else. */
const CHANGE_TOOLS: readonly string[] = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write'];

/** Read-only tools. "Not found" is a valid result of them. */
const READ_TOOLS: readonly string[] = ['Glob', 'Grep', 'LS', 'Read', 'ToolSearch'];

/** Tools of Claude's own to-do list: their success proves no work. Which of them an unattended attempt has depends on the version. */
const TODO_TOOLS: readonly string[] = ['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'TodoWrite'];

/** Joins the tool calls of an attempt with their results. */
export class ToolCallTracker {
  /** Calls without a result yet. */
  private readonly open = new Map<string, ToolCall>();
  private readonly refusals = new RefusalLog();
  private readonly questions = new Map<string, ToolCall>();
  private readonly plans = new Map<string, ToolCall>();
  private readonly subagents = new SubagentLog();
  private readonly failedChanges: ToolCall[] = [];
  private readonly failedCalls: ToolCall[] = [];
  /** Call ids of subagents whose messages are in the stream. */
  private readonly subagentsWithMessages = new Set<string>();
  /** Call ids of subagents that were reported to call a tool which may change files. */
  private readonly subagentsThatMayChange = new Set<string>();
  private hasChanged = false;
  private hasGotAnswer = false;

  /** Takes a message of the stream. */
  add(message: StreamMessage): void {
    this.subagents.add(message);
    switch (message.type) {
      case 'init':
        this.refusals.version = message.about.version;
        return;
      case 'assistant':
        if (message.subagent !== undefined) this.subagentsWithMessages.add(message.subagent);
        for (const call of message.tools) this.begin(call);
        return;
      case 'task-progress':
        // Its input is unknown, so a command may have changed something.
        if (message.tool !== undefined && mayChange({ name: message.tool, input: {} }))
          this.subagentsThatMayChange.add(message.call);
        return;
      case 'tool-results':
        for (const result of message.results) this.finish(result);
        return;
      case 'refused':
        this.refusals.report(message.call, message.tool, this.open.get(message.call ?? ''));
        return;
      case 'result':
        for (const call of message.refused) this.refusals.addListed(call);
        return;
      default:
    }
  }

  /** Returns the summary of the calls so far. */
  facts(): WorkFacts {
    return {
      refused: this.refusals.all(),
      questions: [...this.questions.values()],
      plans: [...this.plans.values()],
      changesIfAllFailed: this.mayHaveChanged() ? [] : this.failedChanges,
      callsIfAllFailed: this.hasGotAnswer ? [] : this.failedCalls,
      subagents: this.subagents.facts(),
    };
  }

  /**
   * True if a change succeeded, or if a subagent reported only tool names and may have changed files. Nested
   * subagents report only tool names. In older versions, background subagents do so too.
   */
  private mayHaveChanged(): boolean {
    return (
      this.hasChanged || [...this.subagentsThatMayChange].some((id) => !this.subagentsWithMessages.has(id))
    );
  }

  private begin(call: ToolCall): void {
    if (call.id === undefined || TODO_TOOLS.includes(call.name)) return;
    this.open.set(call.id, call);
    if (call.name === 'AskUserQuestion') this.questions.set(call.id, call);
    if (call.name === 'ExitPlanMode') this.plans.set(call.id, call);
  }

  private finish(result: ToolResult): void {
    const call = this.open.get(result.call);
    if (call === undefined) return;
    // Free the input: it may be a whole file.
    this.open.delete(result.call);
    const isRefused = this.refusals.finish(call, result);
    const hasFailed = result.isError && !ranDespiteError(call, result);
    if (!hasFailed) {
      this.questions.delete(result.call);
      this.plans.delete(result.call);
    }
    if (!isRefused) this.recordOutcome(call, result, hasFailed);
  }

  private recordOutcome(call: ToolCall, { isError }: ToolResult, hasFailed: boolean): void {
    if (!hasFailed) {
      this.hasGotAnswer = true;
      // A command that exits non-zero may still have changed files. A failed MCP call counts as no change.
      if (mayChange(call) && !(isError && isMcpCall(call))) this.hasChanged = true;
    } else if (READ_TOOLS.includes(call.name)) {
      this.hasGotAnswer = true;
    } else {
      this.failedCalls.push(call);
      if (CHANGE_TOOLS.includes(call.name)) this.failedChanges.push(call);
    }
  }
}

/**
 * Whether a call that reports an error counts as answered: a command or an MCP tool that ran and failed. Examples
 * are a failing test and an empty search.
 */
function ranDespiteError(call: ToolCall, { text }: ToolResult): boolean {
  return isMcpCall(call) || (call.name === 'Bash' && text?.startsWith('<tool_use_error>') !== true);
}

function isMcpCall({ name }: ToolCall): boolean {
  return name.startsWith('mcp__');
}

/** Whether a call that ran may have changed files or state. */
function mayChange(call: ToolCall): boolean {
  const { name, input } = call;
  if (name === 'Bash') return typeof input['command'] !== 'string' || !onlyReads(input['command']);
  return CHANGE_TOOLS.includes(name) || isMcpCall(call);
}
