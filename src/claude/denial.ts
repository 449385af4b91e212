import type { Denial } from '../domain/attempt';
import type { ToolCall } from './message';
import { narrowRule } from './narrowRule';
import { describeCall } from './plain';

/** A refused call as the history keeps it, with the rule that would let it through. */
export function describeDenial(call: ToolCall): Denial {
  const found = narrowRule(call);
  return {
    tool: call.name,
    detail: describeCall(call),
    ...('rule' in found ? { rule: found.rule } : { noRule: found.why }),
  };
}
