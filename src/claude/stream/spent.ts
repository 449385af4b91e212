import type { Tokens } from '../../domain/task/attempt';
import { sumUsd } from '../../domain/usd';
import { asNumber, asObject, type JsonObject } from './json';

/** Usage of an attempt, as far as a line reports it. */
export interface Spent {
  readonly tokens: Tokens;
  readonly costUsd: number;
}

/** Parses a `usage` object of the API; undefined if there is none. */
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
 * Returns what one result line adds, over all models. Undefined if the version does not report it.
 *
 * `total_cost_usd` and `modelUsage` of a resumed session include its earlier attempts (measured, 2.1.329):
 * summed over attempts, they would count the same money again and again. The measured versions that do not
 * report the parts count each attempt by itself (2.1.90).
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

/** Returns the sum of both. */
export function addSpent(one: Spent, other: Spent): Spent {
  return { costUsd: sumUsd([one.costUsd, other.costUsd]), tokens: addTokens(one.tokens, other.tokens) };
}

/** Returns the sum of both. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}
