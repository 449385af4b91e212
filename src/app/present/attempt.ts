import {
  isUnconfirmed,
  type Attempt,
  type Billing,
  type CheckRun,
  type Denial,
  type EndNote,
  type Outcome,
  type Permissions,
  type Tokens,
} from '../../domain/task/attempt';
import type { TaskState } from '../../domain/queue/view';
import { formatDuration } from '../../domain/time/duration';
import { formatMinute } from '../../domain/time/localTime';
import { formatMissed } from './reasons/amounts';
import { formatUsd } from '../../domain/usd';
import { clean } from '../../platform/text/plainText';
import { describeDiff, formatCount } from './counts';
import { count } from './text';

/** Fact about an attempt. */
export interface AttemptFact {
  readonly name: string;
  /** One line. */
  readonly text: string;
}

/** Returns all known facts of an attempt, in the order in which users ask; unknown ones are left out. */
export function describeAttempt(attempt: Attempt, timeZone: string): readonly AttemptFact[] {
  const { id, number, user, session, output } = attempt;
  const facts: Readonly<Record<string, string | undefined>> = {
    task: `${String(id)}, attempt ${String(number)}${user === undefined ? '' : `, for ${user}`}`,
    outcome: describeEnd(attempt),
    why: describeMessage(attempt),
    reported: describeReport(attempt),
    started: describeTimes(attempt, timeZone),
    waited: describeWaited(attempt),
    'ran with': describeProgram(attempt),
    allowed: optional(attempt.permissions, describePermissions),
    'billed to': optional(attempt.billing, namePayer),
    cost: optional(attempt.costUsd, formatUsd),
    tokens: optional(attempt.tokens, describeTokens),
    context: optional(
      attempt.contextTokens,
      (tokens) => `${formatCount(tokens)} tokens in its session at the end`,
    ),
    changed: optional(attempt.diff, describeDiff),
    check: optional(attempt.check, describeCheckRun),
    refused: describeDenials(attempt.denials ?? []),
    limit: attempt.limitWarning === true ? 'Claude Code had warned that a limit is near' : undefined,
    session: session ?? undefined,
    output: output === undefined ? undefined : `state/outputs/${output}`,
    'ran before': optional(attempt.earlierOutput, describeEarlier),
  };
  return Object.entries(facts).flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [{ name, text: clean(text).replaceAll('\n', ' ') }],
  );
}

/** Says that an attempt may have done its task a second time. */
export function describeEarlier(output: string): string {
  return `the history lost an earlier run of this attempt, so it ran again; that run's output is state/outputs/${output}`;
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
    late === true ? 'late' : [],
    missed === undefined || missed === 0 ? [] : `${formatMissed(missed)} missed`,
  ]
    .flat()
    .join(', ');
}

function optional<T>(fact: T | undefined, describe: (fact: T) => string): string | undefined {
  return fact === undefined ? undefined : describe(fact);
}

const REPORTS: Readonly<Record<NonNullable<Attempt['report']>, string>> = {
  finished: 'finished',
  could_not: 'could not finish',
  needs_answer: 'needs an answer',
  none: 'nothing; Claude was asked to report how its work ended',
};

function describeReport({ report, reportReason }: Attempt): string | undefined {
  if (report === undefined) return undefined;
  return reportReason === undefined ? REPORTS[report] : `${REPORTS[report]}: ${reportReason}`;
}

/** Names the end of an attempt as tables do: `success`, `limit (five_hour)`, `success, not confirmed`. */
export function nameEnd(attempt: Attempt): string {
  return [nameOutcome(attempt), ...(isUnconfirmed(attempt) ? ['not confirmed'] : [])].join(', ');
}

function nameOutcome({ outcome, reason }: Attempt): string {
  return reason === '' || reason === outcome ? outcome : `${outcome} (${reason})`;
}

function describeEnd(attempt: Attempt): string {
  const { exitCode, subtype, terminalReason } = attempt;
  const said = [subtype, terminalReason].filter((word) => word !== undefined).join(', ');
  return [
    nameOutcome(attempt),
    ...(isUnconfirmed(attempt) ? ['not confirmed'] : []),
    ...(typeof exitCode === 'number' ? [`exit code ${String(exitCode)}`] : []),
    ...(said === '' ? [] : [`Claude Code says: ${said}`]),
  ].join('; ');
}

function describeTimes({ startedAt, endedAt, apiMs }: Attempt, timeZone: string): string {
  const took = formatDuration(endedAt - startedAt);
  const model = apiMs === undefined ? '' : `, ${formatDuration(apiMs)} of it with the model`;
  return `${formatMinute(startedAt, timeZone)}, took ${took}${model}`;
}

