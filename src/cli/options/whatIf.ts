import type { Forecast } from '../../app/simulate/forecast';
import { Problem } from '../../domain/problem';
import { SETTINGS } from '../../domain/settings/settingList';
import { environmentName } from '../../domain/settings/settings';
import { parsePriority, PRIORITIES, type Priority } from '../../domain/task/priority';
import type { TaskId } from '../../domain/task/task';
import { parseId } from './parseArguments';

/** Parses settings such as `maxRunning=2` into the variables that override them. @throws Problem `usage` */
export function parseSettingChanges(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [name, value] = splitChange(text, 'maxRunning=2');
      const setting = SETTINGS.find((one) => one.name === name);
      if (setting?.scope === 'queue') return [environmentName(setting.name), value];
      throw new Problem(
        'usage',
        `"${name}" is not a setting of the queue. "claude-queue settings" lists them.`,
      );
    }),
  );
}

/** Parses priorities such as `12=high` of tasks of the forecast. @throws Problem `usage` */
export function parsePriorityChanges(
  texts: readonly string[],
  { tasks }: Forecast,
): ReadonlyMap<TaskId, Priority> {
  return new Map(
    texts.map((text) => {
      const [name, word] = splitChange(text, '12=high');
      const id = parseId(name);
      const priority = parsePriority(word);
      if (priority === null)
        throw new Problem('usage', `"${word}" is not a priority: give ${PRIORITIES.join(', ')}.`);
      if (tasks.some((task) => task.id === id)) return [id, priority];
      throw new Problem('usage', `There is no task ${String(id)} that can run.`);
    }),
  );
}

function splitChange(text: string, example: string): [name: string, value: string] {
  const at = text.indexOf('=');
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && value !== '') return [name, value];
  throw new Problem('usage', `"${text}" is not a change. Give a name and a value, such as ${example}.`);
}
