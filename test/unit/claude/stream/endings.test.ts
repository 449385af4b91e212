import assert from 'node:assert/strict';
import { SESSION_IN_USE } from '../../../../src/domain/task/attempt';
import type { EndFacts } from '../../../../src/claude/stream/endFacts';
import { failed, INIT, judge, limitEvent, result } from '../../../support/claude/judgeRun';
import type { Line } from '../../../support/claude/judgeRun';

const read = (lines: readonly Line[], facts: Partial<EndFacts> = {}): string => {
  const { outcome, reason } = judge([INIT, ...lines], facts);
  return `${outcome} ${reason}`;
};
const ok = { exitCode: 0 };
const LIMIT = "You've hit your 5-hour limit · resets 9pm (UTC)";
const failure = {
  type: 'assistant',
  error: 'rate_limit',
  message: { content: [{ type: 'text', text: LIMIT }] },
};
const answer = { type: 'assistant', message: { content: [{ type: 'text', text: 'On I go.' }] } };

describe('An attempt that reports success', () => {
  it('needs review if a hook stopped it or deferred a call', () => {
    for (const reason of ['hook_stopped', 'tool_deferred', 'background_requested', 'of_the_future']) {
      assert.equal(read([result({ terminal_reason: reason })], ok), `review ${reason}`);
    }
    assert.equal(read([result({ stop_reason: 'tool_use' })], ok), 'review tool_use');
    assert.equal(read([result({ stop_reason: 'max_tokens' })], ok), 'review max_tokens');
  });

  it('succeeds if Claude itself had ended', () => {
    for (const reason of ['completed', 'stop_hook_prevented']) {
      assert.equal(read([result({ terminal_reason: reason, stop_reason: 'end_turn' })], ok), 'success done');
    }
    assert.equal(read([result({ stop_reason: null })], ok), 'success done');
  });

  it('without an answer needs a review', () => {
    assert.equal(read([result({ result: '' })], ok), 'review empty-answer');
    assert.equal(read([answer, result({ result: ' \n' })], ok), 'review empty-answer');
  });

  it('has an answer if only its last turn is empty', () => {
    assert.equal(read([result({}), result({ result: '' })], ok), 'success done');
  });

  it('fails if its last message is a failure', () => {
    assert.equal(read([failure, result({})], ok), 'limit five_hour');
    assert.equal(read([failure, answer, result({})], ok), 'success done');
  });

  it('fails without a field for errors', () => {
    assert.equal(read([result({ is_error: undefined, result: LIMIT })], ok), 'review unstructured');
    assert.equal(read([result({ is_error: undefined, result: LIMIT })]), 'limit five_hour');
  });

  it('needs review if no model read or wrote a token', () => {
    const usage = { input_tokens: 0, output_tokens: 0 };
    assert.equal(read([result({ usage, duration_api_ms: 0 })], ok), 'review no-turns');
    assert.equal(read([result({ usage, duration_api_ms: 40 })], ok), 'success done');
  });

  it('is judged by its last result line, with the refusals of all of them', () => {
    const refused = { tool_name: 'Bash', tool_input: { command: 'make' } };
    const first = result({ permission_denials: [refused] });
    const second = result({ permission_denials: [refused, { ...refused, tool_name: 'Write' }] });
    assert.equal(read([failed(LIMIT), result({})], ok), 'review turn-failed');
    const followUp = result({ origin: { kind: 'task-notification' } });
    assert.equal(read([failed(LIMIT), followUp, followUp], ok), 'review turn-failed');
    assert.equal(
      read([failed(LIMIT), failed(LIMIT, { origin: { kind: 'task-notification' } })]),
      'limit five_hour',
    );
    assert.equal(read([result({}), followUp], ok), 'success done');
    assert.equal(read([result({}), failed(LIMIT)]), 'limit five_hour');
    assert.deepEqual(
      judge([INIT, first, result({})], ok).denials.map(({ tool }) => tool),
      ['Bash'],
    );
    assert.deepEqual(
      judge([INIT, first, second], ok).denials.map(({ tool }) => tool),
      ['Bash', 'Write'],
    );
  });
});

describe('A failed subagent', () => {
  const inHelper = { parent_tool_use_id: 'toolu_1' };

  it('does not fail the attempt', () => {
    assert.equal(read([{ ...failure, ...inHelper }, result({})], ok), 'success done');
    assert.equal(read([{ ...failure, ...inHelper }], { exitCode: 7 }), 'error exit-7');
  });

  it('does not hide the failure of the attempt', () => {
    assert.equal(read([failure, { ...answer, ...inHelper }]), 'limit five_hour');
  });
});

describe('An attempt that broke off', () => {
  it('has the last message of Claude Code as its reason', () => {
    const verdict = judge([INIT, answer, failure]);
    assert.deepEqual([verdict.outcome, verdict.message], ['limit', LIMIT]);
    assert.equal(verdict.signal?.resetAt, Date.parse('2026-11-20T21:00:00Z'));
    assert.equal(read([failure, answer]), 'error exit-1');
  });

  it('has no reason from lines of unknown origin', () => {
    const cut = JSON.stringify({ ...answer, message: { content: [{ type: 'text', text: LIMIT }] } });
    assert.equal(read([LIMIT, cut.slice(0, -3), cut.slice(3), `[{"a":"${LIMIT}"}]`]), 'error exit-1');
    assert.equal(judge([cut.slice(0, -3)]).reason, 'exit-1');
  });

  it('was interrupted if its exit code is 0', () => {
    const broken = failed('', { subtype: 'error_during_execution' });
    assert.equal(read([broken], ok), 'lost interrupted');
    assert.equal(read([broken]), 'error error_during_execution');
  });

  it('crashed if its signal says so', () => {
    assert.equal(read([], { exitCode: null, signal: 'SIGSEGV' }), 'error SIGSEGV');
    assert.equal(read([], { exitCode: null, signal: 'SIGHUP' }), 'lost SIGHUP');
  });
});

