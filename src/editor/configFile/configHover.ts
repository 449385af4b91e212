import { SETTING_TEXTS } from '../../app/present/settingTexts';
import { environmentName } from '../../domain/settings/variables';
import { SETTINGS } from '../../domain/settings/settingList';
import type { ConfigText, TextRange } from '../../platform/files/configText';
import { t } from '../../platform/text/translate';
import { describeValues, writeDefault } from './settingValues';

/** Description of a setting, and the part of the file that it is about. */
export interface ConfigHover extends TextRange {
  /** Markdown. */
  readonly text: string;
}

/** Returns the description of the setting whose name or value is at an offset; null if there is none. */
export function describeAt({ root }: ConfigText, offset: number): ConfigHover | null {
  if (root?.kind !== 'map') return null;
  const entry = root.entries.find(
    ({ key, value }) => key.start <= offset && offset <= Math.max(key.end, value?.end ?? 0),
  );
  const text = entry === undefined ? null : describeSetting(entry.name);
  return entry === undefined || text === null ? null : { ...entry.key, text };
}

/** Describes a setting in Markdown: its meaning, values and default; null: there is no setting of this name. */
export function describeSetting(name: string): string | null {
  const setting = SETTINGS.find((one) => one.name === name);
  if (setting === undefined) return null;
  const whose = setting.scope === 'queue' ? t('setting of the queue') : t('setting of this machine');
  const facts = [
    t('Values: {0}', describeValues(setting)),
    t('Default: {0}', `\`${writeDefault(setting)}\``),
    t('Variable: {0}', `\`${environmentName(setting.name)}\``),
  ];
  return [`**${setting.name}** — ${whose}`, SETTING_TEXTS[setting.name], facts.join('  \n')].join('\n\n');
}
