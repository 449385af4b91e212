import type { Priority } from '../../domain/task/priority';
import { priorityByRule, type RuledRow } from '../../domain/order/priorityRules';
import { isRepository } from '../../domain/task/repository';
import type { Definition, SharedCells } from '../../domain/task/task';
import type { Column } from './columns';
import * as meaning from './meaning';
import type { Meaning } from './meaning';
import type { RowContext } from './rowContext';
import { readPromptCell } from './promptFile';
import { readRealDir, readWorkingDir, resolveFolder } from './workingDir';

/** Retries of a row whose `max_retries` is empty. */
export const DEFAULT_MAX_RETRIES = 3;

/** Valid row. */
export interface Row {
  readonly definition: Definition;
  readonly shared: SharedCells;
}

/** Problem of a column's text: what is wrong, and a valid example. */
export interface ColumnProblem {
  readonly column: Column;
  readonly message: string;
}

/** Row, or all problems of its texts. */
export type TextReading = { readonly row: Row } | { readonly problems: readonly ColumnProblem[] };

type Take = <T>(column: Column, read: (text: string) => Meaning<T>, instead: T) => T;

/**
 * Reads the meaning of a row's cells. Notes a problem and returns `instead` if a cell is wrong; such a row is not
 * used.
 */
interface Reader {
  /** Reads the cell as it is. */
  readonly filled: Take;
  /** Reads the cell without surrounding white space. */
  readonly trimmed: Take;
  /** Reads the cell without surrounding white space. Returns `instead` for an empty cell or a missing column. */
  readonly optional: Take;
}

/**
 * Parses the texts of a row as a task, with defaults for empty ones. A missing column has an empty text. Does not
 * check what only all rows together show: duplicate ids, missing dependencies, cycles.
 */
export function readTexts(textOf: (column: Column) => string, context: RowContext): TextReading {
  const problems: ColumnProblem[] = [];
  const reader = createReader(textOf, (problem) => problems.push(problem));
  const row = { definition: readDefinition(reader, context), shared: readShared(reader, context) };
  return problems.length === 0 ? { row } : { problems };
}

function readDefinition({ filled, trimmed, optional }: Reader, context: RowContext): Definition {
  const repeats = optional('repeat', meaning.readYesOrNo, false);
  const readMaxRetries = (text: string): Meaning<number> => meaning.readCount(text, 'max_retries', 0);
  const rules = readRules(optional, context);
  const workingDir = trimmed('working_dir', (text) => readWorkingDir(text, context), '');
  const { user, tags = [] } = rules;
  return {
    id: trimmed('id', meaning.readId, 0),
    priority:
      optional('priority', meaning.readPriority, null) ?? rulePriority({ user, tags, workingDir }, context),
    workingDir,
    ...readRealDir(workingDir, context),
    prompt: filled('prompt', meaning.readPrompt, ''),
    dependencies: optional('dependencies', meaning.readIds, []),
    maxRetries: Math.max(1, optional('max_retries', readMaxRetries, DEFAULT_MAX_RETRIES)),
    ...given({
      repeat: repeats ? trimmed('repeat_interval', meaning.readInterval, undefined) : undefined,
      ...rules,
      unlessUnchanged: optional(
        'unless_unchanged',
        (text) => meaning.readUnlessUnchanged(text, repeats),
        undefined,
      ),
    }),
  };
}

function readRules(optional: Take, context: RowContext) {
  const { timeZone, allowBypass } = context;
  return {
    createdAt: optional('created_at', (text) => meaning.readTime(text, timeZone), undefined),
    timeoutMs: optional('timeout', meaning.readTimeout, undefined),
    model: optional('model', meaning.readModel, undefined),
    permissionMode: optional(
      'permission_mode',
      (text) => meaning.readPermissionMode(text, allowBypass),
      undefined,
    ),
    allowedTools: optional('allowed_tools', meaning.readTools, undefined),
    maxTurns: optional('max_turns', (text) => meaning.readCount(text, 'max_turns', 1), undefined),
    maxBudgetUsd: optional('max_budget_usd', meaning.readBudget, undefined),
    verify: optional('verify', meaning.readVerify, undefined),
    user: optional('user', meaning.readUser, undefined),
    deadline: optional('deadline', (text) => meaning.readTime(text, timeZone), undefined),
    tags: optional('tags', meaning.readTags, undefined),
    appendSystemPrompt: optional('append_system_prompt', meaning.readSystemPrompt, undefined),
    promptFile: optional('prompt_file', (text) => readPromptCell(text, context), undefined),
    callbackUrl: optional('callback_url', meaning.readCallbackUrl, undefined),
    requestId: optional('request_id', meaning.readRequestId, undefined),
    metadata: optional('metadata', meaning.readMetadata, undefined),
  };
}

/** Returns the priority of a row that names none. */
function rulePriority(row: RuledRow, context: RowContext): Priority {
  const { priorityRules = [] } = context;
  // A rule about a repository names it as rows do.
  const resolveRule = (folder: string): string =>
    isRepository(folder) ? folder : resolveFolder(folder, context);
  return priorityByRule(priorityRules, row, resolveRule) ?? 'medium';
}

/** Returns the meaning of a row's shared cells, also of a row that is not valid; null if one of them is not valid. */
export function readSharedTexts(textOf: (column: Column) => string, context: RowContext): SharedCells | null {
  const problems: ColumnProblem[] = [];
  const shared = readShared(
    createReader(textOf, (problem) => problems.push(problem)),
    context,
  );
  return problems.length === 0 ? shared : null;
}

function readShared({ optional }: Reader, { timeZone }: RowContext): SharedCells {
  return {
    status: optional('status', meaning.readStatus, 'pending'),
    scheduledAt: optional('scheduled_time', (text) => meaning.readTime(text, timeZone), null),
    retryCount: optional('retry_count', (text) => meaning.readCount(text, 'retry_count', 0), 0),
  };
}

function createReader(textOf: (column: Column) => string, report: (problem: ColumnProblem) => void): Reader {
  const take = <T>(column: Column, found: Meaning<T>, instead: T): T => {
    if ('value' in found) return found.value;
    report({ column, message: found.wrong });
    return instead;
  };
  return {
    filled: (column, read, instead) => take(column, read(textOf(column)), instead),
    trimmed: (column, read, instead) => take(column, read(textOf(column).trim()), instead),
    optional: (column, read, instead) => {
      const text = textOf(column).trim();
      return text === '' ? instead : take(column, read(text), instead);
    },
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the properties that are not undefined. */
function given<T extends object>(properties: T): Given<T> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}
