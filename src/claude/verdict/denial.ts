import type { Denial } from '../../domain/task/attempt';
import { narrowRule } from './narrowRule';
import { describeCall } from '../stream/plain';
import type { Refusal, RefusalCause } from './refusals';

/** Returns a refused call as the history keeps it, with the rule that would let it through. */
export function describeDenial({ call, cause }: Refusal): Denial {
  const found = cause === undefined ? narrowRule(call) : { why: NO_RULE[cause] };
  return {
    tool: call.name,
    detail: describeCall(call),
    ...('rule' in found ? { rule: found.rule } : { noRule: found.why }),
  };
}

/** Ends of sentences: why no rule lets the call through. */
const NO_RULE: Readonly<Record<RefusalCause, string>> = {
  'deny-rule': 'a deny rule of its settings, or of this queue, forbids it, and no allow rule overrides that',
  'not-offered': 'the tool is not available: a deny rule removes it, or unattended attempts never have it',
  hook: 'a hook refused it',
  unasked: 'no permission was requested: a hook or a deny rule seems to have refused it',
  sandbox: 'the sandbox stopped it',
};
