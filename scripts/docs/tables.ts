import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, Command } from 'commander';
import { SETTING_TEXTS } from '../../src/app/present/settingTexts';
import { defineCommands } from '../../src/cli/commandGroups';
import type { Setting, SettingScope } from '../../src/domain/settings/setting';
import { SETTINGS } from '../../src/domain/settings/settingList';
import { COLUMN_TEXTS } from '../../src/editor/queueFile/columnTexts';
import { COLUMNS } from '../../src/queue/row/columns';
import { MANIFEST } from '../texts/manifest';

/** The generated parts of docs/ by name, as Markdown that is not aligned yet. */
const PARTS: Readonly<Record<string, () => string>> = {
  commands: describeCommands,
  'editor-settings': describeEditorSettings,
  'queue-settings': () => describeSettings('queue'),
  'machine-settings': () => describeSettings('machine'),
  'redis-keys': describeRedisKeys,
  columns: describeColumns,
};

/** Each column of a queue file, in its order, with the texts of its hovers. */
function describeColumns(): string {
  const rows = COLUMNS.map((column) => {
    const { meaning, format, empty } = COLUMN_TEXTS[column];
    return [code(column), meaning, format, empty ?? 'required'];
  });
  return table(['column', 'meaning', 'cells', 'if empty'], rows);
}

/** Each key of a queue in Redis, as `queue/redis/keys` describes it. */
function describeRedisKeys(): string {
  const source = readFileSync(join(__dirname, '../../src/queue/redis/keys.ts'), 'utf8');
  const keys = source.matchAll(/\/\*\* (\w[\w ]*): ([^*]+) \*\/[^/]*?`\$\{this\.prefix\}([^`]+)`/g);
  const rows = [...keys].map(([, type = '', what = '', name = '']) => [
    code(name.replace(/\$\{(\w+)\}/, (_, word: string) => word.toUpperCase())),
    type.toLowerCase(),
    what,
  ]);
  return table(['key', 'type', 'holds'], rows);
}

/** A generated part of a page: its first line, which names it, what is between, and its last line. */
export const GENERATED = /^(<!-- generated: ([\w-]+) -->\n)([\s\S]*?)(^<!-- end -->$)/gm;

/** The page with each generated part made again. @throws where a page names a part that does not exist */
export function fillPage(page: string): string {
  return page.replaceAll(GENERATED, (_, start: string, name: string, _old: string, end: string) => {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`There is no generated part "${name}".`);
    return `${start}\n${part()}\n\n${end}`;
  });
}

function describeSettings(scope: SettingScope): string {
  const rows = SETTINGS.filter((setting) => setting.scope === scope).map((setting) => [
    code(setting.name),
    setting.default === '' ? '(empty)' : code(String(setting.default)),
    describeValues(setting),
    SETTING_TEXTS[setting.name],
  ]);
  return table(['setting', 'default', 'values', 'meaning'], rows);
}

function describeValues(setting: Setting): string {
  switch (setting.type) {
    case 'choice':
      return setting.choices.map(code).join(' ');
    case 'boolean':
      return '`true` `false`';
    case 'number':
    case 'integer':
      return setting.unit;
    case 'timeZone':
      return 'time zone';
    case 'quietHours':
    case 'priorityRules':
    case 'pools':
      return '[see above](#values-with-parts)';
    case 'repositories':
      return 'names with folders';
    case 'folders':
    case 'priorities':
    case 'commandLine':
      return 'list';
    default:
      return setting.type;
  }
}

function describeEditorSettings(): string {
  const rows = Object.entries(MANIFEST.contributes.configuration.properties).map(([name, property]) => [
    code(name),
    property.type === 'object' ? 'all on' : code(JSON.stringify(property.default)),
    'enum' in property ? property.enum.map(code).join(' ') : property.type,
    property.markdownDescription,
  ]);
  return table(['setting', 'default', 'values', 'meaning'], rows);
}

/** A section for each command, with its arguments and options, under the headings of the help. */
function describeCommands(): string {
  const program = new Command('claude-queue');
  defineCommands(program, () => undefined);
  const headings = [...new Set(program.commands.map((command) => command.helpGroup()))];
  return headings
    .flatMap((heading) => [
      `### ${heading.replace(':', '')}`,
      ...program.commands.filter((command) => command.helpGroup() === heading).map(describeCommand),
    ])
    .join('\n\n');
}

function describeCommand(command: Command): string {
  const help = command.createHelp();
  const given = command.registeredArguments.map((one) => [nameArgument(one), help.argumentDescription(one)]);
  const rows = [
    ...given,
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => [option.flags, help.optionDescription(option)]),
  ];
  const names = [command.name(), ...command.aliases()].join(', ');
  const title = `#### ${[names, ...given.map(([word = '']) => word)].map(code).join(' ')}`;
  const lines = rows.map(([what = '', does = '']) => [code(what), sentence(does)]);
  const options = lines.length === 0 ? [] : [table(['argument or option', 'meaning'], lines)];
  return [title, `${sentence(command.description())}.`, ...options].join('\n\n');
}

function nameArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const code = (text: string): string => `\`${text}\``;

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');
