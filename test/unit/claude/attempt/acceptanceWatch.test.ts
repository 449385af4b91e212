import assert from 'node:assert/strict';
import type { WindowUsage } from '../../../../src/domain/gate/gate';
import { createAcceptanceWatch } from '../../../../src/claude/attempt/acceptanceWatch';
import { createStreamReader } from '../../../../src/claude/stream/stream';

const INIT = { type: 'system', subtype: 'init', model: 'claude-opus-5-5' };
const WORDS = { type: 'assistant', message: { content: [{ type: 'text', text: 'Hello' }] } };
const FAILURE = { ...WORDS, error: 'rate_limit' };

function rateLimit(status: string, utilization = 0.4, resetsAt = 1_795_200_000): object {
  const info = { status, rateLimitType: 'five_hour', utilization, resetsAt };
  return { type: 'rate_limit_event', rate_limit_info: info };
}

describe('An accepted attempt', () => {
  let reported: { usage: readonly WindowUsage[]; model: string | undefined }[];

  function read(...lines: readonly object[]): void {
    reported = [];
    const watch = createAcceptanceWatch({ admitted: (usage, model) => reported.push({ usage, model }) });
    const reader = createStreamReader();
    for (const line of lines) watch(reader.push(JSON.stringify(line)), reader.facts());
  }

  it("is reported once, at the model's first words, with the model", () => {
    read(INIT, WORDS, WORDS);
    assert.deepEqual(reported, [{ usage: [], model: 'claude-opus-5-5' }]);
  });

  it('is reported as soon as the account accepts it, with usage', () => {
    read(INIT, rateLimit('allowed_warning'), WORDS);
    assert.equal(reported.length, 1);
    assert.deepEqual(
      reported[0]?.usage.map(({ window, utilization }) => [window, utilization]),
      [['five_hour', 0.4]],
    );
  });

  it('is reported again when usage rose by 1 %, or a new window started', () => {
    const reset = 1_795_200_000;
    read(
      WORDS,
      rateLimit('allowed', 0.4),
      WORDS,
      rateLimit('allowed', 0.404, reset + 1),
      rateLimit('allowed', 0.41),
      rateLimit('rejected', 0.9),
      rateLimit('allowed', 0.41, reset + 18_000),
    );
    assert.deepEqual(
      reported.map(({ usage }) => usage.map(({ utilization, resetAt }) => [utilization, resetAt / 1000])),
      [[], [[0.4, reset]], [[0.41, reset]], [[0.41, reset + 18_000]]],
    );
  });

  it('is not reported for output of a local command of Claude Code', () => {
    read(INIT, { ...WORDS, message: { ...WORDS.message, model: '<synthetic>' } });
    assert.deepEqual(reported, []);
  });

  it('is not reported if the account refuses, or Claude Code reports a failure in its own words', () => {
    read(INIT, rateLimit('rejected'), FAILURE);
    assert.deepEqual(reported, []);
  });
});
