import { compact } from '../stream/json';
import type { ToolCall, ToolResult } from '../stream/message';
import { findRefusal, guessCause, type Refusal } from './refusals';

/** Tool name in the event of a connection that the sandbox stopped. */
const NETWORK_EVENT = 'SandboxNetworkAccess';

/** Characters kept of a result: more than any text that shows a refusal. */
const LONGEST_TEXT = 1000;

/** Call that was not carried out. */
interface Failure {
  readonly text: string | undefined;
  /** Its tool and its input, as one text. */
  readonly what: string;
}

/**
 * Collects the refused calls of an attempt from its results, its events and its lists: one entry for each call.
 */
export class RefusalLog {
  /** Version of Claude Code, as soon as it is known. */
  version: string | undefined;
  private readonly refused = new Map<string, Refusal>();
  /** Calls that failed. A later list may report that they were refused. */
  private readonly failures = new Map<string, Failure>();
  /**
   * Failed calls that were carried out later in exactly the same form, as when a hook wants something else done
   * first.
   */
  private readonly redeemed = new Set<string>();
  /** Calls that an event reports: somebody would have been asked for them. */
  private readonly asked = new Set<string>();

  /** Takes a call's result. Returns whether the call was refused. */
  finish(call: ToolCall, result: ToolResult): boolean {
    const refusal = findRefusal(call, result, this.version);
    if (refusal !== null) this.add(result.call, refusal);
    if (refusal !== null || result.isError) {
      this.failures.set(result.call, { text: result.text?.slice(0, LONGEST_TEXT), what: describe(call) });
    } else this.redeem(call);
    return refusal !== null;
  }

  /** Adds one call of the list of refused calls at the end of the stream. */
  addListed(call: ToolCall): void {
    this.add(call.id ?? JSON.stringify(call), { call });
  }

  /** Takes an event, which may come before the call's result or belong to no call at all. */
  report(id: string | undefined, tool: string, call: ToolCall | undefined): void {
    if (id !== undefined) this.asked.add(id);
    this.add(tool === NETWORK_EVENT ? tool : (id ?? tool), { call: call ?? { name: tool, input: {} } });
  }

  /** Returns the refusals that are known by now. */
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
    // The sandbox's event about a network names no call. The call's own result says more.
    if (refusal.cause === 'sandbox') this.refused.delete(NETWORK_EVENT);
    const known = this.refused.get(key);
    // A known cause says more than a list. A list says more than an event about a call that the stream does not
    // have.
    if (known?.call.id === undefined || refusal.cause !== undefined) this.refused.set(key, refusal);
  }
}

function describe({ name, input }: ToolCall): string {
  return `${name} ${JSON.stringify(input)}`;
}
