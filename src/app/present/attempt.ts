import {
  isUnconfirmed,
  MADE_WAY,
  type Attempt,
  type Billing,
  type CheckRun,
  type Denial,
  type Outcome,
  type Permissions,
  type Tokens,
} from '../../domain/task/attempt';
import { isEndUnknown, ranMs } from '../../domain/task/runTime';
import { isFarFrom } from '../../domain/queue/view';
import { formatDuration } from '../../domain/time/duration';
import { formatMinute } from '../../domain/time/localTime';
import type { Moment } from '../../domain/time/moment';
import { formatMissed } from './reasons/amounts';
import { formatUsd } from '../../domain/usd';
import { nameMachine } from '../../platform/processes/machine';
import { clean } from '../../platform/text/plainText';
import { describeBefore } from '../../platform/text/sentences';
import { t } from '../../platform/text/translate';
import { describeMessage } from './reasons/endNote';
import { describeDiffOf, formatCount, OUTCOME_NAMES } from './counts';
import { COMMA } from './text';

/** Names of the facts of an attempt, in the order in which users ask. */
const FACT_NAMES = {
  task: t('task'),
  outcome: t('outcome'),
  why: t('why'),
  report: t('reported'),
  started: t('started'),
  waited: t('waited'),
  machine: t('ran on'),
  program: t('ran with'),
  allowed: t('allowed'),
  payer: t('billed to'),
  cost: t('cost'),
  tokens: t('tokens'),
  context: t('context'),
  changed: t('changed'),
  accepted: t('accepted'),
  undone: t('undone'),
  check: t('check'),
  before: t('check before'),
  refused: t('refused'),
  limit: t('limit'),
  session: t('session'),
  output: t('output'),
  earlier: t('ran before'),
} as const;

/** Kind of a fact. Code decides by this word, never by the name. */
export type FactKind = keyof typeof FACT_NAMES;

/** Fact about an attempt. */
export interface AttemptFact {
  readonly kind?: FactKind;
  readonly name: string;
  /** One line. */
  readonly text: string;
}

/** Options for the facts of an attempt. */
export interface FactOptions extends Pick<Moment, 'timeZone' | 'machine'> {
  /** Whether the machine that ran it is a fact, as where several share the queue. */
  readonly withMachine: boolean;
}

/** Returns all known facts of an attempt, in the order of their names; unknown ones are left out. */
export function describeAttempt(attempt: Attempt, options: FactOptions): readonly AttemptFact[] {
  const facts = collectFacts(attempt, options);
  return (Object.keys(FACT_NAMES) as FactKind[]).flatMap((kind) => {
    const text = facts[kind];
    if (text === undefined || text === '') return [];
    return [{ kind, name: FACT_NAMES[kind], text: clean(text).replaceAll('\n', ' ') }];
  });
}

function collectFacts(
  attempt: Attempt,
  options: FactOptions,
): Readonly<Record<FactKind, string | undefined>> {
  const { timeZone, withMachine } = options;
  const { session, output } = attempt;
  return {
    task: describeWhich(attempt),
    outcome: describeEnd(attempt),
    why: describeMessage(attempt),
    report: describeReport(attempt),
    started: describeTimes(attempt, options),
    waited: describeWaited(attempt),
    machine: withMachine ? optional(attempt.machine, nameMachine) : undefined,
    program: describeProgram(attempt),
    allowed: optional(attempt.permissions, describePermissions),
    payer: optional(attempt.billing, namePayer),
    cost: optional(attempt.costUsd, formatUsd),
    tokens: optional(attempt.tokens, describeTokens),
    context: optional(attempt.contextTokens, (tokens) =>
      t('{0} tokens in its session at the end', formatCount(tokens)),
    ),
    changed: attempt.diff === undefined ? undefined : describeDiffOf(attempt),
    accepted: optional(attempt.acceptedAt, (at) => formatMinute(at, timeZone)),
    undone: optional(attempt.undoneAt, (at) => formatMinute(at, timeZone)),
    check: optional(attempt.check, describeCheckRun),
    before: optional(attempt.check, describeRunBefore),
    refused: describeDenials(attempt.denials ?? []),
    limit: attempt.limitWarning === true ? t('Claude Code had warned that a limit is near') : undefined,
    session: session ?? undefined,
    output: output === undefined ? undefined : addMachine(`state/outputs/${output}`, attempt, options),
    earlier: optional(attempt.earlierOutput, describeEarlier),
  };
}

