import { describeSettingProblem } from '../../app/present/problems/settingProblem';
import { readSettings, type SettingProblem } from '../../domain/settings/settings';
import { SETTINGS } from '../../domain/settings/settingList';
import type { SettingScope } from '../../domain/settings/setting';
import type { WrongValue } from '../../domain/settings/structuredSettings';
import { entryOf, type ConfigNode, type ConfigText, type TextRange } from '../../platform/files/configText';
import { t } from '../../platform/text/translate';

/** Problem of a settings file, at the name or value that has it. */
export interface ConfigProblem extends TextRange {
  readonly message: string;
  /** Name of the setting that a misspelled one surely means; absent: there is none that the file may have. */
  readonly meant?: string;
}

/** Returns all problems of a settings file of this scope. */
export function findConfigProblems(config: ConfigText, scope: SettingScope): readonly ConfigProblem[] {
  const start = { start: 0, end: 0 };
  if (config.errors.length > 0) {
    return config.errors.map(({ place, cause }) => ({
      ...(place ?? config.root ?? start),
      message: t('This is not valid YAML: {0}.', cause.message),
    }));
  }
  const { problems } = readSettings([{ source: '', scope, values: config.values }], {});
  return problems.map((problem) => {
    const { start: from, end } = placeOf(problem, config.root) ?? config.root ?? start;
    const meant = findMeant(problem, config.root, scope);
    const message = describeSettingProblem(problem);
    return { start: from, end, message, ...(meant === null ? {} : { meant }) };
  });
}

/** Returns the setting that a misspelled name means, if the file may have it and does not name it yet. */
function findMeant({ fault }: SettingProblem, root: ConfigNode | null, scope: SettingScope): string | null {
  if (fault.kind !== 'unknown-name' || fault.near === null) return null;
  const { near } = fault;
  const isOfFile = SETTINGS.some((setting) => setting.name === near && setting.scope === scope);
  return isOfFile && entryOf(root, near) === undefined ? near : null;
}

/** Returns the part of the file that has the problem: the name, or the wrong part of the value. */
function placeOf({ name, fault }: SettingProblem, root: ConfigNode | null): TextRange | undefined {
  const entry = entryOf(root, name);
  if (fault.kind !== 'wrong-value') return entry?.key;
  return entry === undefined ? undefined : (placeOfWrong(fault.wrong, entry.value) ?? entry.key);
}

function placeOfWrong(
  { path, field, expected, value }: WrongValue,
  node: ConfigNode | null,
): TextRange | null {
  let part = node;
  for (const step of path) part = stepInto(part, step) ?? part;
  if (field !== undefined) {
    const entry = entryOf(part, field);
    if (entry === undefined) return part;
    return expected.kind === 'known-field' ? entry.key : (entry.value ?? entry.key);
  }
  const isOfName = expected.kind === 'pool-name' || expected.kind === 'repository-name';
  return (isOfName ? entryOf(part, String(value))?.key : undefined) ?? part;
}

function stepInto(node: ConfigNode | null, step: string | number): ConfigNode | null {
  if (typeof step === 'string') return entryOf(node, step)?.value ?? null;
  return node?.kind === 'list' ? (node.items[step - 1] ?? null) : null;
}
