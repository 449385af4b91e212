import assert from 'node:assert/strict';
import {
  describeSettingProblem,
  describeWithSource,
} from '../../../../src/app/present/problems/settingProblem';
import { SETTING_TEXTS } from '../../../../src/app/present/settingTexts';
import { EVENTS_VARIABLE } from '../../../../src/claude/interactive/hooks';
import { SETTINGS } from '../../../../src/domain/settings/settingList';
import { defaults, readSettings, type SettingProblem } from '../../../../src/domain/settings/settings';
import { environmentName } from '../../../../src/domain/settings/variables';
import { RUN_MARK_VARIABLE } from '../../../../src/platform/processes/processes';

const queueFile = (values: unknown) => ({ source: 'config.yaml', scope: 'queue' as const, values });
const ownFile = (values: unknown) => ({ source: 'own.yaml', scope: 'machine' as const, values });

/** Text of the first problem. */
function firstOf([problem]: readonly SettingProblem[]): string {
  assert.ok(problem);
  return describeSettingProblem(problem);
}

/** The only problem of some values in the queue's file. */
function problemOf(values: unknown): string {
  const { settings, problems } = readSettings([queueFile(values)], {});
  assert.deepEqual(settings, defaults);
  const [problem, ...more] = problems;
  assert.ok(problem);
  assert.deepEqual(more, []);
  assert.equal(problem.source, 'config.yaml');
  return describeSettingProblem(problem);
}

