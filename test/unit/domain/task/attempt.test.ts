import assert from 'node:assert/strict';
import { isUnconfirmed, type CheckBefore, type CheckRun } from '../../../../src/domain/task/attempt';

const SUCCESS = { outcome: 'success', reason: 'verified', report: 'none' } as const;

function checkWith(result: CheckBefore['result']): CheckRun {
  const run = { exitCode: 0, ms: 1, output: '' };
  return { result: 'passed', ...run, before: { result, ...run } };
}

describe('A success without a report', () => {
  it('is confirmed by its check, unless that passed before as well', () => {
    assert.equal(isUnconfirmed(SUCCESS), false);
    assert.equal(isUnconfirmed({ ...SUCCESS, reason: 'done' }), true);
    assert.equal(isUnconfirmed({ ...SUCCESS, check: checkWith('failed') }), false);
    assert.equal(isUnconfirmed({ ...SUCCESS, check: checkWith('unknown') }), false);
    assert.equal(isUnconfirmed({ ...SUCCESS, check: checkWith('passed') }), true);
    assert.equal(isUnconfirmed({ ...SUCCESS, report: 'finished', check: checkWith('passed') }), false);
  });
});
