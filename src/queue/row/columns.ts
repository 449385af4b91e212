/** The columns of a queue file that is made from nothing, in their order. */
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

/** Columns that mean something where the header has them. */
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
] as const;

/** Columns that the program writes too. */
export const SHARED_COLUMNS = ['status', 'scheduled_time', 'retry_count'] as const;

/** Columns without which no row says what to do. */
export const REQUIRED_COLUMNS = ['id', 'working_dir', 'prompt'] as const;

export const COLUMNS = [...BASIC_COLUMNS, ...OPTIONAL_COLUMNS] as const;
/** A column that means something; a file may have others, which are kept. */
export type Column = (typeof COLUMNS)[number];
