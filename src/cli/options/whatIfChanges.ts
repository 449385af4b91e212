import { FORECAST_SETTINGS, readValues } from '../../app/simulate/whatIf';
import { pick } from '../../domain/pick';
import { Problem } from '../../domain/problem';
import { DECIDING_SETTINGS, type DecidingSettings } from '../../domain/reasons/recordedInputs';
import { SETTINGS } from '../../domain/settings/settingList';
import type { SettingName } from '../../domain/settings/settings';
import { parsePriority, PRIORITIES, type Priority } from '../../domain/task/priority';
import type { TaskId } from '../../domain/task/task';
import { parseId } from './parseArguments';

/** Parses settings that a forecast depends on, such as `maxRunning=2`; their values stay unchecked. @throws Problem `usage` */
export function parseForecastSettings(texts: readonly string[]): ReadonlyMap<SettingName, string> {
  const changes = parseSettingChanges(texts);
  for (const name of changes.keys())
    if (!isForecast(name))
      throw new Problem('usage', `${name} is not simulated: "simulate --set" cannot show its effect.`);
  return changes;
}

const isForecast = (name: SettingName): boolean => FORECAST_SETTINGS.some((known) => known === name);

/** Parses settings of the queue; their values stay unchecked. @throws Problem `usage` */
function parseSettingChanges(texts: readonly string[]): ReadonlyMap<SettingName, string> {
  return new Map(
    texts.map((text) => {
      const [name, value] = splitChange(text, 'maxRunning=2');
      const setting = SETTINGS.find((one) => one.name === name);
      if (setting?.scope === 'queue') return [setting.name, value];
      throw new Problem(
        'usage',
        `"${name}" is not a setting of the queue. docs/settings.md lists them, such as maxRunning and maxPerHour.`,
      );
    }),
  );
}

/** Parses settings that decide which task starts, such as `maxPerHour=2`. @throws Problem `usage` */
export function parseDecidingSettings(texts: readonly string[]): Partial<DecidingSettings> {
  const changes = parseSettingChanges(texts);
  const decides = (name: string): boolean => DECIDING_SETTINGS.some((known) => known === name);
  for (const name of changes.keys())
    if (!decides(name))
      throw new Problem(
        'usage',
        `${name} does not decide which task starts.${isForecast(name) ? ' "simulate --set" may show its effect.' : ''}`,
      );
  const names = DECIDING_SETTINGS.filter((name) => changes.has(name));
  return pick(readValues(changes), names);
}

/** Parses priorities of tasks such as `12=high`. @throws Problem `usage` */
export function parsePriorityChanges(texts: readonly string[]): ReadonlyMap<TaskId, Priority> {
  return new Map(
    texts.map((text) => {
      const [name, word] = splitChange(text, '12=high');
      const priority = parsePriority(word);
      if (priority === null)
        throw new Problem('usage', `"${word}" is not a priority: give ${PRIORITIES.join(', ')}.`);
      return [parseId(name), priority];
    }),
  );
}

function splitChange(text: string, example: string): [name: string, value: string] {
  const at = text.indexOf('=');
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && value !== '') return [name, value];
  throw new Problem('usage', `"${text}" is not a change. Give a name and a value, such as ${example}.`);
}