/** Adds the machine that ran an attempt to the name of what it left, if that is not the reader's. */
export function addMachine(
  name: string,
  { machine }: Pick<Attempt, 'machine'>,
  reader: Pick<Moment, 'machine'>,
): string {
  return machine !== undefined && isFarFrom(reader, { machine })
    ? t('{0} on {1}', name, nameMachine(machine))
    : name;
}

function describeWhich({ id, number, user }: Attempt): string {
  return user === undefined
    ? t('{0}, attempt {1}', id, number)
    : t('{0}, attempt {1}, for {2}', id, number, user);
}

/** Says that an attempt may have done its task a second time. */
export function describeEarlier(output: string): string {
  return t(
    "the history lost an earlier run of this attempt, so it ran again; that run's output is {0}",
    `state/outputs/${output}`,
  );
}

/** Formats facts for a terminal, one line each. */
export function layFactsOut(facts: readonly AttemptFact[]): string {
  const width = Math.max(...facts.map(({ name }) => name.length));
  return facts.map(({ name, text }) => `${name.padEnd(width)}  ${text}`).join('\n');
}

/** Describes how long a task waited, and whether it was late or missed times; also used in a table. */
export function describeWaited({ waitedMs, late, missed }: Attempt): string {
  return [
    waitedMs === undefined ? [] : formatDuration(waitedMs),
    late === true ? t('late') : [],
    missed === undefined || missed === 0 ? [] : t('{0} missed', formatMissed(missed)),
  ]
    .flat()
    .join(COMMA);
}

function optional<T>(fact: T | undefined, describe: (fact: T) => string | undefined): string | undefined {
  return fact === undefined ? undefined : describe(fact);
}

const REPORTS: Readonly<Record<NonNullable<Attempt['report']>, string>> = {
  finished: t('finished'),
  could_not: t('could not finish'),
  needs_answer: t('needs an answer'),
  none: t('nothing; Claude was asked to report how its work ended'),
};

function describeReport({ report, reportReason }: Attempt): string | undefined {
  if (report === undefined) return undefined;
  return reportReason === undefined ? REPORTS[report] : `${REPORTS[report]}: ${reportReason}`;
}

/** Names the end of an attempt as tables do: `success`, `limit (five_hour)`, `success, not confirmed`. */
export function nameEnd(attempt: Attempt): string {
  return [nameOutcome(attempt), ...(isUnconfirmed(attempt) ? [t('not confirmed')] : [])].join(COMMA);
}

function nameOutcome({ outcome, reason }: Attempt): string {
  const name = OUTCOME_NAMES[outcome];
  return reason === '' || reason === outcome ? name : `${name} (${reason})`;
}

function describeEnd(attempt: Attempt): string {
  const { exitCode, subtype, terminalReason } = attempt;
  const said = [subtype, terminalReason].filter((word) => word !== undefined).join(', ');
  return [
    nameOutcome(attempt),
    ...(isUnconfirmed(attempt) ? [t('not confirmed')] : []),
    ...(typeof exitCode === 'number' ? [t('exit code {0}', exitCode)] : []),
    ...(said === '' ? [] : [t('Claude Code says: {0}', said)]),
  ].join('; ');
}

/** Formats how long an attempt ran; empty: the user did the task by hand. */
export function formatRan(attempt: Attempt): string {
  const ms = ranMs(attempt);
  if (ms !== null) return formatDuration(ms);
  return isEndUnknown(attempt) ? t('unknown') : '';
}

