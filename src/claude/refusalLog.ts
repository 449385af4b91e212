import { compact } from './json';
import type { ToolCall, ToolResult } from './message';
import { findRefusal, guessCause, type Refusal } from './refusals';

/** The tool that an event names where the sandbox has stopped a connection. */
const NETWORK_EVENT = 'SandboxNetworkAccess';

/** More than any text by which a refusal is known. */
const LONGEST_TEXT = 1000;

/** Collects the refused calls of a run from its results, its events and its lists: one for each call. */
export class RefusalLog {
  /** The version of Claude Code, as soon as it is known. */
  version: string | undefined;
  private readonly refused = new Map<string, Refusal>();
  /** What was said of calls that failed: a later list may tell that they were refused. */
  private readonly failures = new Map<string, string>();

  /** Takes a call's result, and returns whether it was refused. */
  finish(call: ToolCall, result: ToolResult): boolean {
    const refusal = findRefusal(call, result, this.version);
    if (refusal !== null) this.add(result.call, this.explain(result.call, refusal, result.text));
    else if (result.isError) this.failures.set(result.call, (result.text ?? '').slice(0, LONGEST_TEXT));
    return refusal !== null;
  }

  /** Takes an entry of the list at the end. */
  list(call: ToolCall): void {
    const { id } = call;
    if (id === undefined) this.add(JSON.stringify(call), { call });
    else this.add(id, this.explain(id, { call }, this.failures.get(id)));
  }

  /** Takes an event, which may come before the call's result, or be about no call at all. */
  tell(id: string | undefined, tool: string, call: ToolCall | undefined): void {
    this.add(tool === NETWORK_EVENT ? tool : (id ?? tool), { call: call ?? { name: tool, input: {} } });
  }

  /** What is known by now. */
  all(): readonly Refusal[] {
    return [...this.refused.values()];
  }

  /** An event of its own tells of a call for which somebody would have been asked. */
  private explain(id: string, refusal: Refusal, text: string | undefined): Refusal {
    if (refusal.cause !== undefined || this.refused.has(id)) return refusal;
    return { ...refusal, ...compact({ cause: guessCause(text) }) };
  }

  private add(key: string, refusal: Refusal): void {
    // The event of a network that the sandbox closed names no call: the call's own result says more.
    if (refusal.cause === 'sandbox') this.refused.delete(NETWORK_EVENT);
    const known = this.refused.get(key);
    // A known cause says more than a list, and a list more than the event of a call that the stream does not have.
    if (known?.call.id === undefined || refusal.cause !== undefined) this.refused.set(key, refusal);
  }
}
