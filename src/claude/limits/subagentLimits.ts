import type { LimitSignal } from '../../domain/gate/gate';
import type { EndFacts } from '../stream/endFacts';
import { joinLines } from '../stream/plain';
import { signalLimit } from './findLimit';
import { readLimitKind } from './limitTexts';

export const SUBAGENT_LIMIT_TEXT = 'A subagent stopped at a usage limit';

/**
 * Returns the limits that stopped subagents. The gate is closed for each, however the attempt itself ended, and also if the
 * work was done on another model: only the same model shows that the limit has passed.
 */
export function signalSubagentLimits(facts: EndFacts): LimitSignal[] {
  const { failed, limits } = facts.stream.work.subagents;
  const texts = failed.map(({ said }) => said).filter((text) => text !== '');
  return limits.flatMap(({ info, isPassed }) => {
    if (isPassed) return [];
    const own = texts.find((text) => readLimitKind(text) === info.rateLimitType);
    return signalLimit(facts, info, joinLines(own ?? `${SUBAGENT_LIMIT_TEXT}.`)) ?? [];
  });
}
