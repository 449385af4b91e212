/** Columns of a new queue file, in order. */
export const BASIC_COLUMNS = [
  'id',
  'priority',
  'working_dir',
  'prompt',
  'status',
  'scheduled_time',
  'dependencies',
  'repeat',
  'repeat_interval',
  'retry_count',
  'max_retries',
] as const;

/** Columns that a header may have as well. */
const OPTIONAL_COLUMNS = [
  'created_at',
  'timeout',
  'model',
  'permission_mode',
  'allowed_tools',
  'max_turns',
  'max_budget_usd',
  'verify',
  'user',
  'deadline',
  'tags',
  'prompt_file',
  'callback_url',
  'request_id',
  'metadata',
  'append_system_prompt',
  'unless_unchanged',
] as const;

/** Columns that the program writes too. */
export const SHARED_COLUMNS = ['status', 'scheduled_time', 'retry_count'] as const;

/** Columns that every header must have. */
export const REQUIRED_COLUMNS = ['id', 'working_dir', 'prompt'] as const;

export const COLUMNS = [...BASIC_COLUMNS, ...OPTIONAL_COLUMNS] as const;
/** Known column. A file may have others, which are kept. */
export type Column = (typeof COLUMNS)[number];
