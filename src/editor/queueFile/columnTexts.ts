import type { Column } from '../../queue/row/columns';

/** Description of a column of the queue file. */
export interface ColumnText {
  readonly meaning: string;
  /** Form of its cells, with an example. */
  readonly format: string;
  /** Meaning of an empty cell; null: it must not be empty. */
  readonly empty: string | null;
}

/** Description of each column that the program knows. */
export const COLUMN_TEXTS: Readonly<Record<Column, ColumnText>> = {
  id: { meaning: 'Number of the task.', format: 'a whole number above 0, unique in the file', empty: null },
  priority: {
    meaning: 'Priority of the task.',
    format: 'critical, high, medium or low, or 5 to 1',
    empty: 'medium, or by the setting priorityRules',
  },
  working_dir: {
    meaning: 'Folder in which Claude works.',
    format: 'a path, absolute or relative to the folder above claude_queue, or repo:NAME/folder',
    empty: null,
  },
  prompt: { meaning: 'What Claude should do.', format: 'any text, several lines too', empty: null },
  status: {
    meaning: 'State of the task. The program writes it too.',
    format: 'pending, running, review, completed, failed or cancelled',
    empty: 'pending',
  },
  scheduled_time: {
    meaning: 'Time before which the task does not start. Shows the reset while it waits for a usage limit.',
    format: 'YYYY-MM-DD HH:MM, or ISO 8601 with a zone',
    empty: 'at once',
  },
  dependencies: {
    meaning: 'Tasks that must be completed before.',
    format: 'ids with | between them, such as 10|12',
    empty: 'none',
  },
  repeat: { meaning: 'Whether the task repeats.', format: 'yes or no', empty: 'no' },
  repeat_interval: {
    meaning: 'How often the task repeats.',
    format: '30m, 12h, daily, weekly, monthly (30 days), or a cron expression such as 0 9 * * 1-5',
    empty: 'only valid without repeat',
  },
  retry_count: {
    meaning: 'Failed attempts so far. The program writes it too.',
    format: 'a whole number',
    empty: '0',
  },
  max_retries: {
    meaning: 'Failed attempts after which the task has failed.',
    format: 'a whole number',
    empty: '3',
  },
  created_at: {
    meaning: 'When the task was created. It waits from then on.',
    format: 'YYYY-MM-DD HH:MM, or ISO 8601 with a zone',
    empty: 'when the row was first read',
  },
  timeout: {
    meaning: 'Maximum duration of an attempt.',
    format: 'a duration such as 90m or 2h',
    empty: 'the setting taskTimeout',
  },
  model: {
    meaning: 'The model to use.',
    format: 'a name such as opus or sonnet',
    empty: "Claude Code's default",
  },
  permission_mode: {
    meaning: 'What Claude may do without asking.',
    format: "one of Claude Code's permission modes",
    empty: 'the setting permissionMode',
  },
  allowed_tools: {
    meaning: 'Tools that need no permission.',
    format: 'rules with | between them, such as Read|Bash(npm test)',
    empty: 'none',
  },
  max_turns: { meaning: 'Turns after which Claude is stopped.', format: 'a whole number', empty: 'no limit' },
  max_budget_usd: {
    meaning: 'Estimated cost at which Claude is stopped.',
    format: 'an amount in US dollars, such as 2.50',
    empty: 'no limit',
  },
  verify: {
    meaning: 'Check that must succeed after an attempt.',
    format: 'a program with its arguments as JSON, such as ["npm","test"]',
    empty: 'none',
  },
  user: { meaning: 'User of the task. Users take turns.', format: 'one name', empty: 'no user' },
  deadline: {
    meaning: 'Time by which the task should have ended.',
    format: 'YYYY-MM-DD HH:MM, or ISO 8601 with a zone',
    empty: 'the service time of its priority',
  },
  prompt_file: {
    meaning: 'File with the prompt. The prompt cell is then the title of the task.',
    format: 'a path in the workspace, relative to it, of a UTF-8 text file of at most 256 KiB',
    empty: 'the prompt cell is the prompt',
  },
  tags: {
    meaning: 'Words for rules, reports and filters.',
    format: 'words with | between them, such as docs|urgent',
    empty: 'none',
  },
};
