import assert from 'node:assert/strict';
import type { Verdict } from '../../../../src/domain/task/attempt';
import { classify } from '../../../../src/claude/verdict/classify';
import type { EndFacts } from '../../../../src/claude/stream/endFacts';
import { createStreamReader } from '../../../../src/claude/stream/stream';

const INIT = {
  type: 'system',
  subtype: 'init',
  model: 'claude-opus-5-5',
  claude_code_version: '2.1.329',
};

const usageOf = (input: number, output: number): object => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: 10 * input,
  cache_creation_input_tokens: 2 * input,
});

const spoken = (id: string, input: number): object => ({
  type: 'assistant',
  message: { id, content: [{ type: 'text', text: 'Working.' }], usage: usageOf(input, 1) },
});

const partOf = (input: number, output: number, costUSD: number): object => ({
  inputTokens: input,
  outputTokens: output,
  cacheReadInputTokens: 10 * input,
  cacheCreationInputTokens: 2 * input,
  costUSD,
});

const result = (more: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done.',
  num_turns: 2,
  terminal_reason: 'completed',
  total_cost_usd: 0.5,
  duration_api_ms: 1200,
  usage: usageOf(100, 20),
  ...more,
});

const account = (more: object = {}): object => ({
  type: 'rate_limit_event',
  rate_limit_info: { status: 'allowed', rateLimitType: 'five_hour', overageStatus: 'rejected', ...more },
});

const notice = (content: string): object => ({
  type: 'system',
  subtype: 'informational',
  content,
  level: 'notice',
});

function judge(lines: readonly object[], more: Partial<EndFacts> = {}): Verdict {
  const reader = createStreamReader();
  for (const line of lines) reader.push(JSON.stringify(line));
  return classify({
    exitCode: 0,
    signal: null,
    stream: reader.facts(),
    stderr: '',
    now: 0,
    timeZone: 'UTC',
    ...more,
  });
}

describe('The recorded facts of an attempt', () => {
  it('are model, version, tokens, cost, API time, and the reported end', () => {
    const { outcome, model, version, tokens, costUsd, apiMs, subtype, terminalReason, turns } = judge([
      INIT,
      spoken('a', 100),
      result(),
    ]);
    assert.deepEqual(
      { outcome, model, version, tokens, costUsd, apiMs, subtype, terminalReason, turns },
      {
        outcome: 'success',
        model: 'claude-opus-5-5',
        version: '2.1.329',
        tokens: { input: 100, output: 20, cacheRead: 1000, cacheWrite: 200 },
        costUsd: 0.5,
        apiMs: 1200,
        subtype: 'success',
        terminalReason: 'completed',
        turns: 2,
      },
    );
  });

  it('count only this attempt of a resumed session, whose totals contain earlier ones', () => {
    const models = { opus: partOf(100, 20, 0.25), haiku: partOf(1, 2, 0.125) };
    const { tokens, costUsd, apiMs, message } = judge([result({ model_usage_since_last_result: models })], {
      isResumed: true,
    });
    assert.deepEqual(tokens, { input: 101, output: 22, cacheRead: 1010, cacheWrite: 202 });
    assert.equal(costUsd, 0.375);
    assert.equal(apiMs, undefined);
    assert.equal(message, 'Done in 2 turns, $0.3750.');
  });

  it('cost nothing if it hit the limit at once, whatever the session has cost before', () => {
    const limited = result({
      is_error: true,
      result: 'You have hit your limit',
      model_usage_since_last_result: {},
    });
    const { costUsd, tokens } = judge([limited], { exitCode: 1, isResumed: true });
    assert.deepEqual([costUsd, tokens], [0, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }]);
  });

  it('are sums if an attempt reports several results', () => {
    const { costUsd, tokens } = judge([
      result({ model_usage_since_last_result: { opus: partOf(100, 20, 0.2) } }),
      result({ model_usage_since_last_result: { opus: partOf(10, 1, 0.05) } }),
    ]);
    assert.deepEqual([costUsd, tokens?.input, tokens?.output], [0.25, 110, 21]);
  });

  it('are those of its messages if it was killed before its result, each message once', () => {
    const { outcome, tokens, costUsd } = judge([INIT, spoken('a', 100), spoken('a', 100), spoken('b', 5)], {
      exitCode: 143,
    });
    assert.equal(outcome, 'lost');
    assert.deepEqual(tokens, { input: 105, output: 2, cacheRead: 1050, cacheWrite: 210 });
    assert.equal(costUsd, undefined);
  });

  it('contain a limit warning, which is no doubt about the work', () => {
    const { outcome, limitWarning } = judge([account({ status: 'allowed_warning' }), result()]);
    assert.deepEqual([outcome, limitWarning], ['success', true]);
    assert.equal(
      judge([account({ status: 'allowed_warning' }), account(), result()]).limitWarning,
      undefined,
    );
  });
});

describe('An attempt near a usage limit', () => {
  const near = notice('Approaching your 5-hour usage limit — Claude will wrap up the current step.');

  it('needs review if Claude was asked to wrap up, since half-done work looks finished', () => {
    const { outcome, reason, limitWarning } = judge([account({ status: 'allowed_warning' }), near, result()]);
    assert.deepEqual([outcome, reason, limitWarning], ['review', 'wrapped-up', true]);
  });

  it('needs review if it ended in the grace beyond the limit', () => {
    assert.equal(judge([account({ rateLimitGraceActive: true }), result()]).reason, 'wrapped-up');
    const withCredits = account({ rateLimitGraceActive: true, overageStatus: 'allowed' });
    assert.equal(judge([withCredits, result()]).outcome, 'success');
  });

  it("is not judged by Claude's words about limits, nor by other notices", () => {
    const words = 'Approaching your 5-hour usage limit — Claude will wrap up the current step.';
    const said = { type: 'assistant', message: { id: 'a', content: [{ type: 'text', text: words }] } };
    assert.equal(judge([said, result({ result: words })]).outcome, 'success');
    assert.equal(judge([notice('A new version is there.'), result()]).outcome, 'success');
  });

  it('stays a failure if it failed', () => {
    const failed = result({ is_error: true, result: 'API Error: 400 no' });
    assert.notEqual(judge([near, failed], { exitCode: 1 }).reason, 'wrapped-up');
  });
});
