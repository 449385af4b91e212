import type { Priority } from '../../domain/task/priority';
import { priorityByRule, type RuledRow } from '../../domain/order/priorityRules';
import { formatRepository, isRepository, parseRepository } from '../../domain/task/repository';
import type { Definition, SharedCells } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
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

/** Reads the text of a cell that is not empty, in the row's context. */
type Read<T> = (text: string, context: RowContext) => Meaning<T>;

type Take = <T>(column: Column, read: Read<T>, instead: T) => T;

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
  const reader = createReader(textOf, context, (problem) => problems.push(problem));
  const row = { definition: readDefinition(reader, context), shared: readShared(reader) };
  return problems.length === 0 ? { row } : { problems };
}

function readDefinition(reader: Reader, context: RowContext): Definition {
  const { filled, trimmed, optional } = reader;
  const repeats = optional('repeat', meaning.readYesOrNo, false);
  const fields = readOptionalFields(reader);
  const workingDir = trimmed('working_dir', readWorkingDir, '');
  const { user, tags = [] } = fields;
  return {
    id: trimmed('id', meaning.readId, 0),
    priority:
      optional('priority', meaning.readPriority, null) ?? rulePriority({ user, tags, workingDir }, context),
    workingDir,
    ...readRealDir(workingDir, context),
    prompt: filled('prompt', meaning.readPrompt, ''),
    dependencies: optional('dependencies', meaning.readIds, []),
    maxRetries: Math.max(1, optional('max_retries', readMaxRetries, DEFAULT_MAX_RETRIES)),
    ...(repeats ? readRepeat(reader) : {}),
    ...fields,
    ...composeVerifyBefore(fields, context),
    ...readUnlessUnchanged(reader, repeats),
  };
}

const readMaxRetries: Read<number> = (text) => meaning.readCount(text, 'max_retries', 0);

function readRepeat({ trimmed }: Reader): Pick<Definition, 'repeat'> {
  const repeat = trimmed('repeat_interval', meaning.readInterval, undefined);
  return repeat === undefined ? {} : { repeat };
}

function composeVerifyBefore(
  { verify }: Pick<Definition, 'verify'>,
  { verifyBefore }: RowContext,
): Pick<Definition, 'verifyBefore'> {
  return verify === undefined || verifyBefore === undefined ? {} : { verifyBefore };
}

function readUnlessUnchanged(
  { optional }: Reader,
  repeats: boolean,
): Pick<Definition, 'unlessUnchanged'> | undefined {
  const read: Read<true> = (text) => meaning.readUnlessUnchanged(text, repeats);
  return optional('unless_unchanged', read, undefined) === true ? { unlessUnchanged: true } : undefined;
}

/** Fields of a task that each come from a column of their own, which a file may not have. */
type OptionalField =
  | 'createdAt'
  | 'timeoutMs'
  | 'model'
  | 'permissionMode'
  | 'allowedTools'
  | 'maxTurns'
  | 'maxBudgetUsd'
  | 'verify'
  | 'user'
  | 'deadline'
  | 'tags'
  | 'appendSystemPrompt'
  | 'promptFile'
  | 'callbackUrl'
  | 'requestId'
  | 'metadata';

type Values = { [F in OptionalField]: NonNullable<Definition[F]> };
type ColumnOf<F extends OptionalField> = readonly [Column, Read<Values[F]>];

const OPTIONAL_FIELDS: { readonly [F in OptionalField]: ColumnOf<F> } = {
  createdAt: ['created_at', readOwnTime],
  timeoutMs: ['timeout', meaning.readTimeout],
  model: ['model', meaning.readModel],
  permissionMode: [
    'permission_mode',
    (text, { allowBypass }) => meaning.readPermissionMode(text, allowBypass),
  ],
  allowedTools: ['allowed_tools', meaning.readTools],
  maxTurns: ['max_turns', (text) => meaning.readCount(text, 'max_turns', 1)],
  maxBudgetUsd: ['max_budget_usd', meaning.readBudget],
  verify: ['verify', meaning.readVerify],
  user: ['user', meaning.readUser],
  deadline: ['deadline', readOwnTime],
  tags: ['tags', meaning.readTags],
  appendSystemPrompt: ['append_system_prompt', meaning.readSystemPrompt],
  promptFile: ['prompt_file', readPromptCell],
  callbackUrl: ['callback_url', meaning.readCallbackUrl],
  requestId: ['request_id', meaning.readRequestId],
  metadata: ['metadata', meaning.readMetadata],
};

function readOwnTime(text: string, { timeZone }: RowContext): Meaning<EpochMs> {
  return meaning.readTime(text, timeZone);
}

const FIELD_NAMES = Object.keys(OPTIONAL_FIELDS) as readonly OptionalField[];

function readOptionalFields(reader: Reader): Partial<Values> {
  const fields: Partial<Values> = {};
  for (const name of FIELD_NAMES) readOptionalField(reader, name, fields);
  return fields;
}

function readOptionalField<F extends OptionalField>(
  { optional }: Reader,
  name: F,
  fields: { [G in F]?: Values[G] },
): void {
  const [column, read]: ColumnOf<F> = OPTIONAL_FIELDS[name];
  const value = optional<Values[F] | undefined>(column, read, undefined);
  if (value !== undefined) fields[name] = value;
}

/** Returns the priority of a row that names none. */
function rulePriority(row: RuledRow, context: RowContext): Priority {
  const { priorityRules = [] } = context;
  // A rule about a repository names it as rows do.
  const resolveRule = (folder: string): string =>
    isRepository(folder) ? resolveRepository(folder) : resolveFolder(folder, context);
  return priorityByRule(priorityRules, row, resolveRule) ?? 'medium';
}

/** Returns the one text of a folder in a repository; one that names none stays as it is, and fits no row. */
function resolveRepository(folder: string): string {
  const path = parseRepository(folder);
  return path === null ? folder : formatRepository(path);
}

/** Returns the meaning of a row's shared cells, also of a row that is not valid; null if one of them is not valid. */
export function readSharedTexts(textOf: (column: Column) => string, context: RowContext): SharedCells | null {
  const problems: ColumnProblem[] = [];
  const shared = readShared(createReader(textOf, context, (problem) => problems.push(problem)));
  return problems.length === 0 ? shared : null;
}

function readShared({ optional }: Reader): SharedCells {
  return {
    status: optional('status', meaning.readStatus, 'pending'),
    scheduledAt: optional('scheduled_time', readOwnTime, null),
    retryCount: optional('retry_count', readRetryCount, 0),
  };
}

const readRetryCount: Read<number> = (text) => meaning.readCount(text, 'retry_count', 0);

function createReader(
  textOf: (column: Column) => string,
  context: RowContext,
  report: (problem: ColumnProblem) => void,
): Reader {
  const take = <T>(column: Column, text: string, read: Read<T>, instead: T): T => {
    const found = read(text, context);
    if ('value' in found) return found.value;
    report({ column, message: found.wrong });
    return instead;
  };
  return {
    filled: (column, read, instead) => take(column, textOf(column), read, instead),
    trimmed: (column, read, instead) => take(column, textOf(column).trim(), read, instead),
    optional: (column, read, instead) => {
      const text = textOf(column).trim();
      return text === '' ? instead : take(column, text, read, instead);
    },
  };
}
