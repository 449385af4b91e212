import { nearestWord } from '../nearestWord';
import { readCommandLine } from './commandLineSetting';
import { LONGEST_MS, parseDuration } from '../time/duration';
import { isCallbackUrl } from '../queue/callbackUrl';
import { readFolders, readRepositories } from './folders';
import { readNetworks, type Network } from './networks';
import { isTimeZone } from '../time/localTime';
import { readPools, type Pools } from '../order/pools';
import { readPriorityRules, type PriorityRule } from '../order/priorityRules';
import type { Priority } from '../task/priority';
import { readQuietHours, type QuietHours } from '../time/quietHours';
import type { DurationSetting, NumberSetting, Setting, SettingScope, StructuredSetting } from './setting';
import { EDITOR_SETTINGS } from './machineSettings';
import { SETTINGS } from './settingList';
import { WORKER_VARIABLES } from './workerKeys';
import { readPriorityList, type Checked, type Expected, type WrongValue } from './structuredSettings';
import { environmentName, FROM_EDITOR, namesOfEditor, PREFIX, type Environment } from './variables';

type Listed = (typeof SETTINGS)[number];

type ValueOf<S extends Setting> = S extends { readonly type: 'choice' }
  ? S['choices'][number]
  : S extends { readonly type: 'duration' | 'integer' | 'number' }
    ? number
    : S extends { readonly type: 'boolean' }
      ? boolean
      : S extends { readonly type: keyof Structured }
        ? Structured[S['type']]
        : string;

/** Types of settings with parts. */
interface Structured {
  readonly quietHours: readonly QuietHours[];
  readonly priorityRules: readonly PriorityRule[];
  readonly pools: Pools;
  readonly folders: readonly string[];
  readonly repositories: ReadonlyMap<string, string>;
  readonly priorities: readonly Priority[];
  readonly commandLine: readonly string[];
  readonly networks: readonly Network[];
}

/** The name of a setting in files; the environment has its own spelling of it. */
export type SettingName = Listed['name'];

/** The name of a setting of the engine, or of VS Code alone. */
export type CheckedName = SettingName | (typeof EDITOR_SETTINGS)[number]['name'];

/** The values in force, under the settings' own names. A duration is in milliseconds. */
export type Settings = { readonly [S in Listed as S['name']]: ValueOf<S> };

/** Values from one place. Later layers override earlier ones. */
export interface SettingsLayer {
  /** Name of the place for the user: a file's path, or another text. */
  readonly source: string;
  readonly scope: SettingScope;
  /** Setting names and values as read, unchecked. */
  readonly values: unknown;
}

/** Reason for rejecting a value. */
export type SettingFault =
  | { readonly kind: 'not-names' }
  | { readonly kind: 'unknown-name' | 'unknown-variable'; readonly near: SettingName | null }
  | { readonly kind: 'misplaced'; readonly setting: SettingName }
  | { readonly kind: 'wrong-value'; readonly setting: CheckedName; readonly wrong: WrongValue };

/** A rejected value; the one in the layer below counts instead. */
export interface SettingProblem {
  readonly source: string;
  /** Name as written there; empty: the whole source is invalid. */
  readonly name: string;
  readonly fault: SettingFault;
}

/** Settings in force, and the rejected values. */
export interface SettingsReading {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
}

/** Source name for values from environment variables. */
export const ENVIRONMENT = 'environment';

/** Source name for values that the editor passes as variables. */
export const EDITOR = 'VS Code';

/** Readers of settings with parts. */
const READERS: { readonly [K in keyof Structured]: (value: unknown) => Checked<Structured[K]> } = {
  quietHours: readQuietHours,
  priorityRules: readPriorityRules,
  pools: readPools,
  folders: readFolders,
  repositories: readRepositories,
  priorities: readPriorityList,
  commandLine: readCommandLine,
  networks: readNetworks,
};

/** Default settings. */
export const defaults: Settings = settingsOf(new Map());