describe('The settings', () => {
  it('have defaults, in milliseconds for durations', () => {
    assert.equal(defaults.maxPerHour, 20);
    assert.equal(defaults.maxPerDay, 100);
    assert.equal(defaults.limitFallback, 16_200_000);
    assert.equal(defaults.retryBackoff, 30_000);
    assert.equal(defaults.permissionMode, 'acceptEdits');
    assert.deepEqual(readSettings([], {}), { settings: defaults, problems: [] });
  });

  it('each have a name of their own and a text', () => {
    assert.equal(new Set(SETTINGS.map(({ name }) => name)).size, SETTINGS.length);
    for (const [name, text] of Object.entries(SETTING_TEXTS)) assert.match(text, /^[A-Z].*\.$/, name);
  });

  it("come from the queue's file and the machine's file", () => {
    const queue = queueFile({ maxPerHour: 5, taskTimeout: '90m', strict: true, timeZone: 'Asia/Tokyo' });
    const { settings, problems } = readSettings(
      [queue, ownFile({ claude: '/opt/claude', stopGrace: '1.5s' })],
      {},
    );
    assert.deepEqual(problems, []);
    const set = { maxPerHour: 5, taskTimeout: 5_400_000, strict: true, timeZone: 'Asia/Tokyo' };
    assert.deepEqual(settings, { ...defaults, ...set, claude: '/opt/claude', stopGrace: 1500 });
  });

  it('are taken from the later layer if two set the same', () => {
    const { settings } = readSettings([queueFile({ maxPerDay: 5 }), queueFile({ maxPerDay: 6 })], {});
    assert.equal(settings.maxPerDay, 6);
  });

  it('are overridden by the environment', () => {
    const environment = {
      CLAUDE_QUEUE_MAX_PER_HOUR: '7',
      CLAUDE_QUEUE_OPEN_AFTER_RESET: '1s',
      CLAUDE_QUEUE_STRICT: 'true',
      CLAUDE_QUEUE_RETRY_JITTER: '0',
      CLAUDE_QUEUE_CLAUDE: '/usr/bin/claude',
      CLAUDE_QUEUE_MAX_PER_DAY: '',
      [RUN_MARK_VARIABLE]: 'something else',
      [EVENTS_VARIABLE]: '/some/file',
    };
    const { settings, problems } = readSettings([queueFile({ maxPerHour: 5, maxPerDay: 50 })], environment);
    assert.deepEqual(problems, []);
    const expected = { maxPerHour: 7, openAfterReset: 1000, strict: true, retryJitter: 0, maxPerDay: 50 };
    assert.deepEqual(settings, { ...defaults, ...expected, claude: '/usr/bin/claude' });
  });

  it('with parts are YAML in the queue file, and JSON in the environment', () => {
    const rule = { tag: 'urgent', priority: 'high' };
    const fromFile = readSettings([queueFile({ priorityRules: [rule], pools: { fast: { max: 2 } } })], {});
    assert.deepEqual(fromFile.problems, []);
    assert.deepEqual(fromFile.settings.priorityRules, [rule]);
    assert.deepEqual([...fromFile.settings.pools], [['fast', { min: 1, max: 2 }]]);
    const variable = '[{"from": "22:00", "to": "06:00", "days": "fri"}]';
    const fromEnvironment = readSettings([], { CLAUDE_QUEUE_QUIET_HOURS: variable });
    assert.deepEqual(fromEnvironment.problems, []);
    assert.deepEqual(fromEnvironment.settings.quietHours, [{ from: 22 * 60, to: 6 * 60, days: [5] }]);
  });

  it('can name folders, resolved the same for every reader', () => {
    const { settings, problems } = readSettings(
      [ownFile({ allowedDirectories: ['~/work', '/srv', '~'] })],
      {},
    );
    assert.deepEqual([settings.allowedDirectories, problems], [['~/work', '/srv', '~'], []]);
    const reported = (folders: unknown): string =>
      firstOf(readSettings([ownFile({ allowedDirectories: folders })], {}).problems);
    assert.match(
      reported(['work']),
      /^allowedDirectories must name folders from "\/" or "~\/".*one is "work"/,
    );
    assert.match(reported('/srv'), /^allowedDirectories must be a list of folders.*it is "\/srv"/);
  });

  it('may name folders of repositories, on the machine alone', () => {
    const repositories = { web: '~/src/web', 'api.v2': '/srv/api' };
    const { settings, problems } = readSettings([ownFile({ repositories })], {});
    assert.deepEqual([Object.fromEntries(settings.repositories), problems], [repositories, []]);
    const reported = (value: unknown): string =>
      firstOf(readSettings([ownFile({ repositories: value })], {}).problems);
    assert.match(
      reported({ web: 'src/web' }),
      /^repositories web: must name folders from "\/" or "~\/", such as \{"web": "~\/src\/web"\}; one is "src\/web"/,
    );
    assert.match(reported({ '../web': '/srv' }), /^repositories has a repository "..\/web": a name is/);
    assert.match(reported(['/srv']), /^repositories must be names with values, such as/);
    assert.match(problemOf({ repositories }), /^repositories belongs to this machine, not to the queue/);
  });

  it('have a variable named after each', () => {
    assert.equal(environmentName('maxPerHour'), 'CLAUDE_QUEUE_MAX_PER_HOUR');
    assert.equal(environmentName('claude'), 'CLAUDE_QUEUE_CLAUDE');
  });
});

