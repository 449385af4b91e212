import { MACHINE_SETTINGS } from './machineSettings';
import type { Setting } from './setting';

/** As many tasks as are remembered of a streak of failures; `breakerFailures` cannot ask for more. */
export const LONGEST_STREAK = 100;

/** The settings of a queue, by which every worker goes. */
const QUEUE_SETTINGS = [
  {
    name: 'timeZone',
    type: 'timeZone',
    default: '',
    scope: 'queue',
    sentence: "The zone of times that are written without one; empty means the machine's own.",
  },
  {
    name: 'maxPerHour',
    type: 'integer',
    unit: 'attempts',
    default: 20,
    min: 1,
    scope: 'queue',
    sentence: 'How many attempts may start within an hour.',
  },
  {
    name: 'maxPerDay',
    type: 'integer',
    unit: 'attempts',
    default: 100,
    min: 1,
    scope: 'queue',
    sentence: 'How many attempts may start within 24 hours.',
  },
  {
    name: 'nightBudget',
    type: 'number',
    unit: 'US dollars',
    default: 0,
    min: 0,
    scope: 'queue',
    sentence:
      "How much a night's attempts may cost, from noon to noon; once that is reached no task begins until noon; 0 is no bound.",
  },
  {
    name: 'strict',
    type: 'boolean',
    default: false,
    scope: 'queue',
    sentence: 'Whether priorities stay as written, however long a task waits.',
  },
  {
    name: 'mediumToHigh',
    type: 'duration',
    default: '4h',
    minMs: 0,
    scope: 'queue',
    sentence: 'How long a medium task waits until it counts as high.',
  },
  {
    name: 'lowToMedium',
    type: 'duration',
    default: '24h',
    minMs: 0,
    scope: 'queue',
    sentence: 'How long a low task waits until it counts as medium.',
  },
  {
    name: 'promotedToHigh',
    type: 'duration',
    default: '4h',
    minMs: 0,
    scope: 'queue',
    sentence: 'How long a low task that counts as medium waits until it counts as high.',
  },
  {
    name: 'serviceCritical',
    type: 'duration',
    default: '5m',
    minMs: 1000,
    scope: 'queue',
    sentence: 'Within what time a critical task should have ended.',
  },
  {
    name: 'serviceHigh',
    type: 'duration',
    default: '30m',
    minMs: 1000,
    scope: 'queue',
    sentence: 'Within what time a high task should have ended.',
  },
  {
    name: 'serviceMedium',
    type: 'duration',
    default: '2h',
    minMs: 1000,
    scope: 'queue',
    sentence: 'Within what time a medium task should have ended.',
  },
  {
    name: 'serviceLow',
    type: 'duration',
    default: '24h',
    minMs: 1000,
    scope: 'queue',
    sentence: 'Within what time a low task should have ended.',
  },
  {
    name: 'atRiskBefore',
    type: 'duration',
    default: '5m',
    minMs: 0,
    scope: 'queue',
    sentence:
      'How long before its deadline, or the end of its service time, a task counts as at risk; of a service time at most half.',
  },
  {
    name: 'priorityRules',
    type: 'priorityRules',
    default: '[]',
    scope: 'queue',
    sentence:
      'Which priority a row has that names none, by its tags, user or path; the first rule that fits counts.',
  },
  {
    name: 'quietHours',
    type: 'quietHours',
    default: '[]',
    scope: 'queue',
    sentence: 'Hours in which no task, or none of some priorities, is begun.',
  },
  {
    name: 'pools',
    type: 'pools',
    default: '{}',
    scope: 'queue',
    sentence:
      'Workers by name: which priorities each pool takes, and how many tasks it runs at least and at most.',
  },
  {
    name: 'maxRunning',
    type: 'integer',
    unit: 'tasks',
    default: 1,
    min: 1,
    scope: 'queue',
    sentence: 'How many tasks may run at a time; in one working directory it is never more than one.',
  },
  {
    name: 'retryBackoff',
    type: 'duration',
    default: '30s',
    minMs: 0,
    scope: 'queue',
    sentence: 'How long a task waits after its first failed attempt; each further failure doubles it.',
  },
  {
    name: 'retryBackoffMax',
    type: 'duration',
    default: '1h',
    minMs: 0,
    scope: 'queue',
    sentence: 'The longest time that a task waits after a failed attempt.',
  },
  {
    name: 'retryJitter',
    type: 'number',
    unit: 'share',
    default: 0.2,
    min: 0,
    max: 1,
    scope: 'queue',
    sentence: 'How far the wait after a failed attempt may differ by chance, as a share of it either way.',
  },
  {
    name: 'breakerFailures',
    type: 'integer',
    unit: 'tasks',
    default: 3,
    min: 0,
    max: LONGEST_STREAK,
    scope: 'queue',
    sentence:
      'After how many different tasks that fail in the same way, one after another, the queue waits for a person; 0 means never.',
  },
  {
    name: 'missedRuns',
    type: 'choice',
    choices: ['once', 'skip', 'all'],
    default: 'once',
    scope: 'queue',
    sentence:
      'What becomes of times of a repeating task that went by without a run: one run, none, or a run for each.',
  },
  {
    name: 'missedRunsMax',
    type: 'integer',
    unit: 'runs',
    default: 3,
    min: 1,
    scope: 'queue',
    sentence: 'How many runs make up for missed times at most, where each is made up for.',
  },
  {
    name: 'missedAfter',
    type: 'duration',
    default: '1h',
    minMs: 0,
    scope: 'queue',
    sentence: 'How late a repeating task may begin until its time counts as missed.',
  },
  {
    name: 'keepHistory',
    type: 'duration',
    default: '90d',
    minMs: 86_400_000,
    scope: 'queue',
    sentence:
      'How long attempts and their outputs are kept; then attempts are put into state/archive, outputs deleted.',
  },
  {
    name: 'reserve',
    type: 'number',
    unit: 'share',
    default: 0,
    min: 0,
    max: 1,
    scope: 'queue',
    sentence:
      "What share of each of the account's windows is kept for the priorities in reserveFor; 0 is none.",
  },
  {
    name: 'reserveFor',
    type: 'priorities',
    default: '["critical"]',
    scope: 'queue',
    sentence: 'Of which priorities tasks may start when less than the reserve is left; empty means none.',
  },
  {
    name: 'spareTag',
    type: 'text',
    default: 'spare',
    scope: 'queue',
    sentence: 'The tag of tasks that take only what would be lost at the end of a window; empty means none.',
  },
  {
    name: 'spareBefore',
    type: 'duration',
    default: '1h',
    minMs: 0,
    scope: 'queue',
    sentence: 'How long before the end of a 5-hour window such tasks may start.',
  },
  {
    name: 'limitFallback',
    type: 'duration',
    default: '4.5h',
    minMs: 1000,
    // It closes the gate of the whole account: no window that is known lasts longer.
    maxMs: 7 * 86_400_000,
    scope: 'queue',
    sentence:
      'How long the queue waits at a usage limit when Claude Code does not say when it ends; at most 7d.',
  },
  {
    // A model's window mostly holds 200 000 tokens, and Claude Code begins to drop what was said some way below; by then
    // each request reads all of it again, at the full price once the cache has forgotten it between two attempts.
    name: 'freshSessionAt',
    type: 'integer',
    unit: 'tokens',
    default: 150_000,
    min: 0,
    scope: 'queue',
    sentence:
      'From how many tokens on a task goes on in a new session, with a note on what was done; 0 means only when it is full.',
  },
  {
    name: 'taskTimeout',
    type: 'duration',
    default: '2h',
    minMs: 1000,
    scope: 'queue',
    sentence: 'How long an attempt may take when its row names no timeout.',
  },
  {
    // It decides what "completed" means and when dependents start, so every worker of the queue must follow it.
    name: 'selfReport',
    type: 'choice',
    choices: ['off', 'asked', 'required'],
    default: 'asked',
    scope: 'queue',
    sentence:
      'Whether Claude is asked to report how its work ended; required sends a task without a report to review.',
  },
] as const satisfies readonly Setting[];

/** Every setting there is. What reads, documents or completes settings is made from this list. */
export const SETTINGS = [...QUEUE_SETTINGS, ...MACHINE_SETTINGS] as const satisfies readonly Setting[];
