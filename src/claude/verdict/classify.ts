import type { AttemptFacts, Outcome, Verdict } from '../../domain/task/attempt';
import type { LimitSignal } from '../../domain/gate/gate';
import type { OwnEnd } from '../attempt/childRun';
import { classifyAnswer, isCompleted, readReportFacts } from './classifyAnswer';
import { classifyFailure } from './classifyFailure';
import { describeDenial } from './denial';
import { compact } from '../stream/json';
import type { Finding, EndFacts } from '../stream/endFacts';
import { readSpending, readUsage } from '../stream/stream';
import { signalSubagentLimits } from '../limits/subagentLimits';

/** Exit codes of a `claude` that a signal ended: 128 + the signal's number. */
const KILLED_CODES: ReadonlyMap<number, string> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [131, 'SIGQUIT'],
  [137, 'SIGKILL'],
  [143, 'SIGTERM'],
]);

/** Signals of a program that crashes. */
const CRASHES: readonly string[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];

/**
 * Returns the verdict on an attempt.
 *
 * Structured signals come before text, and text is only read in a failure, never in an answer. Exit code 0
 * alone is no success: SIGINT gives 0 too, and so does an attempt whose every action was refused.
 *
 * Every attempt of an account that is nearly full reports a near limit (`allowed_warning`), finished or not.
 * That says nothing about the work. If Claude was asked to wrap up for it, the stream says so, and the attempt
 * needs a review.
 */
export function classify(facts: EndFacts): Verdict {
  const { stream } = facts;
  const finding = classifyEnd(facts) ?? classifyAnswer(facts) ?? classifyFailure(facts);
  return {
    ...finding,
    ...(facts.hasOtherPayer === true ? { signal: signalOtherPayer(finding, stream.keySource) } : {}),
    ...describeSubagentLimits(facts),
    denials: stream.work.refused.map(describeDenial),
    usage: readUsage(stream.rateLimit),
    exitCode: facts.signal === null ? facts.exitCode : null,
    ...readReportFacts(facts),
    ...collectFacts(facts, finding.outcome),
  };
}

function describeSubagentLimits(facts: EndFacts): Pick<Verdict, 'subagentLimits'> {
  const subagentLimits = signalSubagentLimits(facts);
  return subagentLimits.length === 0 ? {} : { subagentLimits };
}

/** Returns the facts that the history keeps of an attempt, whatever its outcome. */
function collectFacts({ stream, isResumed }: EndFacts, outcome: Outcome): AttemptFacts {
  const { result, rateLimit, model, version } = stream;
  const isNear = rateLimit?.status === 'allowed_warning' && (outcome === 'success' || outcome === 'review');
  return compact({
    ...readSpending(stream),
    turns: result?.turns,
    model,
    version,
    subtype: result?.subtype,
    terminalReason: result?.terminalReason,
    apiMs: isResumed === true ? undefined : result?.apiMs,
    ...(isNear ? { limitWarning: true as const } : {}),
  });
}

/** Finds an end from outside, by this program or by something else. */
function classifyEnd(facts: EndFacts): Finding | null {
  // Work may be complete before the order to stop arrives. Any other verdict would have it done twice.
  const own = isCompleted(facts) ? null : classifyOwnEnd(facts);
  if (own !== null) return own;
  if (facts.signal !== null && CRASHES.includes(facts.signal)) {
    return find('error', facts.signal, `Claude Code crashed (${facts.signal}).`);
  }
  const killer = facts.signal ?? KILLED_CODES.get(facts.exitCode ?? -1);
  if (killer !== undefined) {
    return find('lost', killer, `Claude Code was killed by ${killer} before it finished.`);
  }
  const interruption = findInterruption(facts);
  if (interruption !== undefined) {
    return find('lost', interruption, 'Claude Code was interrupted before it finished.');
  }
  return isSilentEnd(facts)
    ? find('lost', 'no-result', 'Claude Code ended without a result, as it does when it is interrupted.')
    : null;
}

function classifyOwnEnd({ endedBy, hasOtherPayer, stream, timeoutMs }: EndFacts): Finding | null {
  const isMispaid = endedBy === OTHER_PAYER || (endedBy === undefined && hasOtherPayer === true);
  if (isMispaid) return findOtherPayer(stream.keySource);
  return endedBy === undefined ? null : findOwnEnd(endedBy, timeoutMs);
}

function findInterruption({ exitCode, stream: { result } }: EndFacts): string | undefined {
  if (result?.terminalReason?.startsWith('aborted_') === true) return result.terminalReason;
  // Versions without a terminal reason leave this: no failure has exit code 0.
  return exitCode === 0 && result?.subtype === 'error_during_execution' ? 'interrupted' : undefined;
}

/**
 * Whether the attempt ended with exit code 0 and no result, as after SIGINT. In text format SIGINT leaves two
 * words.
 */
function isSilentEnd({ exitCode, stream }: EndFacts): boolean {
  if (exitCode !== 0 || stream.result !== undefined) return false;
  const text = stream.plainText.trim();
  return stream.structured || text === '' || text === 'Execution error';
}

const OTHER_PAYER = 'other-payer' satisfies OwnEnd;
const UNKNOWN_PLACE = 'an unknown place';
const TAKE_KEY_OUT =
  "Remove the key from Claude Code's settings (~/.claude/settings.json, or the managed ones), or set billing to api-key; then resume the queue.";

/** Returns the finding for an end by order or by timeout. */
export function findOwnEnd(end: OwnEnd, timeoutMs: number | undefined): Finding {
  switch (end) {
    case 'timeout':
      return { ...find('error', end, ''), note: { kind: 'timed-out', ...compact({ afterMs: timeoutMs }) } };
    case 'stopped':
    case 'cancelled':
      return { ...find('cancelled', end, ''), note: { kind: end } };
    case 'made-way':
      // The worker knows for which task.
      return find('cancelled', end, '');
    case 'output-unwritable':
      return find('transient', end, 'Ended because its output would have been lost.');
    case 'other-payer':
      return findOtherPayer(undefined);
    case 'fenced':
      return find('cancelled', end, 'Ended because another worker owns this task now.');
  }
}

/** Returns a finding about the account, not the task: every other attempt would be billed to the same key. */
function findOtherPayer(keySource = UNKNOWN_PLACE): Finding {
  const message = `Claude Code would have used an API key (from ${keySource}), which must not pay for this attempt, so it was ended immediately. ${TAKE_KEY_OUT}`;
  return find('blocked', OTHER_PAYER, message);
}

/**
 * Returns a signal that closes the gate, whatever the outcome: the next attempt would be billed to the key as
 * well.
 */
function signalOtherPayer({ reason, message }: Finding, keySource = UNKNOWN_PLACE): LimitSignal {
  const over = `An attempt ended before it could be kept from using an API key (from ${keySource}), which must not pay for it. ${TAKE_KEY_OUT}`;
  return { kind: 'billing', resetAt: null, message: reason === OTHER_PAYER ? message : over };
}

function find(outcome: Outcome, reason: string, message: string): Finding {
  return { outcome, reason, message };
}
