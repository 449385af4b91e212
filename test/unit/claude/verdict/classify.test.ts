import assert from 'node:assert/strict';
import type { EndFacts } from '../../../../src/claude/stream/endFacts';
import { failed, IN_AN_HOUR_S, INIT, judge, limitEvent, NOW, result } from '../../../support/claude/judgeRun';
import type { Line } from '../../../support/claude/judgeRun';

const ok = { exitCode: 0 };

describe('The verdict on an attempt', () => {
  it('is success only with exit code 0 and a result that is no error', () => {
    const verdict = judge([INIT, result({})], ok);
    assert.equal(verdict.outcome, 'success');
    assert.equal(verdict.reason, 'done');
    assert.deepEqual(
      [verdict.turns, verdict.costUsd, verdict.model, verdict.version, verdict.exitCode],
      [2, 0.5, 'claude-opus-5-5', '2.1.329', 0],
    );
    assert.equal(judge([INIT, result({})], { exitCode: 1 }).outcome, 'error');
    assert.equal(judge([INIT, failed('Something new.')], ok).outcome, 'error');
  });

  it('is not a limit if the answer only talks about limits', () => {
    const answer = "You've hit your 5-hour limit · resets 7pm (UTC). Not logged in · Please run /login";
    assert.equal(judge([INIT, result({ result: answer })], ok).outcome, 'success');
    const talk = { type: 'assistant', message: { content: [{ type: 'text', text: answer }] } };
    assert.equal(judge([INIT, talk, result({ is_error: true, result: '' })]).outcome, 'error');
    assert.equal(judge([INIT, talk, result({ result: answer })], { exitCode: 1 }).outcome, 'error');
  });

  it('is review when actions were refused, and names them', () => {
    const refused = [
      { tool_name: 'Write', tool_input: { file_path: '/p/out.txt', content: 'x' } },
      { tool_name: 'Bash', tool_input: { command: 'make\nall' } },
    ];
    const verdict = judge([INIT, result({ permission_denials: refused })], ok);
    assert.equal(verdict.outcome, 'review');
    assert.deepEqual(verdict.denials, [
      { tool: 'Write', detail: '/p/out.txt', rule: 'Edit(//p/out.txt)' },
      { tool: 'Bash', detail: 'make', rule: 'Bash(make\nall)' },
    ]);
    assert.match(verdict.message, /refused 2 actions: Write \/p\/out\.txt, Bash make/);
  });

  it('names a reason that no check settles before refused actions, and keeps both', () => {
    const refused = { permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'make' } }] };
    const reasons = [
      judge([INIT, result({ ...refused, terminal_reason: 'hook_stopped' })], ok),
      judge([INIT, result({ ...refused, terminal_reason: 'tool_deferred' })], ok),
      judge([result({ ...refused, num_turns: 0 })], ok),
    ];
    assert.deepEqual(
      reasons.map(({ reason, denials }) => [reason, denials.length]),
      [
        ['hook_stopped', 1],
        ['tool_deferred', 1],
        ['no-turns', 1],
      ],
    );
  });

  it('is review when no model worked on the prompt', () => {
    assert.equal(judge([result({ num_turns: 0 })], ok).reason, 'no-turns');
    assert.equal(judge([result({ local_command: 'usage' })], ok).reason, 'no-turns');
  });

  it('is review when the output has not the requested form', () => {
    assert.deepEqual(
      [judge(['It went well.'], ok).outcome, judge(['It went well.'], ok).reason],
      ['review', 'unstructured'],
    );
  });

  it('is lost when another process ended it, also with exit code 0', () => {
    assert.deepEqual(
      [
        judge([INIT], { exitCode: null, signal: 'SIGKILL' }),
        judge([INIT], { exitCode: 143 }),
        judge([INIT], ok),
        judge([], ok),
        judge([INIT, failed('', { terminal_reason: 'aborted_streaming' })], ok),
      ].map(({ outcome, reason, exitCode }) => [outcome, reason, exitCode]),
      [
        ['lost', 'SIGKILL', null],
        ['lost', 'SIGTERM', 143],
        ['lost', 'no-result', 0],
        ['lost', 'no-result', 0],
        ['lost', 'aborted_streaming', 0],
      ],
    );
  });

  it('has the reason why this program ended it, unless the work was complete by then', () => {
    const killed = { exitCode: 143 };
    assert.deepEqual(
      (['stopped', 'made-way', 'cancelled', 'fenced', 'timeout'] as const).map((endedBy) => {
        const { outcome, reason } = judge([INIT], { ...killed, endedBy });
        return [outcome, reason];
      }),
      [
        ['cancelled', 'stopped'],
        ['cancelled', 'made-way'],
        ['cancelled', 'cancelled'],
        ['cancelled', 'fenced'],
        ['error', 'timeout'],
      ],
    );
    assert.equal(judge([INIT, result({})], { exitCode: 0, endedBy: 'stopped' }).outcome, 'success');
  });

  it('closes the gate after an attempt was billed to the wrong key', () => {
    const init = { ...INIT, apiKeySource: 'ANTHROPIC_API_KEY' };
    const CASES: readonly (readonly [outcome: string, lines: readonly Line[], facts: Partial<EndFacts>])[] = [
      ['blocked', [init], { exitCode: 143, endedBy: 'other-payer' }],
      ['success', [init, result({})], { exitCode: 0, endedBy: 'other-payer' }],
      ['success', [init, result({})], { exitCode: 0 }],
      ['blocked', [init, failed("You've hit your 5-hour limit")], {}],
      ['cancelled', [init], { exitCode: 143, endedBy: 'stopped' }],
    ];
    for (const [expected, lines, facts] of CASES) {
      const { outcome, signal } = judge(lines, { ...facts, hasOtherPayer: true });
      assert.deepEqual([outcome, signal?.kind, signal?.resetAt], [expected, 'billing', null]);
      assert.match(signal?.message ?? '', /an API key \(from ANTHROPIC_API_KEY\).*then resume the queue\.$/);
    }
  });
});

