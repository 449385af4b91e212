import { compact } from '../stream/json';
import type { ToolCall, ToolResult } from '../stream/message';
import { findRefusal, guessCause, type Refusal } from './refusals';

/** The tool that an event names where the sandbox has stopped a connection. */
const NETWORK_EVENT = 'SandboxNetworkAccess';

/** More than any text by which a refusal is known. */
const LONGEST_TEXT = 1000;

/** A call that was not carried out. */
interface Failure {
  readonly text: string | undefined;
  /** Its tool and its input. */
  readonly what: string;
}

/** Collects the refused calls of a run from its results, its events and its lists: one for each call. */
export class RefusalLog {
  /** The version of Claude Code, as soon as it is known. */
  version: string | undefined;
  private readonly refused = new Map<string, Refusal>();
  /** A later list may tell that they were refused. */
  private readonly failures = new Map<string, Failure>();
  /** Calls that failed, where the very same was carried out later: as where a hook wants something else done first. */
  private readonly redeemed = new Set<string>();
  /** Calls of which an event tells: somebody would have been asked for them. */
  private readonly asked = new Set<string>();

  /** Takes a call's result, and returns whether it was refused. */
  finish(call: ToolCall, result: ToolResult): boolean {
    const refusal = findRefusal(call, result, this.version);
    if (refusal !== null) this.add(result.call, refusal);
    if (refusal !== null || result.isError) {
      this.failures.set(result.call, { text: result.text?.slice(0, LONGEST_TEXT), what: describe(call) });
    } else this.redeem(call);
    return refusal !== null;
  }

  /** Takes an entry of the list at the end. */
  list(call: ToolCall): void {
    this.add(call.id ?? JSON.stringify(call), { call });
  }

  /** Takes an event, which may come before the call's result, or be about no call at all. */
  report(id: string | undefined, tool: string, call: ToolCall | undefined): void {
    if (id !== undefined) this.asked.add(id);
    this.add(tool === NETWORK_EVENT ? tool : (id ?? tool), { call: call ?? { name: tool, input: {} } });
  }

  /** What is known by now. */
  all(): readonly Refusal[] {
    const open = [...this.refused].filter(([key]) => !this.redeemed.has(key));
    return open.map(([key, refusal]) => this.explain(key, refusal));
  }

  private redeem(call: ToolCall): void {
    if (this.failures.size === 0) return;
    const done = describe(call);
    for (const [id, { what }] of this.failures) if (what === done) this.redeemed.add(id);
  }

  private explain(key: string, refusal: Refusal): Refusal {
    if (refusal.cause !== undefined || refusal.call.id === undefined || this.asked.has(key)) return refusal;
    return { ...refusal, ...compact({ cause: guessCause(this.failures.get(key)?.text, this.version) }) };
  }

  private add(key: string, refusal: Refusal): void {
    // The event of a network that the sandbox closed names no call: the call's own result says more.
    if (refusal.cause === 'sandbox') this.refused.delete(NETWORK_EVENT);
    const known = this.refused.get(key);
    // A known cause says more than a list, and a list more than the event of a call that the stream does not have.
    if (known?.call.id === undefined || refusal.cause !== undefined) this.refused.set(key, refusal);
  }
}

function describe({ name, input }: ToolCall): string {
  return `${name} ${JSON.stringify(input)}`;
}