function describeTimes(attempt: Attempt, { timeZone, ...reader }: FactOptions): string {
  const { startedAt, endedAt, apiMs } = attempt;
  const start = formatMinute(startedAt, timeZone);
  if (isEndUnknown(attempt)) return t('{0}, end unknown', start);
  const took = formatDuration(Math.max(0, endedAt - startedAt));
  if (ranMs(attempt) === null) return describeByHand(attempt.machine, reader, start, took);
  return apiMs === undefined
    ? t('{0}, took {1}', start, took)
    : t('{0}, took {1}, {2} of it with the model', start, took, formatDuration(apiMs));
}

function describeByHand(
  machine: string | undefined,
  reader: Pick<Moment, 'machine'>,
  start: string,
  took: string,
): string {
  return machine === undefined || !isFarFrom(reader, { machine })
    ? t('{0}, with you for {1}', start, took)
    : t('{0}, with the user on {1} for {2}', start, nameMachine(machine), took);
}

function describeProgram({ version, model, turns }: Attempt): string {
  return [
    version === undefined ? [] : `Claude Code ${version}`,
    model ?? [],
    turns === undefined ? [] : turns === 1 ? t('1 turn') : t('{0} turns', turns),
  ]
    .flat()
    .join(COMMA);
}

function describePermissions({ mode, tools }: Permissions): string {
  return tools.length === 0 ? mode : `${mode}; ${tools.join(', ')}`;
}

/** Names what an attempt was billed to. */
export function namePayer(billing: Billing): string {
  return PAYERS[billing];
}

const PAYERS: Readonly<Record<Billing, string>> = {
  subscription: t('the subscription'),
  'api-key': t('an API key'),
  cloud: t('a cloud provider'),
  none: t('nobody: there was no sign-in'),
};

function describeTokens({ input, output, cacheRead, cacheWrite }: Tokens): string {
  return t(
    '{0} in, {1} out, {2} read from the cache, {3} written to it',
    formatCount(input),
    formatCount(output),
    formatCount(cacheRead),
    formatCount(cacheWrite),
  );
}

const CHECK_RESULTS: Readonly<Record<CheckRun['result'], string>> = {
  passed: t('passed'),
  failed: t('failed'),
  timeout: t('timeout'),
  'could-not-run': t('could not run'),
};

function describeCheckRun({ result, exitCode, signal, ms }: CheckRun): string {
  const name = CHECK_RESULTS[result];
  const took = formatDuration(ms);
  if (signal !== undefined) return t('{0}, ended by {1}, took {2}', name, signal, took);
  return exitCode === null
    ? t('{0}, took {1}', name, took)
    : t('{0}, exit code {1}, took {2}', name, exitCode, took);
}

function describeRunBefore({ before }: CheckRun): string | undefined {
  return before === undefined
    ? undefined
    : t('{0} It took {1}.', describeBefore(before), formatDuration(before.ms));
}

function describeDenials(denials: readonly Denial[]): string {
  return denials
    .map(({ tool, detail, rule }) => {
      const call = `${tool} ${detail}`.trim();
      return rule === undefined ? call : t('{0} (allowed by {1})', call, rule);
    })
    .join('; ');
}

const WORDS: Record<Outcome, string> = {
  success: t('succeeded'),
  review: t('ended and needs your review'),
  error: t('failed'),
  transient: t('failed with a transient error'),
  limit: t('hit a usage limit'),
  blocked: t('was blocked'),
  permanent: t('failed permanently'),
  cancelled: t('was cancelled'),
  lost: t('was lost'),
};

/** Describes the end of an attempt, to follow the task's name in a sentence. */
export function describeOutcome({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): string {
  // An attempt that was stopped resumes later, so it is not called cancelled.
  const isStopped = outcome === 'cancelled' && (reason === 'stopped' || reason === MADE_WAY);
  return isStopped ? t('was stopped') : WORDS[outcome];
}