/**
 * Returns the defaults, overridden by the layers, overridden by the environment (`CLAUDE_QUEUE_MAX_PER_HOUR` for
 * `maxPerHour`; an empty variable counts as absent). An invalid value, an unknown name and a setting in the wrong place
 * are problems and change nothing.
 */
export function readSettings(layers: readonly SettingsLayer[], environment: Environment): SettingsReading {
  const values = new Map<string, unknown>();
  const problems = layers.flatMap((layer) => readLayer(layer, values));
  const ofEditor = namesOfEditor(environment);
  const checkable = [...SETTINGS, ...EDITOR_SETTINGS.filter(({ name }) => ofEditor.includes(name))];
  for (const setting of checkable) {
    const name = environmentName(setting.name);
    const text = environment[name];
    if (text === undefined || text === '') continue;
    const isOfEditor = ofEditor.includes(setting.name);
    const checked = check(isOfEditor ? asInEditor(setting) : setting, fromText(setting, text));
    const place = isOfEditor
      ? { source: EDITOR, name: `claudeQueue.${setting.name}` }
      : { source: ENVIRONMENT, name };
    if ('value' in checked) values.set(setting.name, checked.value);
    else problems.push({ ...place, fault: wrongValue(setting.name, checked.wrong) });
  }
  problems.push(...findStrays(environment, checkable));
  return { settings: settingsOf(values), problems };
}

/** Returns the setting with the choices that VS Code offers. */
function asInEditor(setting: Setting): Setting {
  return setting.type === 'choice' ? { ...setting, choices: setting.inEditor ?? setting.choices } : setting;
}

/**
 * Variables of this program that are no settings: the names of the editor's settings, the mark of a run, the file of its
 * hooks, the folder that a set-up gets, those of a worker.
 */
const OTHER_VARIABLES: readonly string[] = [
  FROM_EDITOR,
  'CLAUDE_QUEUE_RUN',
  'CLAUDE_QUEUE_EVENTS',
  'CLAUDE_QUEUE_WORKING_DIR',
  ...WORKER_VARIABLES,
];

/** Returns a problem for each variable that looks like a setting and is none: a typo must not pass for a rule. */
function findStrays(
  environment: Environment,
  settings: readonly { readonly name: CheckedName }[],
): SettingProblem[] {
  const known = new Set([...OTHER_VARIABLES, ...settings.map(({ name }) => environmentName(name))]);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name) && environment[name] !== '')
    .map((name) => ({
      source: ENVIRONMENT,
      name,
      fault: { kind: 'unknown-variable', near: findNear(name.slice(PREFIX.length)) },
    }));
}

function wrongValue(setting: CheckedName, wrong: WrongValue): SettingFault {
  return { kind: 'wrong-value', setting, wrong };
}

/** Adds the layer's valid values to `values`. Returns a problem for each of the others. */
function readLayer(layer: SettingsLayer, values: Map<string, unknown>): SettingProblem[] {
  const { source, scope } = layer;
  if (typeof layer.values !== 'object' || layer.values === null || Array.isArray(layer.values)) {
    return [{ source, name: '', fault: { kind: 'not-names' } }];
  }
  const problems: SettingProblem[] = [];
  for (const [name, value] of Object.entries(layer.values)) {
    const setting = SETTINGS.find((candidate) => candidate.name === name);
    if (setting === undefined) {
      problems.push({ source, name, fault: { kind: 'unknown-name', near: findNear(name) } });
    } else if (setting.scope !== scope) {
      problems.push({ source, name, fault: { kind: 'misplaced', setting: setting.name } });
    } else {
      const checked = check(setting, value);
      if ('value' in checked) values.set(name, checked.value);
      else problems.push({ source, name, fault: wrongValue(setting.name, checked.wrong) });
    }
  }
  return problems;
}

