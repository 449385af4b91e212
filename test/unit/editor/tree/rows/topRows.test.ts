import assert from 'node:assert/strict';
import { describeAccountNeeds, accountNoticesAsJson } from '../../../../../src/app/notify/accountNotices';
import { describeGate } from '../../../../../src/app/present/gate';
import { defaults, EDITOR, type Settings } from '../../../../../src/domain/settings/settings';
import type { StopHow } from '../../../../../src/domain/queue/workerStop';
import { redisRows, topRows, toTreeRow } from '../../../../../src/editor/tree/rows/topRows';
import type { TreeRow } from '../../../../../src/editor/tree/rows/treeRow';
import { countForUser } from '../../../../../src/editor/tree/rows/taskGroups';
import {
  HOUR,
  INVALID_SETTING,
  lost,
  MINUTE,
  NOW,
  paint,
  runByWorker,
  type Around,
} from '../../../../support/queue/viewModels';

const SIGNED_OUT = { kind: 'sign-in', until: null, message: 'OAuth token has expired.' } as const;

describe('The rows of the account above the tasks', () => {
  it('have one for an expired sign-in, which is counted and can be acted upon', () => {
    const viewModel = paint([{}, {}], { block: SIGNED_OUT });
    const [row, ...rest] = topRows(viewModel);
    assert.deepEqual([row?.title, row?.needsUser, rest], ['Sign in needed', true, []]);
    assert.deepEqual(row?.traits, ['signIn', 'accountBlock']);
    assert.match(row.details.join('\n'), /not signed in[^]*OAuth token has expired/);
    assert.equal(countForUser(viewModel), 1);
  });

  it('have one for a billing problem, without a sign-in to offer', () => {
    const viewModel = paint([{}], { block: { kind: 'billing', until: null } });
    assert.deepEqual(
      topRows(viewModel).map(({ title, traits }) => [title, ...traits]),
      [['Billing problem', 'accountBlock']],
    );
  });

  it('have one for a spend limit, which needs the user although it has a reset', () => {
    const until = NOW + 20 * 24 * HOUR;
    for (const kind of ['billing', 'spend-limit'] as const) {
      const viewModel = paint([{}], { block: { kind, until } });
      const [row] = topRows(viewModel);
      assert.deepEqual([row?.needsUser, row?.traits, row?.actions], [true, ['accountBlock'], ['resume']]);
      assert.equal(countForUser(viewModel), 1);
    }
  });

  it('have one for invalid settings, in place of the advice to start a worker', () => {
    const rows = topRows(paint([{}], { settingProblems: [INVALID_SETTING] }));
    const what = 'maxPerHour must be a whole number, at least 0; it is "lots".';
    assert.deepEqual(
      rows.map(({ title, description, needsUser, actions }) => [title, description, needsUser, ...actions]),
      [['Invalid settings', what, true, 'checkMachine']],
    );
    assert.equal(rows[0]?.details.at(-1), `/queue/config.yaml: ${what}`);
    const [several] = topRows(paint([{}], { settingProblems: [INVALID_SETTING, INVALID_SETTING] }));
    assert.equal(several?.description, `${what} (+1)`);
    assert.deepEqual(
      toTreeRow(several, true).children?.map(({ label, command }) => [label, command?.file]),
      [['Open config.yaml', '/queue/config.yaml']],
    );
  });

  it('have a row that opens each invalid setting of VS Code', () => {
    const ofEditor = { ...INVALID_SETTING, source: EDITOR };
    const settingProblems = ['notify', 'keepAwake'].map((name) => ({
      ...ofEditor,
      name: `claudeQueue.${name}`,
    }));
    const [row] = topRows(paint([{}], { settingProblems }));
    assert.ok(row);
    const { children = [] } = toTreeRow(row, true);
    assert.deepEqual(
      children.map(({ label, description, command }) => [label, description, command?.setting]),
      ['claudeQueue.notify', 'claudeQueue.keepAwake'].map((name) => ['Open Setting', name, name]),
    );
    assert.equal(new Set(children.map(({ key }) => key)).size, 2);
  });

  it('have one for attempts of tasks whose rows are gone', () => {
    const viewModel = paint([runByWorker, { owner: { kind: 'person', machine: 'm' } }, {}], { workers: 1 });
    const tasks = viewModel.tasks.slice(2);
    const snapshot = { ...viewModel.snapshot, tasks: tasks.map(({ task }) => task) };
    const [row, ...rest] = topRows({ ...viewModel, tasks, snapshot });
    assert.deepEqual(
      [row?.title, row?.description, row?.details.length, row?.needsUser, rest],
      ['No valid row', 'worker w1 is running task 1, you have task 2', 2, false, []],
    );
    assert.deepEqual(topRows(viewModel), []);
  });

  it('have one for a usage limit, which needs no action and can be tried now', () => {
    const viewModel = paint([{}], { block: { until: NOW + HOUR } });
    const [row] = topRows(viewModel);
    assert.deepEqual([row?.title, row?.needsUser, row?.traits], ['Usage limit', false, ['usageLimit']]);
    assert.equal(countForUser(viewModel), 0);
  });

  it('show the reset of a usage limit first, and say all in the hover and to screen readers', () => {
    const rowOf = (block: NonNullable<Around['block']>): TreeRow[] =>
      topRows(paint([{}], { block })).map((row) => toTreeRow(row, true));
    const [row] = rowOf({ until: NOW + HOUR });
    assert.equal(row?.description, 'resets 19:00, 5-hour usage window used up');
    assert.equal(row.spoken, 'Usage limit: 5-hour usage window used up, resets 19:00');
    assert.match(row.details?.join('\n') ?? '', /5-hour usage window used up, resets 19:00/);
    const [guessed] = rowOf({ until: NOW + HOUR, guessed: true });
    assert.equal(guessed?.description, 'next try 19:00, 5-hour usage window used up');
    const [signedOut] = rowOf(SIGNED_OUT);
    assert.match(signedOut?.description ?? '', /not signed in: fix it, then resume/);
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

  it('have one for the limit of unreviewed tasks, with what lowers their number', () => {
    const done = { state: { status: 'completed', lastOutcome: 'success', unreviewed: true } } as const;
    const settings = { ...defaults, maxUnreviewed: 1 };
    const [row, ...rest] = topRows(paint([done, {}], { settings, workers: 1 }));
    assert.deepEqual(
      [row?.title, row?.description, row?.needsUser, rest],
      ['Waiting for your review', 'unreviewed: 1 of at most 1; accept or retry one', false, []],
    );
    assert.deepEqual(row?.actions, ['review', 'acceptVerified']);
    const labels = toTreeRow(row, true).children?.map(({ label }) => label);
    assert.deepEqual(labels, ['Review Tasks…', 'Accept Verified Tasks…']);
    assert.deepEqual(topRows(paint([done, {}], { workers: 1 })), []);
  });

  it('have none if the gate is open', () => {
    assert.deepEqual(topRows(paint([{}], { workers: 1 })), []);
    assert.deepEqual(topRows(paint([{}], { workers: 1, block: { until: NOW - HOUR } })), []);
  });
});

describe('The rows of what stops the queue', () => {
  const read = (...args: Parameters<typeof paint>): unknown =>
    topRows(paint(...args)).map(({ title, description, needsUser, actions }) => [
      title,
      description,
      ...(needsUser ? ['needs the user'] : []),
      ...actions,
    ]);

  it('have one to start a worker where tasks are due and none was started', () => {
    assert.deepEqual(read([{}, {}]), [['Not started', '2 tasks are due', 'start']]);
    assert.deepEqual(read([{ state: { ownerScheduledAt: NOW + HOUR } }]), []);
    assert.deepEqual(read([]), []);
  });

  it('have one that needs the user where a worker died', () => {
    const died = [['Worker died', '1 task is due', 'needs the user', 'start']];
    assert.deepEqual(read([{ ...runByWorker, lost: true }]), died);
  });

  it('have one for a stop that waits for a task, and none for one that ends it', () => {
    const stopping = (how: StopHow): unknown =>
      read([runByWorker, {}], { workers: 1, stop: { how, at: NOW } });
    assert.deepEqual(stopping('after-task'), [['Stopping', 'after task 1']]);
    assert.deepEqual(stopping('now'), []);
    assert.deepEqual(read([runByWorker, {}], { workers: 1 }), []);
  });

  it('have one for a pause of the whole queue, with its reason and the way out', () => {
    assert.deepEqual(read([{}], { held: 'lunch', workers: 1 }), [['Paused', 'lunch', 'resume']]);
  });

  it('have one for the same failure in a row, which needs the user', () => {
    const streak = { outcome: 'error', reason: 'exit', message: 'No disk.', ids: [1, 2, 3] } as const;
    const [row] = topRows(paint([{}], { streak, workers: 1 }));
    assert.deepEqual([row?.title, row?.needsUser, row?.actions], ['Paused after failures', true, ['resume']]);
    assert.match(row?.description ?? '', /the same failure in 3 tasks/);
  });

  it('have one for quiet hours of all tasks, and none for those of a priority', () => {
    const quiet = { from: 17 * 60, to: 22 * 60, days: [0, 1, 2, 3, 4, 5, 6] };
    const during = (...quietHours: Settings['quietHours']): Around => ({
      settings: { ...defaults, quietHours },
      workers: 1,
    });
    assert.deepEqual(read([{}], during(quiet)), [['Quiet hours', 'until 22:00']]);
    assert.deepEqual(read([{}], during({ ...quiet, priorities: ['medium'] })), []);
  });

  it('have one for a reserve that is for no priority, with the tasks in line behind it', () => {
    const during = (reserveFor: Settings['reserveFor']): Around => ({
      settings: { ...defaults, reserve: 0.2, reserveFor },
      usage: [{ window: 'five_hour', utilization: 0.9, resetAt: NOW + HOUR, asOf: NOW }],
      workers: 1,
    });
    assert.deepEqual(read([{}], during([])), [['Reserved for you', 'until 19:00']]);
    assert.deepEqual(
      paint([{}, {}], during([])).tasks.map(({ place }) => place),
      [1, 2],
    );
    assert.deepEqual(read([{}], during(['critical'])), []);
  });

  it('have one for a used-up budget of attempts', () => {
    const settings = { ...defaults, maxPerHour: 1 };
    assert.deepEqual(read([{}], { settings, starts: [NOW - HOUR / 2], workers: 1 }), [
      ['Attempts used up', 'until 18:30'],
    ]);
  });

  it('have what needs the user first, then what the user chose, then what ends by itself', () => {
    const viewModel = paint([{}], { held: 'lunch', workers: 1, block: { until: NOW + HOUR } });
    assert.deepEqual(
      topRows(viewModel).map(({ title }) => title),
      ['Paused', 'Usage limit'],
    );
  });

  it('are drawn with a row for each action, and only if asked to are they open', () => {
    const [top] = topRows(paint([{}], { block: SIGNED_OUT }));
    assert.ok(top);
    const row = toTreeRow(top, true);
    assert.deepEqual(
      [row.label, row.isOpen, row.children?.map(({ label, command }) => [label, command?.command])],
      [
        'Sign in needed',
        true,
        [
          ['Sign In…', 'signIn'],
          ['Resume Queue', 'resume'],
        ],
      ],
    );
    assert.equal(toTreeRow(top, false).isOpen, false);
  });
});

it("The gate in a terminal names the command to call after the user's own reset of the limit, and no button", () => {
  const block = { until: NOW + HOUR, resettable: true } as const;
  const reported = describeGate(paint([{}], { block }).world);
  assert.match(reported, / After you use \/limit-reset, run "claude-queue usage --probe"\.$/);
  assert.doesNotMatch(reported, /Try Now/);
  assert.doesNotMatch(describeGate(paint([{}], { block: { until: NOW + HOUR } }).world), /limit-reset/);
  const over = { until: NOW - MINUTE, resettable: true } as const;
  const probing = describeGate(paint([{}], { block: over }).world);
  assert.match(probing, /half-open/);
  assert.doesNotMatch(probing, /limit-reset/);
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
  it('says since when, and why', () => {
    const [row] = redisRows(lost(null));
    assert.deepEqual(
      [row?.title, row?.description, row?.details],
      [
        'Redis is away',
        'since 18:00. Redis does not answer.',
        ['Redis is away since 18:00.', 'Redis does not answer.'],
      ],
    );
  });

  it('says what is shown meanwhile', () => {
    const [row] = redisRows(lost(paint([{}])));
    assert.deepEqual(row?.details.slice(1), [
      'Redis does not answer.',
      'Last known at 18:00. It may have changed since then.',
    ]);
  });

  it('has the date of an earlier day', () => {
    const [row] = redisRows(lost(null, { after: 24 * HOUR }));
    assert.match(row?.description ?? '', /^since \d{4}-\d\d-\d\d \d\d:\d\d\./);
  });

  it('needs the user only if Redis refuses', () => {
    const [row] = redisRows(lost(null, { redis: 'refused' }));
    assert.deepEqual(
      [row?.title, row?.description, row?.needsUser],
      ['Redis cannot be used', 'Redis does not answer. (since 18:00)', true],
    );
    assert.equal(redisRows(lost(null))[0]?.needsUser, false);
  });

  it('is absent for a queue in a file', () => {
    assert.deepEqual(redisRows({ kind: 'failing', message: 'It is locked.', files: [] }), []);
  });
});
