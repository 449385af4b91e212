import type { StructuredSetting } from '../../../domain/settings/setting';
import { SETTINGS } from '../../../domain/settings/settingList';
import {
  ENVIRONMENT,
  environmentName,
  isStructured,
  type SettingName,
  type SettingProblem,
} from '../../../domain/settings/settings';
import type { WorkerFileProblem } from '../../../domain/settings/workerFile';
import type { Expected, WrongValue } from '../../../domain/settings/settingShape';
import { PRIORITIES } from '../../../domain/task/priority';
import { DAYS } from '../../../domain/time/quietHours';

/** Describes why a setting is invalid, and what would be valid. */
export function describeSettingProblem({ source, name, fault }: SettingProblem): string {
  const spell = (setting: SettingName): string =>
    source === ENVIRONMENT ? environmentName(setting) : setting;
  switch (fault.kind) {
    case 'not-names':
      return 'The settings must be names with values, such as "maxPerHour: 20".';
    case 'unknown-name':
      return `There is no setting "${name}". ${fault.near === null ? `The settings here are ${fault.known.join(', ')}.` : `Did you mean ${spell(fault.near)}?`}`;
    case 'unknown-variable':
      return `${name} does not belong to any setting.${fault.near === null ? '' : ` Did you mean ${spell(fault.near)}?`}`;
    case 'misplaced':
      return MISPLACED[findSetting(fault.setting).scope](name);
    case 'wrong-value': {
      const setting = findSetting(fault.setting);
      const hint =
        source === ENVIRONMENT && isStructured(setting) ? ' In an environment variable, write JSON.' : '';
      return `${name} ${describeWrong(fault.wrong, isStructured(setting) ? SETTING_EXAMPLES[setting.type] : '')}${hint}`;
    }
  }
}

const MISPLACED = {
  machine: (name: string): string =>
    `${name} belongs to this machine, not to the queue. Set it in your own settings.`,
  queue: (name: string): string =>
    `${name} belongs to the queue, not to this machine. Set it in the config.yaml beside the queue file.`,
};

/** Examples that are both YAML, for a file, and JSON, for a variable. */
export const SETTING_EXAMPLES: Readonly<Record<StructuredSetting['type'], string>> = {
  quietHours: '[{"from": "09:00", "to": "18:00", "days": "mon-fri", "priorities": ["low"]}]',
  priorityRules: '[{"tag": "urgent", "priority": "high"}]',
  pools: '{"fast": {"priorities": ["critical", "high"], "min": 1, "max": 2}}',
  folders: '[~/work, /srv/projects]',
  repositories: '{"web": "~/src/web"}',
  priorities: '["critical"]',
  commandLine: '["notify-send", "{title}", "{message}"]',
};

function findSetting(name: SettingName): (typeof SETTINGS)[number] {
  const setting = SETTINGS.find((one) => one.name === name);
  if (setting === undefined) throw new RangeError(`No setting ${name}.`);
  return setting;
}

/** Describes a wrong value of a worker file, or of a variable over it. */
export function describeWorkerProblem({ name, wrong }: WorkerFileProblem): string {
  return `${name === '' ? 'The worker file' : name} ${describeWrong(wrong, '{"id": "worker-001"}')}`;
}

/** Returns the rest of a sentence that starts with the name of the setting. */
function describeWrong({ path, field, expected, value }: WrongValue, example: string): string {
  const where = path
    .map((part) => (typeof part === 'number' ? `entry ${String(part)}: ` : `${part}: `))
    .join('');
  switch (expected.kind) {
    case 'known-field':
      return `${where}has no "${field ?? ''}". It may have ${expected.known.join(', ')}.`;
    case 'pool-name':
      return `${where}has a pool "${String(value)}": a name is a letter, then letters, digits and dashes.`;
    case 'repository-name':
      return `${where}has a repository "${String(value)}": a name is a letter or digit, then letters, digits, dots, dashes and underscores.`;
    case 'rule-subject':
      return `${where}must name a tag, a user or a path; it is ${show(value)}.`;
    case 'folder':
      return `${where}must name folders from "/" or "~/", such as ${example}; one is ${show(value)}.`;
    case 'no-password':
      return 'must not be in a file with settings. Set the environment variable CLAUDE_QUEUE_REDIS_PASSWORD, or name a file with mode 0600 in CLAUDE_QUEUE_REDIS_PASSWORD_FILE.';
    case 'command-word':
      return `${where}must be a list of texts, such as ${example}; one is ${show(value)}.`;
    default:
      return `${where}${field === undefined ? '' : `${field} `}must be ${describeExpected(expected, example)}; it is ${show(value)}.`;
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
  | 'no-password';

/** Returns the text after "must be". */
function describeExpected(
  expected: Exclude<Expected, { readonly kind: OwnSentence }>,
  example: string,
): string {
  switch (expected.kind) {
    case 'boolean':
      return 'true or false';
    case 'text':
      return 'text';
    case 'time-zone':
      return "a time zone such as Europe/Berlin, or empty for the machine's own";
    case 'choice':
      return `one of ${expected.choices.join(', ')}`;
    case 'duration':
      return `a number with its unit, such as 30s, 15m, 4.5h or 1d${expected.minMs > 0 ? `, and at least ${String(expected.minMs / 1000)}s` : ''}`;
    case 'shorter-duration':
      return `at most ${String(expected.maxMs / DAY_MS)}d`;
    case 'number':
      return describeNumber(expected);
    case 'at-least-min':
      return `at least min, which is ${String(expected.min)}`;
    case 'command-line':
      return `a list of a program and its arguments, such as ${example}`;
    case 'folders':
      return `a list of folders, such as ${example}`;
    case 'priorities':
      return `a list of ${PRIORITIES.join(', ')}, such as ${example}`;
    case 'some-priorities':
      return `a list of ${PRIORITIES.join(', ')}, such as [low, medium]`;
    case 'tags':
      return 'a list of tags, such as [web, docs]';
    case 'users':
      return 'a list of users, such as [anna, ben]';
    case 'slots':
      return 'a number of parallel tasks such as 2, or a range such as 1-4';
    case 'host':
      return 'the name or address of a host, without a URL around it';
    case 'worker-name':
      return 'a name of up to 64 letters, digits and . : @ _ -';
    case 'priority':
      return `one of ${PRIORITIES.join(', ')}, or 1 (lowest) to 5`;
    case 'entries':
      return `a list, such as ${example}`;
    case 'fields':
      return `names with values, such as ${example}`;
    case 'time-of-day':
      return 'a time of day, such as "09:00"';
    case 'before-midnight':
      return 'before 24:00, such as "00:00"';
    case 'other-than-from':
      return 'another time than from; a whole day is "00:00" to "24:00"';
    case 'days':
      return `days such as mon-fri or "sat,sun" (${DAYS.join(', ')})`;
  }
}

const DAY_MS = 86_400_000;

function describeNumber({ isWhole, min, max }: Extract<Expected, { readonly kind: 'number' }>): string {
  const kind = isWhole ? 'a whole number' : 'a number';
  return max === undefined
    ? `${kind}, at least ${String(min)}`
    : `${kind} from ${String(min)} to ${String(max)}`;
}

/** Formats a value as the user wrote it. */
function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === undefined ? 'nothing' : JSON.stringify(value);
}
