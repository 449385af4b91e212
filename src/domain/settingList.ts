import { LONGEST_STREAK } from './streak';
import { PERMISSION_MODES } from './task';

/** Whether a setting belongs to the queue, so that every worker follows it, or to the machine that runs it. */
export type SettingScope = 'queue' | 'machine';

interface Described {
  readonly name: string;
  readonly scope: SettingScope;
  /** One sentence for a person who reads the list. */
  readonly sentence: string;
}

interface DurationSetting extends Described {
  readonly type: 'duration';
  /** As it would be written, with its unit. */
  readonly default: string;
  readonly minMs: number;
}

/** A setting that is a number. */
export interface NumberSetting extends Described {
  readonly type: 'integer' | 'number';
  /** What is counted. */
  readonly unit: string;
  readonly default: number;
  readonly min: number;
  readonly max?: number;
}

interface BooleanSetting extends Described {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface ChoiceSetting extends Described {
  readonly type: 'choice';
  readonly default: string;
  readonly choices: readonly string[];
}

interface TextSetting extends Described {
  readonly type: 'text' | 'timeZone';
  readonly default: string;
}

/** A setting with parts: it is read where its rule is. */
export interface StructuredSetting extends Described {
  readonly type: 'quietHours' | 'priorityRules' | 'pools';
  /** As it would be written in YAML. */
  readonly default: '[]' | '{}';
}

/** One line of the list. */
export type Setting =
  DurationSetting | NumberSetting | BooleanSetting | ChoiceSetting | TextSetting | StructuredSetting;

/** Every setting there is. What reads, documents or completes settings is made from this list. */
export const SETTINGS = [
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
    sentence: 'How long attempts and their outputs are kept beside the queue before they are put away.',
  },
  {
    name: 'limitFallback',
    type: 'duration',
    default: '4.5h',
    minMs: 1000,
    scope: 'queue',
    sentence: 'How long the queue waits at a usage limit when Claude Code does not say when it ends.',
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
    name: 'claude',
    type: 'text',
    default: '',
    scope: 'machine',
    sentence: 'The path of the claude program; empty means the one on the PATH.',
  },
  {
    name: 'permissionMode',
    type: 'choice',
    choices: PERMISSION_MODES,
    default: 'acceptEdits',
    scope: 'machine',
    sentence: 'What Claude may do without asking when the row does not say.',
  },
  {
    name: 'allowBypass',
    type: 'boolean',
    default: false,
    scope: 'machine',
    sentence: 'Whether a row may ask for bypassPermissions, which lets Claude do anything.',
  },
  {
    name: 'openAfterReset',
    type: 'duration',
    default: '1m',
    minMs: 0,
    scope: 'machine',
    sentence: 'How long after the reported end of a usage limit work starts again.',
  },
  {
    name: 'stopGrace',
    type: 'duration',
    default: '10s',
    minMs: 0,
    scope: 'machine',
    sentence: 'How long a run that is told to stop has to end by itself before it is killed.',
  },
  {
    name: 'windowGrace',
    type: 'duration',
    default: '30s',
    minMs: 0,
    scope: 'machine',
    sentence: 'How long a worker that ends with the last editor window waits for one to come back.',
  },
  {
    name: 'claudeRetries',
    type: 'integer',
    unit: 'retries',
    default: 4,
    min: 0,
    scope: 'machine',
    sentence: 'How often Claude Code itself repeats a request that failed for a passing reason.',
  },
] as const satisfies readonly Setting[];
