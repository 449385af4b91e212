import type { Priority } from '../task/priority';
import {
  readEntries,
  readPriorityWord,
  readWhole,
  refuseOthers,
  wrongField,
  wrongWhole,
  type Checked,
  type Fields,
} from '../settings/structuredSettings';

const SUBJECTS = ['tag', 'user', 'path'] as const;

/** Fields of a rule in the setting `priorityRules`. */
export const PRIORITY_RULE_FIELDS = [...SUBJECTS, 'priority'] as const;

/** A priority for rows that name none. It applies to rows that match everything that the rule names. */
export interface PriorityRule {
  readonly tag?: string;
  readonly user?: string;
  /** The row's working directory is this folder, as written, or below it. */
  readonly path?: string;
  readonly priority: Priority;
}

/** Fields of a row that the rules check. */
export interface RuledRow {
  readonly tags: readonly string[];
  readonly user: string | undefined;
  /** Absolute. */
  readonly workingDir: string;
}

/** Reads the setting `priorityRules`. */
export function readPriorityRules(value: unknown): Checked<readonly PriorityRule[]> {
  return readWhole(() => readEntries(value, readRule));
}

function readRule(fields: Fields): PriorityRule {
  refuseOthers(fields, PRIORITY_RULE_FIELDS);
  const subjects = SUBJECTS.filter((name) => fields[name] !== undefined);
  if (subjects.length === 0) throw wrongWhole('rule-subject', fields);
  const priority = readPriorityWord(fields['priority']);
  if (priority === null) throw wrongField('priority', { kind: 'priority' }, fields['priority']);
  const named = Object.fromEntries(subjects.map((name) => [name, readText(fields, name)]));
  return { ...named, priority };
}

function readText(fields: Fields, name: string): string {
  const value = fields[name];
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw wrongField(name, { kind: 'text' }, value);
}

/** Returns the priority of the first rule that matches; null: none does. `resolve` makes a rule's folder absolute. */
export function priorityByRule(
  rules: readonly PriorityRule[],
  row: RuledRow,
  resolve: (folder: string) => string,
): Priority | null {
  return rules.find((rule) => fits(rule, row, resolve))?.priority ?? null;
}

function fits(
  { tag, user, path }: PriorityRule,
  row: RuledRow,
  resolve: (folder: string) => string,
): boolean {
  if (tag !== undefined && !row.tags.includes(tag)) return false;
  if (user !== undefined && row.user !== user) return false;
  return path === undefined || isInside(row.workingDir, resolve(path));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
