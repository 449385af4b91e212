import type { Changes } from '../../../app/simulate/whatIf';
import { FORECAST_SETTINGS } from '../../../app/simulate/whatIf';
import { Problem } from '../../../domain/problem';
import { SETTINGS } from '../../../domain/settings/settingList';
import type { Setting } from '../../../domain/settings/setting';
import type { SettingName } from '../../../domain/settings/settings';
import { parsePriority, PRIORITIES } from '../../../domain/task/priority';
import type { TaskId } from '../../../domain/task/task';
import { t } from '../../../platform/text/translate';

/** Choice on the page of a forecast: what to change, and its new value as the user typed it. */
export interface WhatIfChoice {
  /** Name of a setting, or `keyOfPriority` of a task. */
  readonly subject: string;
  readonly value: string;
}

/** Choice before the user has chosen anything. */
export const FIRST_CHOICE: WhatIfChoice = { subject: 'maxRunning', value: '2' };

/** No changes. */
export const NO_CHANGES: Changes = { settings: new Map(), priorities: new Map() };

const PRIORITY = 'priority ';

/** Returns the subject that stands for the priority of a task. */
export function keyOfPriority(id: TaskId): string {
  return `${PRIORITY}${String(id)}`;
}

/** Settings of the queue that can be chosen, in the order of the list of settings. */
export const CHOICES: readonly (Setting & { readonly name: SettingName })[] = SETTINGS.filter(
  ({ name, scope }) => scope === 'queue' && FORECAST_SETTINGS.some((known) => known === name),
);

function isChoice(name: string): name is SettingName {
  return CHOICES.some((setting) => setting.name === name);
}

/** Returns the values of a subject to choose from; null: the user types one. */
export function valuesOf(subject: string): readonly string[] | null {
  if (subject.startsWith(PRIORITY)) return PRIORITIES;
  const setting = CHOICES.find(({ name }) => name === subject);
  if (setting?.type === 'boolean') return ['true', 'false'];
  return setting?.type === 'choice' ? setting.choices : null;
}

/** Returns the choice of another subject, with a value that it can have. */
export function chooseSubject(before: WhatIfChoice, subject: string): WhatIfChoice {
  if (before.subject === subject) return before;
  return { subject, value: valuesOf(subject)?.[0] ?? '' };
}

/** Adds a choice to changes; it replaces an earlier value. The value of a setting stays unchecked. @throws Problem `usage` */
export function addChoice(changes: Changes, { subject, value }: WhatIfChoice): Changes {
  const text = value.trim();
  if (text === '') throw new Problem('usage', t('Give a new value.'));
  if (isChoice(subject)) return { ...changes, settings: new Map([...changes.settings, [subject, text]]) };
  const id = Number(subject.slice(PRIORITY.length));
  const priority = parsePriority(text);
  if (!subject.startsWith(PRIORITY) || !Number.isSafeInteger(id) || priority === null)
    throw new Problem('usage', t('Choose what to change.'));
  return { ...changes, priorities: new Map([...changes.priorities, [id, priority]]) };
}

/** Returns the changes without the one of this subject. */
export function dropChange({ settings, priorities }: Changes, subject: string): Changes {
  return {
    settings: new Map([...settings].filter(([name]) => name !== subject)),
    priorities: new Map([...priorities].filter(([id]) => keyOfPriority(id) !== subject)),
  };
}

/** Lists the changes by subject, each with its text. */
export function listChanges({
  settings,
  priorities,
}: Changes): readonly { readonly subject: string; readonly text: string }[] {
  return [
    ...[...settings].map(([name, value]) => ({ subject: name, text: `${name}: ${value}` })),
    ...[...priorities].map(([id, priority]) => ({
      subject: keyOfPriority(id),
      text: t('priority of task {0}: {1}', id, priority),
    })),
  ];
}
