import { SETTING_TEXTS } from '../../app/present/settingTexts';
import { PRIORITY_RULE_FIELDS } from '../../domain/order/priorityRules';
import { POOL_FIELDS } from '../../domain/order/pools';
import type { Setting, SettingScope } from '../../domain/settings/setting';
import type { SettingName } from '../../domain/settings/settings';
import { SETTINGS } from '../../domain/settings/settingList';
import { PRIORITIES } from '../../domain/task/priority';
import { QUIET_HOURS_FIELDS } from '../../domain/time/quietHours';
import { t } from '../../platform/text/translate';
import { describeSetting } from './configHover';
import { valuesOf, writeDefault } from './settingValues';

/** Entry of a completion list. */
export interface ConfigCompletion {
  readonly label: string;
  readonly insertText: string;
  /** Short text beside the label. */
  readonly detail: string;
  /** Markdown; absent: there is no more to say. */
  readonly documentation?: string;
  /** Whether values follow that can be completed too. */
  readonly isName: boolean;
}

/** Entries, and the number of characters before the cursor that they replace. */
export interface ConfigCompletions {
  readonly entries: readonly ConfigCompletion[];
  readonly replaced: number;
}

const NONE: ConfigCompletions = { entries: [], replaced: 0 };

/** Lines of a settings file, and the position in them that is being completed, both from 0. */
export interface ConfigPosition {
  readonly lines: readonly string[];
  readonly line: number;
  readonly character: number;
}

/** Returns what may be written at a position of a settings file of this scope. */
export function completeConfig(
  position: ConfigPosition,
  scope: SettingScope,
  timeZones: readonly string[],
): ConfigCompletions {
  const { lines, line, character } = position;
  const text = lines[line] ?? '';
  const before = text.slice(0, character);
  const name = /^\w*$/.exec(before);
  const hasColon = /^\w*\s*:/.test(text.slice(character));
  if (name !== null) return { entries: settingNames(lines, line, scope, hasColon), replaced: before.length };
  const value = /^(\w+)\s*:\s+(\S*)$/.exec(before);
  if (value !== null) return completeValue(value[1] ?? '', value[2] ?? '', scope, timeZones);
  return completePart(position, hasColon);
}

/** Returns the settings that the file may have and does not name yet. */
function settingNames(
  lines: readonly string[],
  line: number,
  scope: SettingScope,
  hasColon: boolean,
): ConfigCompletion[] {
  const others = lines.filter((_, index) => index !== line).join('\n');
  const named = new Set([...others.matchAll(/^["']?(\w+)["']?\s*:/gm)].map(([, name]) => name));
  return SETTINGS.filter((setting) => setting.scope === scope && !named.has(setting.name)).map((setting) => ({
    label: setting.name,
    insertText: hasColon ? setting.name : `${setting.name}: `,
    detail: writeDefault(setting),
    documentation: describeSetting(setting.name) ?? SETTING_TEXTS[setting.name satisfies SettingName],
    isName: !hasColon,
  }));
}

function completeValue(
  name: string,
  written: string,
  scope: SettingScope,
  timeZones: readonly string[],
): ConfigCompletions {
  const setting: Setting | undefined = SETTINGS.find((one) => one.name === name && one.scope === scope);
  if (setting === undefined) return NONE;
  const entries = valuesOf(setting, timeZones).map((text) => ({
    label: text,
    insertText: text,
    detail: text === writeDefault(setting) ? t('default') : '',
    isName: false,
  }));
  return { entries, replaced: written.length };
}

/** Fields of the parts of settings. */
const FIELDS = new Map<string, readonly string[]>([
  ['quietHours', QUIET_HOURS_FIELDS],
  ['priorityRules', PRIORITY_RULE_FIELDS],
  ['pools', POOL_FIELDS],
]);

/** Values of the fields of parts. */
const FIELD_VALUES: Readonly<Record<string, readonly string[]>> = {
  priority: PRIORITIES,
  priorities: PRIORITIES.map((priority) => `[${priority}]`),
  days: ['mon-fri', '"sat,sun"'],
};

/** Returns fields of a part, or values of one, for an indented line. */
function completePart({ lines, line, character }: ConfigPosition, hasColon: boolean): ConfigCompletions {
  const before = (lines[line] ?? '').slice(0, character);
  const field = /^\s+(?:-\s+)?(\w*)$/.exec(before);
  if (field !== null) {
    const [, written = ''] = field;
    const entries = fieldsAt(lines, line).map((name) => ({
      label: name,
      insertText: hasColon ? name : `${name}: `,
      detail: '',
      isName: !hasColon && name in FIELD_VALUES,
    }));
    return { entries, replaced: written.length };
  }
  const [, name = '', written = ''] = /^\s+(?:-\s+)?(\w+)\s*:\s+(\S*)$/.exec(before) ?? [];
  const values = fieldsAt(lines, line).includes(name) ? (FIELD_VALUES[name] ?? []) : [];
  const entries = values.map((text) => ({ label: text, insertText: text, detail: '', isName: false }));
  return { entries, replaced: written.length };
}

/** Returns the fields that a line may have: those of the setting above it. */
function fieldsAt(lines: readonly string[], line: number): readonly string[] {
  const above = lines.slice(0, line);
  const owner = above.findLastIndex(
    (text) => /^\S/.test(text) && !text.startsWith('#') && !text.startsWith('-'),
  );
  const [, setting = ''] = /^(\w+)\s*:\s*$/.exec(lines[owner] ?? '') ?? [];
  const own = indentOf(lines[line] ?? '');
  const isBelowName = above.slice(owner + 1).some((text) => text.trim() !== '' && indentOf(text) < own);
  // The entries of pools have names of their own.
  return setting === 'pools' && !isBelowName ? [] : (FIELDS.get(setting) ?? []);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
