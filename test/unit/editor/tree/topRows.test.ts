import assert from 'node:assert/strict';
import { describeAccountNeeds, accountNoticesAsJson } from '../../../../src/app/notify/accountNotices';
import { describeGate } from '../../../../src/app/present/gate';
import { redisRows, topRows } from '../../../../src/editor/tree/topRows';
import { countForPerson } from '../../../../src/editor/tree/taskGroups';
import { HOUR, NOW, paint } from '../../../support/queue/viewModels';

const SIGNED_OUT = { kind: 'sign-in', until: null, message: 'OAuth token has expired.' } as const;

describe('The rows of the account above the tasks', () => {
  it('have one for an expired sign-in, which is counted and can be acted upon', () => {
    const viewModel = paint([{}, {}], { block: SIGNED_OUT });
    const [row, ...rest] = topRows(viewModel);
    assert.deepEqual([row?.title, row?.needsUser, rest], ['Sign in needed', true, []]);
    assert.deepEqual(row?.traits, ['signIn', 'accountBlock']);
    assert.match(row.details.join('\n'), /not signed in[^]*OAuth token has expired/);
    assert.equal(countForPerson(viewModel), 1);
  });

  it('have one for a billing problem, without a sign-in to offer', () => {
    const viewModel = paint([{}], { block: { kind: 'billing', until: null } });
    assert.deepEqual(
      topRows(viewModel).map(({ title, traits }) => [title, ...traits]),
      [['Billing problem', 'accountBlock']],
    );
  });

  it('have one for a usage limit, which needs no action and can be tried now', () => {
    const viewModel = paint([{}], { block: { until: NOW + HOUR } });
    const [row] = topRows(viewModel);
    assert.deepEqual([row?.title, row?.needsUser, row?.traits], ['Usage limit', false, ['usageLimit']]);
    assert.equal(countForPerson(viewModel), 0);
  });

  it("name the button to press after the user's own reset of the limit, and no command", () => {
    const details = (resettable?: true): string => {
      const block = { until: NOW + HOUR, ...(resettable === undefined ? {} : { resettable }) };
      return (topRows(paint([{}], { block }))[0]?.details ?? []).join('\n');
    };
    assert.match(details(true), /After you use \/limit-reset, choose Try Now/);
    assert.doesNotMatch(details(true), /claude-queue/);
    assert.doesNotMatch(details(), /limit-reset/);
  });

  it('have one for a late timer, between what needs the user and what ends by itself', () => {
    const timer = { by: 'crontab', crons: ['0 * * * *'], since: NOW - 3 * HOUR, startedAt: null };
    const [late, ...rest] = topRows(paint([{}], { timer, block: { until: NOW + HOUR } }));
    assert.deepEqual([late?.title, late?.needsUser], ['Timer is late', true]);
    assert.match(late?.description ?? '', /^no start at \d\d:\d\d \(crontab\)$/);
    assert.match(late?.details.join() ?? '', /timer \(crontab\) should have started.*claude-queue schedule/);
    assert.deepEqual(
      rest.map(({ title }) => title),
      ['Usage limit'],
    );
    const [first] = topRows(paint([{}], { timer, block: SIGNED_OUT }));
    assert.equal(first?.title, 'Sign in needed');
  });

  it('have none if the gate is open', () => {
    assert.deepEqual(topRows(paint([{}])), []);
    assert.deepEqual(topRows(paint([{}], { block: { until: NOW - HOUR } })), []);
  });
});

it("The gate in a terminal names the command to call after the user's own reset of the limit, and no button", () => {
  const block = { until: NOW + HOUR, resettable: true } as const;
  const reported = describeGate(paint([{}], { block }).world);
  assert.match(reported, / After you use \/limit-reset, run "claude-queue usage --probe"\.$/);
  assert.doesNotMatch(reported, /Try Now/);
  assert.doesNotMatch(describeGate(paint([{}], { block: { until: NOW + HOUR } }).world), /limit-reset/);
});

describe('The status of an account that needs its user', () => {
  it('has its own line, and is in JSON', () => {
    const { account } = paint([{}], { block: SIGNED_OUT });
    const [line = '', ...rest] = describeAccountNeeds(account);
    assert.match(
      line,
      /^Sign in needed: .*"claude auth login".* Claude Code said: OAuth token has expired\.$/,
    );
    assert.deepEqual(rest, []);
    const [json] = accountNoticesAsJson(account) as { kind: string; needsUser: boolean; until: null }[];
    assert.deepEqual([json?.kind, json?.needsUser, json?.until], ['sign-in', true, null]);
  });

  it('does not include a limit that ends by itself', () => {
    assert.deepEqual(describeAccountNeeds(paint([{}], { block: { until: NOW + HOUR } }).account), []);
  });
});

describe('The row of a Redis that cannot be used', () => {
  const rowOf = (redis?: 'away' | 'refused') =>
    redisRows({
      kind: 'failing',
      message: 'Redis at localhost:6379 refuses.',
      files: [],
      ...(redis && { redis }),
    });

  it('has the reason beside it', () => {
    const [row] = rowOf('away');
    assert.deepEqual([row?.title, row?.description], ['Redis is away', 'Redis at localhost:6379 refuses.']);
  });

  it('needs the user only if Redis refuses', () => {
    assert.deepEqual(
      [rowOf('away'), rowOf('refused')].map(([row]) => row?.needsUser),
      [false, true],
    );
  });

  it('is absent for a queue in a file', () => {
    assert.deepEqual(rowOf(), []);
  });
});