describe('A failure', () => {
  const CASES: readonly (readonly [says: string, line: Line, means: string])[] = [
    ['402 in words', failed('API Error: 402 {"type":"error"}'), 'blocked billing'],
    ['401 in words', failed('API Error: 401 {"type":"error"}'), 'blocked sign-in'],
    ['400 in words', failed('API Error: 400 {"type":"error"}'), 'permanent 400'],
    ['a prompt too long, in words', failed('Prompt is too long'), 'permanent prompt_too_long'],
    ['a full context', failed('?', { terminal_reason: 'blocking_limit' }), 'permanent prompt_too_long'],
    ['a refusal, in words', failed('… which appears to violate our Usage Policy (…)'), 'permanent refusal'],
    ['no such model, in words', failed("There's an issue with the selected model (x)."), 'permanent model_not_found'],
    ['a plan without the model', failed('Claude Opus is not available with the Claude Pro plan. If …', { error: 'invalid_request' }), 'permanent model_not_found'],
    ['an end with a name', failed('?', { terminal_reason: 'turn_setup_failed' }), 'error turn_setup_failed'],
    ['an end without one', failed('?', { terminal_reason: 'api_error' }), 'error exit-1'],
    ['a group without budget', failed("Your group's usage limit is set to $0 · ask your admin"), 'blocked spend-limit'],
    ['an API budget in other words', failed('You will regain access on 2026-12-01 at 00:00 UTC.'), 'blocked billing'],
  ]; // prettier-ignore
  for (const [says, line, means] of CASES)
    it(`with ${says}: ${means}`, () => assert.equal(read([line]), means));

  it('to start is recognized by its name', () => {
    const start = (reason: string): Line =>
      result({ subtype: 'error_during_execution', is_error: true, startup_failure_reason: reason });
    const means = (reason: string): string => read([start(reason)]);
    assert.equal(means('session_held_by_background'), `transient ${SESSION_IN_USE}`);
    assert.equal(means('org_verify_failed'), 'transient org_verify_failed');
    assert.equal(means('cwd_unavailable'), 'permanent cwd_unavailable');
    assert.equal(means('gateway_signin_required'), 'blocked sign-in');
    assert.equal(means('proxy_invalid'), 'error proxy_invalid');
    assert.equal(means('of_the_future'), 'error of_the_future');
  });

  it('of the turn limit is reported if Claude Code says nothing', () => {
    const { message } = judge([INIT, result({ subtype: 'error_max_turns', result: undefined })], ok);
    assert.match(message, /turns/);
  });
});

describe('An unknown limit', () => {
  const event = (info: Readonly<Record<string, unknown>>): Line =>
    limitEvent({ status: 'rejected', resetsAt: Date.parse('2026-11-22T00:00:00Z') / 1000, ...info });
  const signalOf = (lines: readonly Line[]) => judge([INIT, ...lines, failed('?')]).signal;

  it('is for a model family if its name and the model of the attempt match', () => {
    const { kind, model } = signalOf([event({ rateLimitType: 'seven_day_haiku' })]) ?? {};
    assert.deepEqual([kind, model], ['unknown', undefined]);
    const run = { ...INIT, model: 'claude-haiku-6' };
    assert.equal(signalOf([run, event({ rateLimitType: 'seven_day_haiku' })])?.model, 'haiku');
  });

  it('is recognized by an error name with a known ending', () => {
    const verdict = judge([
      INIT,
      failed('?', { api_error_type: 'grace_daily_limit_reached', api_error_status: 429 }),
    ]);
    assert.deepEqual([verdict.outcome, verdict.signal?.kind], ['limit', 'unknown']);
  });

  it('is recognized by old wordings', () => {
    const cases = [
      ['Claude usage limit reached. Your limit will reset at 9pm (UTC).', 'unknown'],
      ['Opus weekly limit reached ∙ resets 9pm', 'seven_day_opus'],
      ['5-hour limit reached ∙ resets 9pm', 'five_hour'],
    ] as const;
    for (const [said, kind] of cases) {
      const { signal } = judge([said]);
      assert.deepEqual([signal?.kind, signal?.resetAt], [kind, Date.parse('2026-11-20T21:00:00Z')], said);
    }
  });

  it('can have the reset of its window', () => {
    const resetsAt = Date.parse('2026-11-21T01:00:00Z') / 1000;
    const unifiedWindows = { five_hour: { utilization: 1, resetsAt } };
    const signal = signalOf([event({ resetsAt: undefined, rateLimitType: 'five_hour', unifiedWindows })]);
    assert.equal(signal?.resetAt, resetsAt * 1000);
  });

  it('needs the user if credits are refused permanently, and else ends with its window', () => {
    const off = { rateLimitType: 'overage', overageDisabledReason: 'org_service_level_disabled' };
    const said = failed('This service is disabled for your org', {
      error: 'rate_limit',
      api_error_status: 429,
    });
    assert.equal(judge([INIT, event(off), said]).outcome, 'blocked');
    const cap = failed("You've hit your org's monthly spend limit", { api_error: 'usage_limit_reached' });
    const overage = event({ rateLimitType: 'overage' });
    const noReset = event({ rateLimitType: 'overage', resetsAt: undefined });
    const window = event({ rateLimitType: 'five_hour', resetsAt: undefined });
    assert.deepEqual(
      [overage, noReset, window].map((line) => judge([INIT, line, cap]).outcome),
      ['limit', 'blocked', 'limit'],
    );
  });
});
