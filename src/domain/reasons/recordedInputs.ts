import type { GateView } from '../gate/gate';
import type { Choice } from '../order/choice';
import { pick } from '../pick';
import type { Settings } from '../settings/settings';
import type { Definition, TaskId } from '../task/task';

/** Settings that decide which task starts, and why one waits. A test finds a rule that reads another one. */
export const DECIDING_SETTINGS = [
  'atRiskBefore',
  'breakerFailures',
  'limitFallback',
  'lowToMedium',
  'maxPerDay',
  'maxPerHour',
  'maxRunning',
  'maxUnreviewed',
  'mediumToHigh',
  'missedAfter',
  'missedRuns',
  'missedRunsMax',
  'nightBudget',
  'openAfterReset',
  'openStagger',
  'preempt',
  'promotedToHigh',
  'quietHours',
  'reserve',
  'reserveFor',
  'serviceCritical',
  'serviceHigh',
  'serviceLow',
  'serviceMedium',
  'spareBefore',
  'spareTag',
  'strict',
] as const satisfies readonly (keyof Settings)[];

/** The values of these settings. */
export type DecidingSettings = Pick<Settings, (typeof DECIDING_SETTINGS)[number]>;

/** Returns the settings that decide, as plain JSON. */
export function decidingSettingsOf(settings: Settings): DecidingSettings {
  const values = pick(settings, DECIDING_SETTINGS);
  // JSON has no infinity.
  const finite = Object.entries(values).flatMap(([name, value]) =>
    value === Infinity ? [[name, Number.MAX_SAFE_INTEGER] as const] : [],
  );
  return { ...values, ...Object.fromEntries(finite) };
}

/** Fields of a row that decide which task starts, and why one waits. A test finds a rule that reads another one. */
export const DECIDING_FIELDS = [
  'id',
  'priority',
  'workingDir',
  'realDir',
  'dependencies',
  'repeat',
  'maxRetries',
  'createdAt',
  'model',
  'user',
  'deadline',
  'tags',
] as const satisfies readonly (keyof Definition)[];

/** Row as far as it decides: no texts for Claude Code, no permissions and no addresses. */
export interface RowFacts extends Pick<Definition, (typeof DECIDING_FIELDS)[number]> {
  /** The history has not seen the row as it is: no task may start from it. */
  readonly unseen?: true;
}

/** Returns the facts of a row. */
export function rowFactsOf(definition: Definition): RowFacts {
  return pick(definition, DECIDING_FIELDS);
}

/** Facts about a worker, or the user, that asks for a task, and about their account. */
export interface AskerFacts {
  readonly machine: string;
  readonly gate: GateView;
  /** Whether all rows of the queue may run unattended. */
  readonly trusted: boolean;
  /** Rows that may not run unattended, in row order; none where all are trusted. */
  readonly unapproved: readonly TaskId[];
  /** Tasks that the worker asks for. Absent in records of older programs. */
  readonly choice?: Choice;
  /** Its own settings: two workers may have different ones. Absent in records of older programs. */
  readonly settings?: DecidingSettings;
  readonly timeZone?: string;
}

/** Recorded inputs of decisions, besides rows and tasks. Settings and time zone are those of the last asker. */
export interface RecordedInputs {
  readonly settings: DecidingSettings;
  readonly timeZone: string;
  /** Ids of rows that are not valid. */
  readonly invalid: readonly TaskId[];
  /** Facts about the last asker: a worker, or the user, whom no gate and no approval keeps from a task. */
  readonly asked: AskerFacts;
  /** Facts about the last worker that asked; absent: none has. */
  readonly worker?: AskerFacts;
}