/** Returns the setting whose name is most like this one, regardless of case and punctuation; null: none is near. */
function findNear(name: string): SettingName | null {
  const plain = (text: string): string => text.replace(/[^a-z0-9]/gi, '').toLowerCase();
  const near = nearestWord(
    plain(name),
    SETTINGS.map((setting) => plain(setting.name)),
  );
  return SETTINGS.find((setting) => plain(setting.name) === near)?.name ?? null;
}

/** Returns the value that a file would hold for a variable's text; the text itself where there is none. */
function fromText(setting: Setting, text: string): unknown {
  if (isStructured(setting)) return fromJson(text);
  if (setting.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (setting.type !== 'integer' && setting.type !== 'number') return text;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Returns the typed value, or the wrong value. */
function check(setting: Setting, value: unknown): Checked<unknown> {
  switch (setting.type) {
    case 'duration':
      return checkDuration(setting, value);
    case 'integer':
    case 'number':
      return accept(isInRange(setting, value), value, expectNumber(setting));
    case 'boolean':
      return accept(typeof value === 'boolean', value, { kind: 'boolean' });
    case 'choice':
      return accept(
        setting.choices.some((choice) => choice === value),
        value,
        { kind: 'choice', choices: setting.choices },
      );
    case 'timeZone': {
      const good = typeof value === 'string' && (value === '' || isTimeZone(value));
      return accept(good, value, { kind: 'time-zone' });
    }
    case 'text':
      return accept(typeof value === 'string', value, { kind: 'text' });
    case 'url': {
      const good = typeof value === 'string' && (value === '' || isCallbackUrl(value));
      return accept(good, good ? value : null, { kind: 'url' });
    }
    case 'secret':
      // A problem shows its value.
      return isSecret(value) ? { value } : accept(false, null, { kind: 'secret' });
    case 'quietHours':
    case 'priorityRules':
    case 'pools':
    case 'folders':
    case 'repositories':
    case 'priorities':
    case 'commandLine':
    case 'networks':
      return READERS[setting.type](value);
  }
}

/** Whether a setting has parts, which a variable holds as JSON. */
export function isStructured(setting: Setting): setting is StructuredSetting {
  return setting.type in READERS;
}

/** Fewer than 16 characters can be guessed. */
function isSecret(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value.length >= 16);
}

function accept(good: boolean, value: unknown, expected: Expected): Checked<unknown> {
  return good ? { value } : { wrong: { path: [], expected, value } };
}

function checkDuration({ minMs, maxMs = LONGEST_MS }: DurationSetting, value: unknown): Checked<unknown> {
  const ms = typeof value === 'string' ? parseDuration(value) : null;
  if (ms !== null && ms > maxMs) return accept(false, value, { kind: 'shorter-duration', maxMs });
  return ms !== null && ms >= minMs ? { value: ms } : accept(false, value, { kind: 'duration', minMs });
}

function isInRange({ type, min, max = Infinity }: NumberSetting, value: unknown): boolean {
  if (typeof value !== 'number' || !(value >= min && value <= max)) return false;
  return type === 'number' || Number.isSafeInteger(value);
}

function expectNumber({ type, min, max }: NumberSetting): Expected {
  return { kind: 'number', isWhole: type === 'integer', min, ...(max === undefined ? {} : { max }) };
}

function settingsOf(values: ReadonlyMap<string, unknown>): Settings {
  const entries = SETTINGS.map((setting: Setting) => [
    setting.name,
    values.get(setting.name) ?? defaultOf(setting),
  ]);
  // Each value comes from the list's default or has passed `check`, by the types that Settings is made from.
  return Object.fromEntries(entries) as Settings;
}

function defaultOf(setting: Setting): unknown {
  const checked = check(setting, isStructured(setting) ? fromJson(setting.default) : setting.default);
  if ('wrong' in checked)
    throw new Error(`The default of ${setting.name} is wrong: ${checked.wrong.expected.kind}`);
  return checked.value;
}
