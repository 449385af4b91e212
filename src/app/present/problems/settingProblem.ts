import { EDITOR_SETTINGS } from '../../../domain/settings/machineSettings';
import type { Setting, StructuredSetting } from '../../../domain/settings/setting';
import { SETTINGS } from '../../../domain/settings/settingList';
import {
  ENVIRONMENT,
  isStructured,
  type CheckedName,
  type SettingName,
  type SettingProblem,
} from '../../../domain/settings/settings';
import { environmentName } from '../../../domain/settings/variables';
import type { WorkerFileProblem } from '../../../domain/settings/workerFile';
import type { Expected, WrongValue } from '../../../domain/settings/structuredSettings';
import { PRIORITIES } from '../../../domain/task/priority';
import { DAYS } from '../../../domain/time/quietHours';
import { t } from '../../../platform/text/translate';

/** Describes why a setting is invalid, after its file or "the environment". */
export function describeWithSource(problem: SettingProblem): string {
  return `${problem.source}: ${describeSettingProblem(problem)}`;
}

/** Describes why a setting is invalid, and what would be valid. */
export function describeSettingProblem({ source, name, fault }: SettingProblem): string {
  const spell = (setting: SettingName): string =>
    source === ENVIRONMENT ? environmentName(setting) : setting;
  switch (fault.kind) {
    case 'not-names':
      return t('The settings must be names with values, such as "{0}".', 'maxPerHour: 20');
    case 'unknown-name':
      return fault.near === null
        ? t('There is no setting "{0}". docs/settings.md lists them.', name)
        : t('There is no setting "{0}". Did you mean {1}?', name, spell(fault.near));
    case 'unknown-variable':
      return fault.near === null
        ? t('{0} does not belong to any setting.', name)
        : t('{0} does not belong to any setting. Did you mean {1}?', name, spell(fault.near));
    case 'misplaced':
      return MISPLACED[findSetting(fault.setting).scope](name);
    case 'wrong-value': {
      const setting = findSetting(fault.setting);
      const example = isStructured(setting) ? exampleOf(setting) : '';
      const wrong = describeWrong(name, fault.wrong, example);
      return source === ENVIRONMENT && isStructured(setting)
        ? t('{0} In an environment variable, write JSON.', wrong)
        : wrong;
    }
  }
}

const MISPLACED = {
  machine: (name: string): string =>
    t('{0} belongs to this machine, not to the queue. Set it in your own settings.', name),
  queue: (name: string): string =>
    t(
      '{0} belongs to the queue, not to this machine. Set it in the config.yaml beside the queue file.',
      name,
    ),
};

/** Returns an example that is both YAML, for a file, and JSON, for a variable. */
export function exampleOf({ name, type }: StructuredSetting): string {
  return name === 'verifySetup' ? '["npm", "ci"]' : EXAMPLES[type];
}

const EXAMPLES: Readonly<Record<StructuredSetting['type'], string>> = {
  quietHours: '[{"from": "09:00", "to": "18:00", "days": "mon-fri", "priorities": ["low"]}]',
  priorityRules: '[{"tag": "urgent", "priority": "high"}]',
  pools: '{"fast": {"priorities": ["critical", "high"], "min": 1, "max": 2}}',
  folders: '[~/work, /srv/projects]',
  repositories: '{"web": "~/src/web"}',
  priorities: '["critical"]',
  commandLine: '["notify-send", "{title}", "{message}"]',
  networks: '["127.0.0.1", "192.168.1.0/24"]',
};

function findSetting(name: CheckedName): Setting {
  const setting = [...SETTINGS, ...EDITOR_SETTINGS].find((one) => one.name === name);
  if (setting === undefined) throw new RangeError(`No setting ${name}.`);
  return setting;
}

/** Describes a wrong value of a worker file, or of a variable over it. */
export function describeWorkerProblem({ name, wrong }: WorkerFileProblem): string {
  return describeWrong(name === '' ? 'The worker file' : name, wrong, '{"id": "worker-001"}');
}