describe('An invalid setting', () => {
  it('is reported with an example, and its default applies', () => {
    assert.match(
      problemOf({ maxPerHour: '20' }),
      /maxPerHour must be a whole number, at least 1; it is "20"/,
    );
    assert.match(problemOf({ maxPerHour: 2.5 }), /whole number/);
    assert.match(problemOf({ maxPerHour: 0 }), /at least 1/);
    assert.match(problemOf({ maxPerHour: null }), /it is null/);
    assert.match(problemOf({ retryJitter: 1.1 }), /a number from 0 to 1/);
    assert.match(problemOf({ retryJitter: NaN }), /it is NaN/);
    assert.match(problemOf({ strict: 'yes' }), /true or false/);
    assert.match(problemOf({ taskTimeout: 7200 }), /with its unit, such as 30s/);
    assert.match(problemOf({ limitFallback: '0s' }), /at least 1s/);
    assert.match(problemOf({ limitFallback: '8d' }), /^limitFallback must be at most 7d; it is "8d"/);
    assert.match(problemOf({ serviceLow: '104000000d' }), /^serviceLow must be at most 3650d; it is/);
    assert.match(problemOf({ timeZone: 'Mars/Olympus' }), /a time zone such as Europe\/Berlin/);
  });

  it('is reported by its invalid part', () => {
    assert.equal(
      problemOf({ quietHours: [{ from: '09:00', to: '18:00', days: 'weekend' }] }),
      'quietHours entry 1: days must be days such as mon-fri or "sat,sun" (sun, mon, tue, wed, thu, fri, sat); ' +
        'it is "weekend".',
    );
    assert.match(problemOf({ pools: { fast: { max: 0 } } }), /^pools fast: max must be a whole number/);
    const { problems } = readSettings([], { CLAUDE_QUEUE_POOLS: 'fast' });
    assert.match(firstOf(problems), /^CLAUDE_QUEUE_POOLS must be names with values.*it is "fast"/);
    assert.match(problemOf({ breakerFailures: 101 }), /a whole number from 0 to 100/);
  });

  it('is reported if a command is no list of texts', () => {
    for (const notify of ['notify-send', [''], ['curl', 3], { program: 'curl' }]) {
      const { settings, problems } = readSettings([ownFile({ notify })], {});
      assert.deepEqual(settings.notify, []);
      assert.match(firstOf(problems), /^notify must be a list/);
    }
    const command = '["curl","-d","{message}"]';
    const { settings } = readSettings([], { CLAUDE_QUEUE_NOTIFY: command });
    assert.deepEqual(settings.notify, ['curl', '-d', '{message}']);
    assert.equal(
      problemOf({ verifySetup: 'npm ci' }),
      'verifySetup must be a list of a program and its arguments, such as ["npm", "ci"]; it is "npm ci".',
    );
  });

  it('is reported with its name in VS Code if the editor passed it', () => {
    const notify = '["curl",3]';
    const variables = { CLAUDE_QUEUE_NOTIFY: notify, CLAUDE_QUEUE_MAX_PER_HOUR: 'x' };
    const { problems } = readSettings([], { ...variables, CLAUDE_QUEUE_FROM_EDITOR: 'notify' });
    assert.deepEqual(problems.map(describeWithSource), [
      'environment: CLAUDE_QUEUE_MAX_PER_HOUR must be a whole number, at least 1; it is "x".',
      'VS Code: claudeQueue.notify must be a list of texts, such as ["notify-send", "{title}", "{message}"]; one is 3.',
    ]);
  });

  it('is reported if VS Code does not offer it, also where a file may have it', () => {
    const mode = { CLAUDE_QUEUE_PERMISSION_MODE: 'bypassPermissions' };
    assert.equal(readSettings([], mode).settings.permissionMode, 'bypassPermissions');
    const variables = { ...mode, CLAUDE_QUEUE_KEEP_AWAKE: 'always' };
    const { settings, problems } = readSettings([], {
      ...variables,
      CLAUDE_QUEUE_FROM_EDITOR: 'permissionMode,keepAwake',
    });
    assert.equal(settings.permissionMode, defaults.permissionMode);
    assert.deepEqual(problems.map(describeWithSource), [
      'VS Code: claudeQueue.permissionMode must be one of auto, acceptEdits, manual, dontAsk, plan; it is "bypassPermissions".',
      'VS Code: claudeQueue.keepAwake must be one of never, while-working; it is "always".',
    ]);
  });

  it('is reported also if VS Code alone has the setting, which no variable sets by hand', () => {
    const variables = { CLAUDE_QUEUE_WHEN_LAST_WINDOW_CLOSES: 'stopnow' };
    const mark = { CLAUDE_QUEUE_FROM_EDITOR: 'whenLastWindowCloses' };
    const describe = (environment: Readonly<Record<string, string>>): readonly string[] =>
      readSettings([], environment).problems.map(describeWithSource);
    assert.deepEqual(describe({ ...variables, ...mark }), [
      'VS Code: claudeQueue.whenLastWindowCloses must be one of finishTask, goOn, stopNow; it is "stopnow".',
    ]);
    assert.deepEqual(describe({ ...mark, CLAUDE_QUEUE_WHEN_LAST_WINDOW_CLOSES: 'stopNow' }), []);
    assert.deepEqual(describe(variables), [
      'environment: CLAUDE_QUEUE_WHEN_LAST_WINDOW_CLOSES does not belong to any setting.',
    ]);
  });

  it('is reported if its name is unknown, with a similar name', () => {
    assert.match(problemOf({ max_per_hour: 5 }), /Did you mean maxPerHour\?/);
    assert.match(problemOf({ maxPreHour: 5 }), /Did you mean maxPerHour\?/);
    assert.equal(problemOf({ colour: 'red' }), 'There is no setting "colour". docs/settings.md lists them.');
    assert.match(problemOf({ constructor: 1 }), /no setting "constructor"/);
  });

  it('is reported if it belongs to the machine but is in the queue file, and the other way round', () => {
    assert.match(problemOf({ claude: '/tmp/evil' }), /belongs to this machine/);
    assert.match(problemOf({ notify: ['/tmp/evil'] }), /belongs to this machine/);
    const { settings, problems } = readSettings([ownFile({ maxPerHour: 5 })], {});
    assert.equal(settings.maxPerHour, 20);
    assert.match(firstOf(problems), /belongs to the queue/);
  });

  it('is reported if a variable belongs to no setting, with a similar name', () => {
    const { settings, problems } = readSettings([], {
      CLAUDE_QUEUE_MAXPERHOUR: '3',
      CLAUDE_QUEUE_COLOUR: 'red',
      CLAUDE_QUEUE_SHAPE: '',
    });
    assert.deepEqual(settings, defaults);
    assert.deepEqual(problems.map(describeSettingProblem), [
      'CLAUDE_QUEUE_MAXPERHOUR does not belong to any setting. Did you mean CLAUDE_QUEUE_MAX_PER_HOUR?',
      'CLAUDE_QUEUE_COLOUR does not belong to any setting.',
    ]);
  });

  it('with parts is shown as JSON for a variable', () => {
    for (const name of ['CLAUDE_QUEUE_QUIET_HOURS', 'CLAUDE_QUEUE_POOLS', 'CLAUDE_QUEUE_PRIORITY_RULES']) {
      const { problems } = readSettings([], { [name]: '{from: night}' });
      const [, example = ''] =
        /such as (.*); it is .* In an environment variable, write JSON\.$/.exec(firstOf(problems)) ?? [];
      assert.deepEqual(readSettings([], { [name]: example }).problems, [], firstOf(problems));
    }
  });

  it('does not affect others', () => {
    const { settings, problems } = readSettings([queueFile({ maxPerHour: 'x', maxPerDay: 5 })], {});
    assert.equal(settings.maxPerDay, 5);
    assert.equal(problems.length, 1);
  });

  it('is reported if the file is no mapping', () => {
    for (const values of [[1], 'text', null]) assert.match(problemOf(values), /names with values/);
  });

  it('is reported with its variable, and the file applies instead', () => {
    const { settings, problems } = readSettings([queueFile({ maxPerHour: 5 })], {
      CLAUDE_QUEUE_MAX_PER_HOUR: 'many',
    });
    assert.equal(settings.maxPerHour, 5);
    assert.deepEqual(
      problems.map(({ source, name }) => [source, name]),
      [['environment', 'CLAUDE_QUEUE_MAX_PER_HOUR']],
    );
    assert.equal(
      firstOf(problems),
      'CLAUDE_QUEUE_MAX_PER_HOUR must be a whole number, at least 1; it is "many".',
    );
    const mode = readSettings([], { CLAUDE_QUEUE_PERMISSION_MODE: 'yolo' });
    assert.match(firstOf(mode.problems), /one of default, manual, acceptEdits/);
  });
});