function describeProgram({ version, model, turns }: Attempt): string {
  return [
    version === undefined ? [] : `Claude Code ${version}`,
    model ?? [],
    turns === undefined ? [] : count(turns, 'turn'),
  ]
    .flat()
    .join(', ');
}

function describePermissions({ mode, tools }: Permissions): string {
  return tools.length === 0 ? mode : `${mode}; ${tools.join(', ')}`;
}

/** Names what an attempt was billed to. */
export function namePayer(billing: Billing): string {
  return PAYERS[billing];
}

const PAYERS: Readonly<Record<Billing, string>> = {
  subscription: 'the subscription',
  'api-key': 'an API key',
  cloud: 'a cloud provider',
  none: 'nobody: there was no sign-in',
};

function describeTokens({ input, output, cacheRead, cacheWrite }: Tokens): string {
  const cache = `${formatCount(cacheRead)} read from the cache, ${formatCount(cacheWrite)} written to it`;
  return `${formatCount(input)} in, ${formatCount(output)} out, ${cache}`;
}

function describeCheckRun({ result, exitCode, ms }: CheckRun): string {
  const code = exitCode === null ? '' : `, exit code ${String(exitCode)}`;
  return `${result.replaceAll('-', ' ')}${code}, took ${formatDuration(ms)}`;
}

function describeDenials(denials: readonly Denial[]): string {
  return denials
    .map(
      ({ tool, detail, rule }) =>
        `${tool} ${detail}`.trim() + (rule === undefined ? '' : ` (allowed by ${rule})`),
    )
    .join('; ');
}

const WORDS: Record<Outcome, string> = {
  success: 'succeeded',
  review: 'ended and needs your review',
  error: 'failed',
  transient: 'failed with a transient error',
  limit: 'hit a usage limit',
  blocked: 'was blocked',
  permanent: 'failed permanently',
  cancelled: 'was cancelled',
  lost: 'was lost',
};

/** Describes the end of an attempt, to follow the task's name in a sentence. */
export function describeOutcome({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): string {
  // An attempt stopped with its worker resumes later, so it is not called cancelled.
  return outcome === 'cancelled' && reason === 'stopped' ? 'was stopped' : WORDS[outcome];
}

/** Describes an end in the words of this program, of Claude Code, or both. */
export function describeMessage({ message, note }: Pick<Attempt, 'message' | 'note'>): string {
  const noted = note === undefined ? '' : describeNote(note);
  return [noted, message].filter((text) => text !== '').join(' ');
}

/** Describes the last end of a task; null if it never ran. */
export function describeLastMessage({ lastMessage, lastNote: note }: LastEnd): string | null {
  if (lastMessage === null) return null;
  return describeMessage({ message: lastMessage, ...(note === undefined ? {} : { note }) });
}

type LastEnd = Pick<TaskState, 'lastMessage' | 'lastNote'>;

function describeNote(note: EndNote): string {
  switch (note.kind) {
    case 'stopped':
      return 'Stopped with its worker; will resume in the same session.';
    case 'cancelled':
      return 'Cancelled by the user.';
    case 'timed-out':
      return note.afterMs === undefined ? 'Timed out.' : `Timed out after ${formatDuration(note.afterMs)}.`;
    case 'owner-died':
      return describeDeath(note);
    case 'history-lost':
      return `${describeDeath(note)} The queue file says ${note.status}, but the history of attempt ${String(note.attempt)} is lost. Accept it if it is done, or retry it.`;
    case 'ended-by-scripts':
      return describeScriptsEnd(note);
    case 'written-by-scripts':
      return 'Was written into NEXT_TASK.md by queue_manager.sh. Accept it if it is done, or retry it.';
    case 'undecided-by-scripts':
      return 'Ran under queue_manager.sh, and its row read pending. Accept it if it is done, or retry it.';
    default:
      return describeUnknown(note);
  }
}

/** Sentence for an attempt that runs on another machine. */
export const RUNS_ELSEWHERE = 'Its output is not shown: it stays on the machine of the worker.';

/** Sentence for an attempt without its output file. */
export const NO_OUTPUT_HERE =
  'Its output is not on this machine: another machine ran the attempt, or the file was removed.';

/** A later version may add notes that this one does not know. */
function describeUnknown(_: never): string {
  return '';
}

function describeDeath({ worker }: { readonly worker: string | null }): string {
  return `${worker === null ? 'The owner' : `Worker ${worker}`} died during the attempt.`;
}

function describeScriptsEnd({ log, code }: Extract<EndNote, { readonly kind: 'ended-by-scripts' }>): string {
  if (log === 'quota_exceeded.log') return `Hit the usage limit under queue_manager.sh (${log}).`;
  return code === 0
    ? `Ended with exit code 0 under queue_manager.sh (${log}).`
    : `Failed with exit code ${String(code)} under queue_manager.sh (${log}).`;
}