describe('A usage limit', () => {
  const five = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: IN_AN_HOUR_S };

  it('is recognized by the event, with its reset', () => {
    const { outcome, signal } = judge([INIT, limitEvent(five), failed('Words nobody has seen yet.')]);
    assert.equal(outcome, 'limit');
    assert.deepEqual([signal?.kind, signal?.resetAt], ['five_hour', IN_AN_HOUR_S * 1000]);
  });

  it('of five hours can be reset by the user from version 2.1.263 on', () => {
    const signalOf = (version: string): true | undefined =>
      judge([{ ...INIT, claude_code_version: version }, limitEvent(five), failed('At the limit.')]).signal
        ?.resettable;
    assert.deepEqual([signalOf('2.1.262'), signalOf('2.1.263')], [undefined, true]);
  });

  it('is recognized by the event if the attempt broke off without a result', () => {
    assert.equal(judge([INIT, limitEvent(five)]).outcome, 'limit');
  });

  it('is recognized by the error name alone', () => {
    const verdict = judge([INIT, failed('?', { api_error: 'usage_limit_reached', api_error_status: 429 })]);
    assert.deepEqual(
      [verdict.outcome, verdict.signal?.kind, verdict.signal?.resetAt],
      ['limit', 'unknown', null],
    );
  });

  it('is recognized by the parameters of the error', () => {
    const spoken = {
      type: 'assistant',
      error: 'rate_limit',
      api_error_params: { rate_limit_info: { ...five, rateLimitType: 'seven_day_opus' } },
      message: { content: [] },
    };
    const { signal } = judge([INIT, spoken, failed('?')]);
    assert.deepEqual(
      [signal?.kind, signal?.model, signal?.resetAt],
      ['seven_day_opus', 'opus', IN_AN_HOUR_S * 1000],
    );
  });

  it('of an unknown kind closes the gate', () => {
    const verdict = judge([INIT, limitEvent({ ...five, rateLimitType: 'lunar_month' }), failed('?')]);
    assert.deepEqual(
      [verdict.outcome, verdict.reason, verdict.signal?.kind],
      ['limit', 'lunar_month', 'unknown'],
    );
  });

  it('is recognized by unknown words with a reset', () => {
    const { outcome, signal } = judge([INIT, failed('Your fortnightly cap is used up; it resets 9pm (UTC)')]);
    assert.equal(outcome, 'limit');
    assert.equal(signal?.resetAt, Date.parse('2026-11-20T21:00:00Z'));
  });

  it('is not a throttle, whose event has no type', () => {
    const throttle = limitEvent({ status: 'rejected' });
    const verdict = judge([INIT, throttle, failed('API Error: …', { api_error_status: 429 })]);
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', '429']);
  });

  it('is not the reason of an attempt that waited one out and failed otherwise', () => {
    const recovered = [INIT, limitEvent(five), limitEvent({ status: 'allowed' })];
    assert.equal(
      judge([...recovered, failed('API Error: 500', { api_error_status: 500 })]).outcome,
      'transient',
    );
    const spoken = { type: 'assistant', error: 'rate_limit', api_error: 'usage_limit_reached', message: {} };
    const work = { type: 'assistant', message: { content: [{ type: 'text', text: 'On I go.' }] } };
    const broken = result({ subtype: 'error_during_execution', is_error: true, result: '' });
    assert.equal(judge([...recovered, spoken, work, broken]).outcome, 'error');
  });

  it('with an implausible reset has none', () => {
    for (const resetsAt of [0, NOW / 1000 - 3600, NOW / 1000 + 30 * 86_400, NOW]) {
      assert.equal(judge([INIT, limitEvent({ ...five, resetsAt }), failed('?')]).signal?.resetAt, null);
    }
  });

  it('with a reset in the past, by a wrong clock, is not moved to tomorrow', () => {
    const over = limitEvent({ ...five, resetsAt: NOW / 1000 - 120 });
    const reported = judge([INIT, over, failed('5-hour limit · resets 6:58pm (UTC)')]).signal;
    assert.equal(reported?.resetAt, NOW - 120_000);
    const longOver = limitEvent({ ...five, resetsAt: NOW / 1000 - 3600 });
    assert.equal(judge([INIT, longOver, failed('5-hour limit · resets 6pm (UTC)')]).signal?.resetAt, null);
    const noTime = limitEvent({ ...five, resetsAt: 1 });
    const { signal } = judge([INIT, noTime, failed('5-hour limit · resets 8pm (UTC)')]);
    assert.equal(signal?.resetAt, IN_AN_HOUR_S * 1000);
  });

  it('does not hide the usage of the account', () => {
    const unifiedWindows = {
      five_hour: { utilization: 1, resetsAt: IN_AN_HOUR_S },
      seven_day: { utilization: 0.4, resetsAt: IN_AN_HOUR_S + 1 },
      of_the_future: { utilization: 0.1, resetsAt: 1 },
    };
    assert.deepEqual(judge([INIT, limitEvent({ ...five, unifiedWindows }), failed('?')]).usage, [
      { window: 'five_hour', utilization: 1, resetAt: IN_AN_HOUR_S * 1000 },
      { window: 'seven_day', utilization: 0.4, resetAt: (IN_AN_HOUR_S + 1) * 1000 },
    ]);
  });
});

