import type { SettingName } from '../../domain/settings/settings';
import { t } from '../../platform/text/translate';

/** Description of each setting in the list of settings. */
export const SETTING_TEXTS: Readonly<Record<SettingName, string>> = {
  timeZone: t('Time zone of times that have none. Empty: the time zone of the machine.'),
  maxPerHour: t('Attempts that may start within an hour.'),
  maxPerDay: t('Attempts that may start within 24 hours.'),
  nightBudget: t(
    "Maximum cost of a night's attempts, from noon to noon. Once reached, no task starts until noon. 0: no limit.",
  ),
  maxUnreviewed: t(
    'Unreviewed tasks at which no task starts until you accept or retry one: tasks in review, and completed ones that nobody accepted. 0: no limit.',
  ),
  strict: t('Whether priorities stay as written, without ageing.'),
  mediumToHigh: t('Waiting time after which a medium task counts as high.'),
  lowToMedium: t('Waiting time after which a low task counts as medium.'),
  promotedToHigh: t('Waiting time after which a low task that counts as medium counts as high.'),
  serviceCritical: t('Time within which a critical task should end.'),
  serviceHigh: t('Time within which a high task should end.'),
  serviceMedium: t('Time within which a medium task should end.'),
  serviceLow: t('Time within which a low task should end.'),
  atRiskBefore: t(
    'How long before its deadline or the end of its service time a task counts as at risk; at most half of a service time.',
  ),
  priorityRules: t('Priority of rows that have none, by tag, user or path. The first matching rule applies.'),
  quietHours: t('Hours in which no task, or no task with certain priorities, starts.'),
  pools: t(
    'Worker pools by name: their priorities and tags, and their minimum and maximum of parallel tasks.',
  ),
  maxRunning: t('Tasks that may run at the same time; never more than one per working directory.'),
  preempt: t(
    'With critical, a ready critical task that has no room stops the running task with the lowest priority, which resumes afterwards.',
  ),
  retryBackoff: t('Delay after the first failed attempt of a task. Each further failure doubles it.'),
  retryBackoffMax: t('Longest delay after a failed attempt.'),
  retryJitter: t('Jitter of the retry delay (0.2 = ± 20 %).'),
  breakerFailures: t(
    'Circuit breaker: different tasks in a row that fail the same way before the queue waits for you. 0: never.',
  ),
  missedRuns: t('How to handle missed runs of a repeating task: one run, none, or a run for each.'),
  missedRunsMax: t('Maximum number of catch-up runs, if each missed run is caught up.'),
  missedAfter: t('Delay after which a due time of a repeating task counts as missed.'),
  keepHistory: t(
    'How long attempts and outputs are kept. Then attempts move to state/archive and outputs are deleted.',
  ),
  reserve: t('Share of each usage window that is reserved for the priorities in reserveFor. 0: none.'),
  reserveFor: t('Priorities that may still start when less than `reserve` is left. Empty: none.'),
  spareTag: t(
    'Tag of tasks that use only leftover capacity, which the end of a usage window would lose. Empty: none.',
  ),
  spareBefore: t('How long before the end of a 5-hour usage window such tasks may start.'),
  limitFallback: t('Waiting time at a usage limit whose reset Claude Code does not report; at most 7d.'),
  freshSessionAt: t(
    'Context size (tokens) above which a task continues in a new session with a summary. 0: only when it is full.',
  ),
  taskTimeout: t('Maximum duration of an attempt whose row has no timeout.'),
  selfReport: t(
    'Whether Claude is asked to report how its work ended. With required, a task without a report goes to review.',
  ),
  verifyBefore: t(
    'Whether a check that passed also runs on a copy of the files before the attempt. If it passes there too, it does not show that the task was done.',
  ),
  verifySetup: t(
    'Program with arguments that sets up this copy, such as an install. Empty: none. It is approved with each row.',
  ),
  claude: t('Path of the claude program. Empty: the one on the PATH.'),
  permissionMode: t('Default permission mode for unattended attempts.'),
  allowBypass: t('Whether a row may use bypassPermissions, which lets Claude do anything.'),
  allowedDirectories: t('Folders in which tasks may run, with their subfolders. Empty: anywhere.'),
  redis: t(
    'Address of a queue in Redis that the editor shows instead of the queue file, such as rediss://user@host:6379/0?queue=team.',
  ),
  redisPlain: t(
    'Whether the connection to Redis on another machine may go without encryption and password. Others may then read and change the queue.',
  ),
  repositories: t(
    'Folders of the repositories that rows name as repo:NAME. A task of a repository that is not here waits for another machine.',
  ),
  openAfterReset: t('Safety margin after the reported end of a usage limit.'),
  openStagger: t(
    'Time between the starts of attempts in the minutes after a usage limit or an API fault has ended.',
  ),
  account: t(
    'Account name. Queues with the same name share its gate. Empty: the account that Claude Code reports.',
  ),
  billing: t(
    'What pays. auto: a cloud provider that the environment selects, else the subscription that is signed in, else the API key. Or only the one named.',
  ),
  stopGrace: t('Time that a stopped attempt has to end by itself before it is killed.'),
  windowGrace: t('How long a worker that stops with the last editor window waits for one to return.'),
  claudeRetries: t('How often Claude Code repeats a request that failed with a transient error.'),
  notify: t('Program, with its arguments, to run once for each event that needs you. Empty: none.'),
  callbackUrl: t('Address to which every end of an attempt is sent. Empty: only rows with a callback_url.'),
  callbackTemplate: t(
    'What callbackUrl gets: json for programs, or a message for ntfy or Slack. Rows always send json.',
  ),
  callbackSecret: t('Secret that signs callbacks (HMAC-SHA256). Empty: they are not signed.'),
  callbackAllow: t(
    'Private addresses that callbacks may go to, also by http:, as IP addresses or networks. Public ones need https:.',
  ),
  keepAwake: t('Whether a worker prevents sleep: never, or while a task runs or will start within 12 h.'),
};
