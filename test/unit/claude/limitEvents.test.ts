import assert from 'node:assert/strict';
import { failed, IN_AN_HOUR_S, INIT, judge, limitEvent } from '../../support/claude/judgeRun';

const five = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: IN_AN_HOUR_S };

describe('A usage limit', () => {
  it('that is only quoted closes no gate if the version reports limits by events', () => {
    const allowed = limitEvent({ status: 'allowed', rateLimitType: 'five_hour' });
    const quoted = failed("The page says: You've hit your 5-hour limit · resets 9pm (UTC)");
    assert.equal(judge([INIT, allowed, quoted]).signal, undefined);
    assert.equal(judge([INIT, quoted]).signal?.kind, 'five_hour');
  });

  it("is not hidden by the account's report of another limit", () => {
    const week = limitEvent({ ...five, rateLimitType: 'seven_day_opus' });
    const allowed = limitEvent({ status: 'allowed', rateLimitType: 'five_hour' });
    const { outcome, signal } = judge([
      INIT,
      week,
      allowed,
      failed("You've hit your limit · resets 8pm (UTC)"),
    ]);
    assert.deepEqual([outcome, signal?.kind], ['limit', 'seven_day_opus']);
  });

  it('of a week without a model name, from an old version, closes the gate of Opus for an attempt on Opus', () => {
    const week = failed('Limit reached · resets Nov 23, 3:24pm (UTC)');
    const old = { ...INIT, claude_code_version: '2.0.60', model: 'claude-opus-4-5' };
    assert.equal(judge([old, week]).signal?.model, 'opus');
    assert.equal(judge([{ ...old, model: 'claude-sonnet-4-5' }, week]).signal?.model, undefined);
    const soon = failed('Limit reached · resets 9pm (UTC)');
    assert.equal(judge([old, soon]).signal?.model, undefined);
  });
});