describe('Other failures', () => {
  const CASES: readonly (readonly [string, Line | undefined, Partial<EndFacts>, string, string])[] = [
    ['402', failed('Pay first.', { api_error_status: 402 }), {}, 'blocked', 'billing'],
    ['billing by type', failed('?', { api_error_type: 'billing_error' }), {}, 'blocked', 'billing'],
    ['401', failed('Who are you?', { api_error_status: 401 }), {}, 'blocked', 'sign-in'],
    ['a spend limit', failed("You've hit your org's monthly spend limit"), {}, 'blocked', 'spend-limit'],
    ['529', failed('?', { api_error_status: 529 }), {}, 'transient', '529'],
    ['no network', failed('?', { api_error: 'connection_failed' }), {}, 'transient', 'connection_failed'],
    ['no network, by text', failed('Connection error. (ENOTFOUND)'), {}, 'transient', 'network'],
    ['own turns', result({ subtype: 'error_max_turns', is_error: true }), {}, 'permanent', 'error_max_turns'],
    ['a refusal', failed('?', { stop_reason: 'refusal' }), {}, 'permanent', 'refusal'],
    [
      'a long context',
      failed('?', { terminal_reason: 'prompt_too_long' }),
      {},
      'permanent',
      'prompt_too_long',
    ],
    [
      'credits for a long context',
      failed('?', { api_error: 'long_context_credits_required', api_error_status: 429 }),
      {},
      'permanent',
      'long_context_credits_required',
    ],
    ['an unknown flag', undefined, { stderr: "error: unknown option '--x'\n" }, 'permanent', 'startup'],
    [
      'root without limits',
      result({ subtype: 'error_during_execution', is_error: true, startup_failure_reason: 'bypass_root' }),
      {},
      'permanent',
      'bypass_root',
    ],
    [
      'a sign-in that the organisation refuses',
      result({
        subtype: 'error_during_execution',
        is_error: true,
        startup_failure_reason: 'org_config_refused',
      }),
      {},
      'blocked',
      'sign-in',
    ],
    [
      'a program that is too old',
      result({
        subtype: 'error_during_execution',
        is_error: true,
        startup_failure_reason: 'cli_version_too_old',
      }),
      {},
      'error',
      'cli_version_too_old',
    ],
    ['a crash', undefined, { stderr: 'FATAL: out of cheese\n', exitCode: 7 }, 'error', 'exit-7'],
    [
      'a prompt that came too late',
      undefined,
      { stderr: 'Error: Input must be provided either through stdin or as …\n' },
      'transient',
      'not-started',
    ],
    [
      'a prompt that came too late for a resumed session',
      undefined,
      {
        stderr:
          'Warning: no stdin data received in 3s, proceeding without it. …\nError: No deferred tool marker found in the resumed session. …\n',
      },
      'transient',
      'not-started',
    ],
  ];
  for (const [name, line, facts, outcome, reason] of CASES) {
    it(`${name}: ${outcome}, ${reason}`, () => {
      const verdict = judge(line === undefined ? [] : [INIT, line], facts);
      assert.deepEqual([verdict.outcome, verdict.reason], [outcome, reason]);
    });
  }

  it('name what the user must fix', () => {
    const { signal } = judge([
      failed(
        'API Error: 400 You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
      ),
    ]);
    assert.deepEqual([signal?.kind, signal?.resetAt], ['billing', Date.parse('2026-12-01T00:00:00Z')]);
  });

  it('are one line without control sequences', () => {
    const { message } = judge([INIT, failed('\u001b[31mRed\u001b[0m\u0007 alert\nand more')]);
    assert.equal(message, 'Red alert');
  });

  it('are not hidden by garbage around them', () => {
    const lines = [
      'not json',
      '{"type":"result"',
      '[1]',
      '{"type":"later"}',
      'null',
      `{"type":42}`,
      'x'.repeat(200_000),
    ];
    const verdict = judge([INIT, ...lines, failed('?', { api_error_status: 503 }), ...lines]);
    assert.deepEqual([verdict.outcome, verdict.reason], ['transient', '503']);
  });
});
