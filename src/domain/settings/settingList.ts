import { MACHINE_SETTINGS } from './machineSettings';
import type { Setting } from './setting';

/** Maximum number of tasks that a streak of failures keeps, and the maximum of `breakerFailures`. */
export const LONGEST_STREAK = 100;

/** Settings of a queue, which every worker follows. */
const QUEUE_SETTINGS = [
  {
    name: 'timeZone',
    type: 'timeZone',
    default: '',
    scope: 'queue',
  },
  {
    name: 'maxPerHour',
    type: 'integer',
    unit: 'attempts',
    default: 20,
    min: 1,
    scope: 'queue',
  },
  {
    name: 'maxPerDay',
    type: 'integer',
    unit: 'attempts',
    default: 100,
    min: 1,
    scope: 'queue',
  },
  {
    name: 'nightBudget',
    type: 'number',
    unit: 'US dollars',
    default: 0,
    min: 0,
    scope: 'queue',
  },
  {
    name: 'strict',
    type: 'boolean',
    default: false,
    scope: 'queue',
  },
  {
    name: 'mediumToHigh',
    type: 'duration',
    default: '4h',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'lowToMedium',
    type: 'duration',
    default: '24h',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'promotedToHigh',
    type: 'duration',
    default: '4h',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'serviceCritical',
    type: 'duration',
    default: '5m',
    minMs: 1000,
    scope: 'queue',
  },
  {
    name: 'serviceHigh',
    type: 'duration',
    default: '30m',
    minMs: 1000,
    scope: 'queue',
  },
  {
    name: 'serviceMedium',
    type: 'duration',
    default: '2h',
    minMs: 1000,
    scope: 'queue',
  },
  {
    name: 'serviceLow',
    type: 'duration',
    default: '24h',
    minMs: 1000,
    scope: 'queue',
  },
  {
    name: 'atRiskBefore',
    type: 'duration',
    default: '5m',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'priorityRules',
    type: 'priorityRules',
    default: '[]',
    scope: 'queue',
  },
  {
    name: 'quietHours',
    type: 'quietHours',
    default: '[]',
    scope: 'queue',
  },
  {
    name: 'pools',
    type: 'pools',
    default: '{}',
    scope: 'queue',
  },
  {
    name: 'maxRunning',
    type: 'integer',
    unit: 'tasks',
    default: 1,
    min: 1,
    scope: 'queue',
  },
  {
    name: 'retryBackoff',
    type: 'duration',
    default: '30s',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'retryBackoffMax',
    type: 'duration',
    default: '1h',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'retryJitter',
    type: 'number',
    unit: 'share',
    default: 0.2,
    min: 0,
    max: 1,
    scope: 'queue',
  },
  {
    name: 'breakerFailures',
    type: 'integer',
    unit: 'tasks',
    default: 3,
    min: 0,
    max: LONGEST_STREAK,
    scope: 'queue',
  },
  {
    name: 'missedRuns',
    type: 'choice',
    choices: ['once', 'skip', 'all'],
    default: 'once',
    scope: 'queue',
  },
  {
    name: 'missedRunsMax',
    type: 'integer',
    unit: 'runs',
    default: 3,
    min: 1,
    scope: 'queue',
  },
  {
    name: 'missedAfter',
    type: 'duration',
    default: '1h',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'keepHistory',
    type: 'duration',
    default: '90d',
    minMs: 86_400_000,
    scope: 'queue',
  },
  {
    name: 'reserve',
    type: 'number',
    unit: 'share',
    default: 0,
    min: 0,
    max: 1,
    scope: 'queue',
  },
  {
    name: 'reserveFor',
    type: 'priorities',
    default: '["critical"]',
    scope: 'queue',
  },
  {
    name: 'spareTag',
    type: 'text',
    default: 'spare',
    scope: 'queue',
  },
  {
    name: 'spareBefore',
    type: 'duration',
    default: '1h',
    minMs: 0,
    scope: 'queue',
  },
  {
    name: 'limitFallback',
    type: 'duration',
    default: '4.5h',
    minMs: 1000,
    // It closes the gate of the whole account. No known usage window lasts longer.
    maxMs: 7 * 86_400_000,
    scope: 'queue',
  },
  {
    // Most models have a context of 200 000 tokens, and Claude Code starts to drop earlier messages somewhat below. At
    // that size each request reads all of it again. Once the cache has expired between two attempts, it does so at the
    // full price.
    name: 'freshSessionAt',
    type: 'integer',
    unit: 'tokens',
    default: 150_000,
    min: 0,
    scope: 'queue',
  },
  {
    name: 'taskTimeout',
    type: 'duration',
    default: '2h',
    minMs: 1000,
    scope: 'queue',
  },
  {
    // It decides what "completed" means and when dependents start, so every worker of the queue must follow it.
    name: 'selfReport',
    type: 'choice',
    choices: ['off', 'asked', 'required'],
    default: 'asked',
    scope: 'queue',
  },
] as const satisfies readonly Setting[];

/** All settings. Readers, documentation and completion are made from this list. */
export const SETTINGS = [...QUEUE_SETTINGS, ...MACHINE_SETTINGS] as const satisfies readonly Setting[];