/** Describes a wrong value of the setting `name`. */
function describeWrong(name: string, { path, field, expected, value }: WrongValue, example: string): string {
  const parts = path.map((part) => (typeof part === 'number' ? t('entry {0}:', part) : `${part}:`));
  const where = [name, ...parts].join(' ');
  const is = show(value);
  switch (expected.kind) {
    case 'known-field':
      return t('{0} has no "{1}". It may have {2}.', where, field ?? '', expected.known.join(', '));
    case 'pool-name':
      return t(
        '{0} has a pool "{1}": a name is a letter, then letters, digits and dashes.',
        where,
        String(value),
      );
    case 'repository-name':
      return t(
        '{0} has a repository "{1}": a name is a letter or digit, then letters, digits, dots, dashes and underscores.',
        where,
        String(value),
      );
    case 'rule-subject':
      return t('{0} must name a tag, a user or a path; it is {1}.', where, is);
    case 'folder':
      return t('{0} must name folders from "/" or "~/", such as {1}; one is {2}.', where, example, is);
    case 'no-password':
      return t(
        '{0} must not be in a file with settings. Set the environment variable CLAUDE_QUEUE_REDIS_PASSWORD, or name a file with mode 0600 in CLAUDE_QUEUE_REDIS_PASSWORD_FILE.',
        name,
      );
    case 'network':
      return t('{0} must have IP addresses or networks, such as {1}; one is {2}.', where, example, is);
    case 'secret':
      return t('{0} must be text in quotes, of at least 16 characters.', name);
    case 'url':
      // The address may be secret, and this one may have a password.
      return t('{0} must be an address such as {1}, without a password.', name, 'https://example.com/hook');
    case 'command-word':
      return t('{0} must be a list of texts, such as {1}; one is {2}.', where, example, is);
    default: {
      const subject = field === undefined ? where : `${where} ${field}`;
      return t('{0} must be {1}; it is {2}.', subject, describeExpected(expected, example), is);
    }
  }
}

/** Expectations with a sentence of their own. */
type OwnSentence =
  | 'known-field'
  | 'pool-name'
  | 'repository-name'
  | 'rule-subject'
  | 'folder'
  | 'command-word'
  | 'network'
  | 'secret'
  | 'url'
  | 'no-password';

type PlainExpected = Exclude<Expected, { readonly kind: OwnSentence }>;

/** Returns the text after "must be". */
function describeExpected(expected: PlainExpected, example: string): string {
  switch (expected.kind) {
    case 'duration':
      return expected.minMs > 0
        ? t('a number with its unit, such as 30s, 15m, 4.5h or 1d, and at least {0}s', expected.minMs / 1000)
        : t('a number with its unit, such as 30s, 15m, 4.5h or 1d');
    case 'shorter-duration':
      return t('at most {0}d', expected.maxMs / DAY_MS);
    case 'number':
      return describeNumber(expected);
    case 'at-least-min':
      return t('at least min, which is {0}', expected.min);
    case 'choice':
      return t('one of {0}', expected.choices.join(', '));
    case 'priority':
      return t('one of {0}, or 1 (lowest) to 5', PRIORITIES.join(', '));
    case 'command-line':
      return t('a list of a program and its arguments, such as {0}', example);
    case 'networks':
      return t('a list of IP addresses or networks, such as {0}', example);
    case 'folders':
      return t('a list of folders, such as {0}', example);
    case 'priorities':
      return t('a list of {0}, such as {1}', PRIORITIES.join(', '), example);
    case 'some-priorities':
      return t('a list of {0}, such as {1}', PRIORITIES.join(', '), '[low, medium]');
    case 'entries':
      return t('a list, such as {0}', example);
    case 'fields':
      return t('names with values, such as {0}', example);
    case 'days':
      return t('days such as mon-fri or "sat,sun" ({0})', DAYS.join(', '));
    default:
      return EXPECTED[expected.kind];
  }
}

/** Expectations whose text needs no facts. */
const EXPECTED = {
  boolean: t('true or false'),
  text: t('text'),
  'time-zone': t("a time zone such as Europe/Berlin, or empty for the machine's own"),
  tags: t('a list of tags, such as {0}', '[web, docs]'),
  users: t('a list of users, such as {0}', '[anna, ben]'),
  slots: t('a number of parallel tasks such as 2, or a range such as 1-4'),
  host: t('the name or address of a host, without a URL around it'),
  'worker-name': t('a name of up to 64 letters, digits and . : @ _ -'),
  'time-of-day': t('a time of day, such as "09:00"'),
  'before-midnight': t('before 24:00, such as "00:00"'),
  'other-than-from': t('another time than from; a whole day is "00:00" to "24:00"'),
} as const satisfies Partial<Record<PlainExpected['kind'], string>>;

const DAY_MS = 86_400_000;

function describeNumber({ isWhole, min, max }: Extract<Expected, { readonly kind: 'number' }>): string {
  if (max === undefined)
    return isWhole ? t('a whole number, at least {0}', min) : t('a number, at least {0}', min);
  return isWhole ? t('a whole number from {0} to {1}', min, max) : t('a number from {0} to {1}', min, max);
}

/** Formats a value as the user wrote it. */
function show(value: unknown): string {
  return typeof value === 'number'
    ? String(value)
    : value === undefined
      ? t('nothing')
      : JSON.stringify(value);
}
