import { exampleOf } from '../../app/present/problems/settingProblem';
import { parseDuration } from '../../domain/time/duration';
import type { DurationSetting, NumberSetting, Setting } from '../../domain/settings/setting';
import { isStructured } from '../../domain/settings/settings';
import { t } from '../../platform/text/translate';

/** Durations to offer, besides the default. */
const DURATIONS = ['30s', '1m', '5m', '15m', '30m', '1h', '2h', '4h', '12h', '24h', '7d', '30d', '90d'];

/** Returns values to offer for a setting, as YAML, the default first. */
export function valuesOf(setting: Setting, timeZones: readonly string[]): readonly string[] {
  const first = writeDefault(setting);
  const others = isStructured(setting) ? [exampleOf(setting)] : plainValues(setting, timeZones);
  return [...new Set([first, ...others])];
}

function plainValues(
  setting: Exclude<Setting, { readonly default: '[]' | '{}' | '["critical"]' }>,
  timeZones: readonly string[],
): readonly string[] {
  switch (setting.type) {
    case 'choice':
      return setting.choices;
    case 'boolean':
      return ['true', 'false'];
    case 'duration':
      return DURATIONS.filter((text) => isInRange(text, setting));
    case 'timeZone':
      return timeZones;
    default:
      return [];
  }
}

function isInRange(text: string, { minMs, maxMs = Infinity }: DurationSetting): boolean {
  const ms = parseDuration(text) ?? -1;
  return ms >= minMs && ms <= maxMs;
}

/** Returns the default of a setting as it is written in a file. */
export function writeDefault(setting: Setting): string {
  return setting.default === '' ? '""' : String(setting.default);
}

/** Describes the values that a setting may have. */
export function describeValues(setting: Setting): string {
  if (isStructured(setting)) return t('such as {0}', `\`${exampleOf(setting)}\``);
  switch (setting.type) {
    case 'choice':
      return setting.choices.map((choice) => `\`${choice}\``).join(', ');
    case 'boolean':
      return '`true`, `false`';
    case 'duration':
      return t('a number with its unit, such as `30s`, `15m`, `4.5h` or `1d`');
    case 'integer':
    case 'number':
      return describeNumbers(setting);
    case 'timeZone':
      return t('a time zone such as `Europe/Berlin`');
    default:
      return t('text');
  }
}

/** Descriptions of numbers by their unit, as the list of settings has it. */
const NUMBERS: Readonly<Record<string, (range: string) => string>> = {
  attempts: (range) => t('attempts, {0}', range),
  retries: (range) => t('retries, {0}', range),
  runs: (range) => t('runs, {0}', range),
  share: (range) => t('share, {0}', range),
  tasks: (range) => t('tasks, {0}', range),
  tokens: (range) => t('tokens, {0}', range),
  'US dollars': (range) => t('US dollars, {0}', range),
};

function describeNumbers({ unit, min, max }: NumberSetting): string {
  const range = max === undefined ? t('at least {0}', min) : t('{0} to {1}', min, max);
  return NUMBERS[unit]?.(range) ?? `${unit}, ${range}`;
}
