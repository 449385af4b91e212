import assert from 'node:assert/strict';
import type { ApiFailure } from '../../../../src/claude/stream/message';
import { failed, INIT, judge, limitEvent } from '../../../support/claude/judgeRun';
import type { Line } from '../../../support/claude/judgeRun';

const read = (lines: readonly Line[]): string => {
  const { outcome, signal } = judge([INIT, ...lines]);
  return [outcome, signal?.kind ?? 'no signal'].join(' ');
};

describe('A transient failure', () => {
  const CASES: readonly (readonly [said: string, fields: Readonly<Record<string, unknown>>, kind: string])[] = [
    ["API Error: Can't reach the API server — check your internet or DNS (EAI_AGAIN)", { api_error: 'connection_failed' }, 'offline'],
    ['API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)', { api_error: 'connection_failed' }, 'offline'],
    ['API Error: Unable to connect to API (EHOSTUNREACH)', {}, 'offline'],
    ['API Error: Unable to connect to API (SELF_SIGNED_CERT_IN_CHAIN)', {}, 'offline'],
    ['API Error: Connection dropped (ECONNRESET). Check the gateway.', { api_error: 'connection_failed' }, 'no signal'],
    ['API Error: Unable to connect to API (UND_ERR_SOCKET)', {}, 'no signal'],
    ['API Error: Connection error.', {}, 'no signal'],
    ['Request timed out.', {}, 'no signal'],
    ['API Error: Server error mid-response. The API is overloaded.', {}, 'no signal'],
    ['Words nobody has seen yet.', { api_error_status: 429 }, 'throttle'],
    ['API Error: 429 {"type":"error"}', {}, 'throttle'],
    ['API Error: Rate limit reached', {}, 'throttle'],
    ['Words nobody has seen yet.', { api_error_status: 529 }, 'overload'],
    ['API Error (529 {"type":"error"})', {}, 'overload'],
    ['API Error: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', {}, 'overload'],
    ['API Error: Repeated 529 Overloaded errors. The API is at capacity.', {}, 'overload'],
    ['API Error: 503 We are at capacity.', { api_error_status: 503 }, 'overload'],
    ['API Error: 503 Service unavailable', { api_error_status: 503 }, 'no signal'],
    ['API Error: 500 Overloaded', { api_error_status: 500 }, 'no signal'],
    ['API Error: 502 <html>Connection refused</html>', {}, 'no signal'],
  ]; // prettier-ignore
  for (const [said, fields, kind] of CASES) {
    it(`${JSON.stringify(fields)} "${said}": ${kind}`, () =>
      assert.equal(read([failed(said, fields)]), `transient ${kind}`));
  }

  it('is recognized by its error name, also if the attempt broke off', () => {
    const spoken = (failure: Pick<ApiFailure, 'error'>): Line => ({
      type: 'assistant',
      message: {},
      ...failure,
    });
    assert.equal(read([spoken({ error: 'overloaded' })]), 'transient overload');
    assert.equal(read([spoken({ error: 'rate_limit' })]), 'transient throttle');
    assert.equal(read([spoken({ error: 'server_error' })]), 'transient no signal');
  });

  it('has its kind and no reset', () => {
    const { signal } = judge([INIT, failed('API Error: 529 Overloaded.', { api_error_status: 529 })]);
    assert.deepEqual(signal, { kind: 'overload', resetAt: null, message: 'API Error: 529 Overloaded.' });
  });

  it('is not the refusal of a long context that only credits pay for', () => {
    for (const said of [
      'API Error: Request rejected (429) · Extra usage is required for long context requests.',
      'API Error: Extra usage is required for 1M context · enable extra usage',
      'API Error: Usage credits required for 1M context · turn on usage credits',
    ]) {
      const verdict = judge([INIT, failed(said, { error: 'rate_limit', api_error_status: 429 })]);
      assert.deepEqual([verdict.outcome, verdict.reason], ['permanent', 'long_context_credits_required']);
    }
  });

  it('is no limit, whatever the account reported before', () => {
    const refused = limitEvent({ status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1 });
    const lost = { error: 'server_error', api_error: 'connection_failed' };
    assert.equal(read([refused, failed("API Error: Can't reach the API server", lost)]), 'transient offline');
    assert.equal(
      read([refused, failed('API Error: 529 Overloaded', { api_error_status: 529 })]),
      'transient overload',
    );
  });

  it('is no sign-in problem, whatever its words', () => {
    const said = 'API Error: 502 upstream: failed to authenticate, not logged in, credit balance';
    assert.equal(read([failed(said, { api_error_status: 502 })]), 'transient no signal');
    assert.equal(read([failed(said)]), 'transient no signal');
    const throttled = failed('API Error: 429 see /login', { error: 'rate_limit', api_error_status: 429 });
    assert.equal(read([throttled]), 'transient throttle');
  });
});
