import { SESSION_IN_USE } from '../../domain/task/attempt';
import { DEFAULT_MODEL } from '../../domain/gate/gate';
import {
  BAD_PROMPTS,
  LONG_CONTEXT,
  MODEL_FAULTS,
  OWN_CAPS,
  OWN_ERRORS,
  OWN_STARTS,
  REFUSAL,
} from '../../domain/task/ownMistakes';
import { compact } from '../stream/json';
import { hasStarted, type Finding, type EndFacts } from '../stream/endFacts';
import { find, gather, type Failure } from './failure';
import { findBlock } from '../limits/findBlock';
import { findLimit } from '../limits/findLimit';
import { findTransient } from './findTransient';
import { isMissingInputText, isStartUpText, readOwnCap, readPermanent } from './failureTexts';

type Rule = (failure: Failure) => Finding | null;

/** Rules in order of precedence. The first that applies decides. */
const RULES: readonly Rule[] = [
  findOwnCap,
  findLongContext,
  findLimit,
  findBlock,
  findStartUp,
  findTransient,
  findPermanent,
];

/** Returns why an attempt failed; `error` if no rule says more. */
export function classifyFailure(facts: EndFacts): Finding {
  const failure = gather(facts);
  for (const rule of RULES) {
    const finding = rule(failure);
    if (finding !== null)
      return isOfDefaultModel(finding, facts) ? blockDefaultModel(finding, facts) : finding;
  }
  const { subtype, terminalReason } = failure.result ?? {};
  const reason = [subtype, terminalReason].find((word) => word !== undefined && !NO_REASONS.includes(word));
  return find(failure, 'error', reason ?? `exit-${facts.exitCode ?? 'unknown'}`);
}

/** Whether the default model, which every row without a model uses, is at fault. */
function isOfDefaultModel({ outcome, reason }: Finding, { usesDefaultModel }: EndFacts): boolean {
  return usesDefaultModel === true && outcome === 'permanent' && MODEL_FAULTS.includes(reason);
}

function blockDefaultModel({ reason, message }: Finding, { stream: { model } }: EndFacts): Finding {
  return {
    outcome: 'blocked',
    reason,
    message: `${message} This is the default model of rows that name none. ${FIX_DEFAULT_MODEL}`,
    signal: { kind: DEFAULT_MODEL, resetAt: null, message, ...compact({ model }) },
  };
}

const FIX_DEFAULT_MODEL =
  'Choose another default model with /model in Claude Code, or name a model in the row; then resume the queue.';

/** Words of a result line that occur in failures of every kind. */
const NO_REASONS: readonly string[] = ['', 'success', 'completed', 'api_error'];

function findOwnCap(failure: Failure): Finding | null {
  const { result, text } = failure;
  const reason = result === undefined ? readOwnCap(text) : OWN_CAPS.find((cap) => cap === result.subtype);
  if (reason === undefined) return null;
  const finding = find(failure, 'permanent', reason);
  return text === '' ? { ...finding, message: CAP_WORDS } : finding;
}

/** Message for older versions, which print nothing. */
const CAP_WORDS = 'It used up the turns or the budget of its row.';

/** Finds a context that is larger than the account may use: a 429 that no reset ends. */
function findLongContext(failure: Failure): Finding | null {
  const { signal, text } = failure;
  const isLong =
    signal.apiError === LONG_CONTEXT ||
    (signal.apiError === undefined && readPermanent(text) === LONG_CONTEXT);
  return isLong ? find(failure, 'permanent', LONG_CONTEXT) : null;
}

/** Start-up failures that may pass on another try, according to the published types. */
const PASSING_STARTS: readonly string[] = [
  'org_verify_failed',
  'remote_settings_required_unavailable',
  'org_config_required_unavailable',
  'worktree_unverified',
];

/** Start-up failure: another Claude Code has the session open in the background. */
const HELD_SESSION = 'session_held_by_background';

/**
 * Finds a refusal to start. An environment variable makes Claude Code name the reason; older versions only
 * write text. A reason that is not the task's own is the machine's, and the next version may cure it.
 */
function findStartUp(failure: Failure): Finding | null {
  const { facts, result, text } = failure;
  const named = result?.startupFailure;
  if (named !== undefined) {
    if (named === HELD_SESSION) return find(failure, 'transient', SESSION_IN_USE);
    if (PASSING_STARTS.includes(named)) return find(failure, 'transient', named);
    return find(failure, OWN_STARTS.includes(named) ? 'permanent' : 'error', named);
  }
  if (hasStarted(facts)) return null;
  if (isStartUpText(facts.stderr) || (result !== undefined && isStartUpText(text)))
    return find(failure, 'permanent', 'startup');
  return hasMissedPrompt(facts) ? find(failure, 'transient', 'not-started') : null;
}

/**
 * Whether Claude Code waited in vain for its prompt. This program is at fault, not the task: confirming who pays or
 * recording the attempt took too long.
 */
export function hasMissedPrompt(facts: Pick<EndFacts, 'stream' | 'stderr'>): boolean {
  return !hasStarted(facts) && isMissingInputText(facts.stderr);
}

/** Error that blames the request without a reason. */
const INVALID_REQUEST = 'invalid_request';

/** Terminal reasons of a full context that could not be made smaller, or not for long. */
const FULL_CONTEXTS: readonly string[] = ['blocking_limit', 'rapid_refill_breaker'];

function findPermanent(failure: Failure): Finding | null {
  const reason = readEnd(failure) ?? readError(failure);
  return reason === undefined ? null : find(failure, 'permanent', reason);
}

function readEnd({ result }: Failure): string | undefined {
  const { terminalReason, stopReason } = result ?? {};
  if (terminalReason !== undefined && BAD_PROMPTS.includes(terminalReason)) return terminalReason;
  if (terminalReason !== undefined && FULL_CONTEXTS.includes(terminalReason)) return 'prompt_too_long';
  return stopReason === REFUSAL ? stopReason : undefined;
}

function readError({ signal: { error, status }, text }: Failure): string | undefined {
  if (error !== undefined && OWN_ERRORS.includes(error)) return error;
  const reason = readPermanent(text) ?? (error === INVALID_REQUEST ? error : undefined);
  if (reason !== undefined) return reason;
  return status !== undefined && status >= 400 && status < 500 ? String(status) : undefined;
}
