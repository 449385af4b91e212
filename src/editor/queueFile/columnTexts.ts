import type { Column } from '../../queue/row/columns';
import { t } from '../../platform/text/translate';

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
  id: {
    meaning: t('Number of the task.'),
    format: t('a whole number above 0, unique in the file'),
    empty: null,
  },
  priority: {
    meaning: t('Priority of the task.'),
    format: t('critical, high, medium or low, or 5 to 1'),
    empty: t('medium, or by the setting priorityRules'),
  },
  working_dir: {
    meaning: t('Folder in which Claude works.'),
    format: t('a path, absolute or relative to the folder above claude_queue, or repo:NAME/folder'),
    empty: null,
  },
  prompt: { meaning: t('What Claude should do.'), format: t('any text, several lines too'), empty: null },
  status: {
    meaning: t('State of the task. The program writes it too.'),
    format: t('pending, running, review, completed, failed or cancelled'),
    empty: 'pending',
  },
  scheduled_time: {
    meaning: t(
      'Time before which the task does not start. Shows the reset while it waits for a usage limit.',
    ),
    format: t('YYYY-MM-DD HH:MM, or ISO 8601 with a zone'),
    empty: t('at once'),
  },
  dependencies: {
    meaning: t('Tasks that must be completed before.'),
    format: t('ids with | between them, such as 10|12'),
    empty: t('none'),
  },
  repeat: { meaning: t('Whether the task repeats.'), format: t('yes or no'), empty: 'no' },
  repeat_interval: {
    meaning: t('How often the task repeats.'),
    format: t('30m, 12h, daily, weekly, monthly (30 days), or a cron expression such as 0 9 * * 1-5'),
    empty: t('only valid without repeat'),
  },
  retry_count: {
    meaning: t('Failed attempts so far. The program writes it too.'),
    format: t('a whole number'),
    empty: '0',
  },
  max_retries: {
    meaning: t('Failed attempts after which the task has failed.'),
    format: t('a whole number'),
    empty: '3',
  },
  created_at: {
    meaning: t('When the task was created. It waits from then on.'),
    format: t('YYYY-MM-DD HH:MM, or ISO 8601 with a zone'),
    empty: t('when the row was first read'),
  },
  timeout: {
    meaning: t('Maximum duration of an attempt.'),
    format: t('a duration such as 90m or 2h'),
    empty: t('the setting taskTimeout'),
  },
  model: {
    meaning: t('The model to use.'),
    format: t('a name such as opus or sonnet'),
    empty: t("Claude Code's default"),
  },
  permission_mode: {
    meaning: t('What Claude may do without asking.'),
    format: t("one of Claude Code's permission modes"),
    empty: t('the setting permissionMode'),
  },
  allowed_tools: {
    meaning: t('Tools that need no permission.'),
    format: t('rules with | between them, such as Read|Bash(npm test)'),
    empty: t('none'),
  },
  max_turns: {
    meaning: t('Turns after which Claude is stopped.'),
    format: t('a whole number'),
    empty: t('no limit'),
  },
  max_budget_usd: {
    meaning: t('Estimated cost at which Claude is stopped.'),
    format: t('an amount in US dollars, such as 2.50'),
    empty: t('no limit'),
  },
  verify: {
    meaning: t('Check that must succeed after an attempt.'),
    format: t('a program with its arguments as JSON, such as ["npm","test"]'),
    empty: t('none'),
  },
  user: { meaning: t('User of the task. Users take turns.'), format: t('one name'), empty: t('no user') },
  deadline: {
    meaning: t('Time by which the task should have ended.'),
    format: t('YYYY-MM-DD HH:MM, or ISO 8601 with a zone'),
    empty: t('the service time of its priority'),
  },
  prompt_file: {
    meaning: t('File with the prompt. The prompt cell is then the title of the task.'),
    format: t('a path in the workspace, relative to it, of a UTF-8 text file of at most 256 KiB'),
    empty: t('the prompt cell is the prompt'),
  },
  callback_url: {
    meaning: t('Address to which the end of each attempt is sent, as JSON.'),
    format: t('an https: address; http: and private addresses need the setting callbackAllow'),
    empty: t('only to the setting callbackUrl, if there is one'),
  },
  request_id: {
    meaning: t('Name of the request in the program that gets the callback.'),
    format: t('one line of text'),
    empty: t('none'),
  },
  metadata: {
    meaning: t('Facts for the program that gets the callback.'),
    format: t('JSON, or any text'),
    empty: t('none'),
  },
  append_system_prompt: {
    meaning: t("Text that is added to Claude Code's system prompt."),
    format: t('any text of at most 64 KiB, several lines too'),
    empty: t('nothing is added'),
  },
  unless_unchanged: {
    meaning: t(
      'Whether a due time is skipped if prompt, permissions and files are those of the last success.',
    ),
    format: t('true, for a repeating task'),
    empty: t('it runs at each due time'),
  },
  tags: {
    meaning: t('Words for rules, workers and filters.'),
    format: t('words with | between them, such as docs|urgent'),
    empty: t('none'),
  },
};
