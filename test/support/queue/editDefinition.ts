import type { Definition, SharedCells } from '../../../src/domain/task/task';
import type { TaskFields } from '../../../src/queue/taskQueue';
import { BASIC_COLUMNS } from '../../../src/queue/row/columns';
import { readCsv } from '../../../src/queue/csv/csvFile';
import { appendRows, editRow } from '../../../src/queue/csv/newRow';
import type { RowContext } from '../../../src/queue/row/rowContext';

/** Field of the definition that each cell sets. */
const FIELD_OF: Readonly<Record<string, keyof Definition>> = {
  priority: 'priority',
  working_dir: 'workingDir',
  prompt: 'prompt',
  dependencies: 'dependencies',
  repeat: 'repeat',
  repeat_interval: 'repeat',
  max_retries: 'maxRetries',
  tags: 'tags',
  append_system_prompt: 'appendSystemPrompt',
};

const SHARED_OF: Readonly<Record<string, keyof SharedCells>> = {
  status: 'status',
  scheduled_time: 'scheduledAt',
  retry_count: 'retryCount',
};

/** A file with the columns that each has, and no task. */
export const EMPTY_FILE = readCsv(Buffer.from(`${BASIC_COLUMNS.join(',')}\n`));

/**
 * A task that is in no file after an edit of its cells, and the shared values that the edit names.
 * @throws Problem `usage` when the row would not be understood
 */
export function editDefinition(
  definition: Definition,
  cells: TaskFields,
  context: RowContext,
): { readonly definition: Definition; readonly touched: Partial<SharedCells> } {
  const { id, workingDir, prompt, repeat } = definition;
  const repeating = repeat === undefined ? {} : { repeat: 'yes', repeat_interval: repeat.text };
  const fields = { working_dir: workingDir, prompt, ...repeating };
  const alone = appendRows(EMPTY_FILE, [{ fields }], id, context);
  const { row } = editRow(readCsv(alone.bytes), id, cells, context);
  const { repeat: _before, ...once } = definition;
  const base = row.definition.repeat === undefined ? once : definition;
  return {
    definition: { ...base, ...pick(row.definition, FIELD_OF, cells) },
    touched: pick(row.shared, SHARED_OF, cells),
  };
}

/** The properties that these cells say something of, where they are there. */
function pick<T extends object>(
  from: T,
  properties: Readonly<Record<string, keyof T>>,
  cells: TaskFields,
): Partial<T> {
  const picked: Partial<T> = {};
  for (const column of Object.keys(cells)) {
    const property = properties[column];
    if (property !== undefined && property in from) picked[property] = from[property];
  }
  return picked;
}
