import type { Tokens } from '../../domain/task/attempt';
import { asNumber, asObject, type JsonObject } from './json';

/** What a run used, as far as a line tells it. */
export interface Spent {
  readonly tokens: Tokens;
  readonly costUsd: number;
}

/** A `usage` object as the API words it; undefined where there is none. */
export function readTokens(value: unknown): Tokens | undefined {
  const usage = asObject(value);
  if (asNumber(usage['input_tokens']) === undefined) return undefined;
  return {
    input: asNumber(usage['input_tokens']) ?? 0,
    output: asNumber(usage['output_tokens']) ?? 0,
    cacheRead: asNumber(usage['cache_read_input_tokens']) ?? 0,
    cacheWrite: asNumber(usage['cache_creation_input_tokens']) ?? 0,
  };
}

/**
 * What one result line adds, over all models. `total_cost_usd` and `modelUsage` of a session that is continued hold its
 * earlier runs too (measured, 2.1.329): summed over attempts they would count the same money again and again. Undefined
 * where the version does not tell the parts; those that were measured count each run by itself (2.1.90).
 */
export function readSpent(result: JsonObject): Spent | undefined {
  const models = result['model_usage_since_last_result'];
  if (models === undefined) return undefined;
  return Object.values(asObject(models))
    .map(asObject)
    .map((model) => ({
      costUsd: asNumber(model['costUSD']) ?? 0,
      tokens: {
        input: asNumber(model['inputTokens']) ?? 0,
        output: asNumber(model['outputTokens']) ?? 0,
        cacheRead: asNumber(model['cacheReadInputTokens']) ?? 0,
        cacheWrite: asNumber(model['cacheCreationInputTokens']) ?? 0,
      },
    }))
    .reduce(addSpent, NOTHING);
}

const NOTHING: Spent = { costUsd: 0, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };

/** Both together. */
export function addSpent(one: Spent, other: Spent): Spent {
  return { costUsd: one.costUsd + other.costUsd, tokens: addTokens(one.tokens, other.tokens) };
}

/** Both together. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}
