import { LONG_CONTEXT, OWN_CAPS, BAD_PROMPTS, OWN_ERRORS, OWN_STARTS, REFUSAL } from '../domain/ownMistakes';
import type { Finding, RunFacts } from './runFacts';
import { find, gather } from './failure';
import type { Failure } from './failure';
import { findBlock } from './findBlock';
import { findLimit } from './findLimit';
import { isMissingInputText, isStartUpText, isTransientText, readOwnCap } from './limitTexts';

type Rule = (failure: Failure) => Finding | null;

/** In this order; the first that applies decides. */
const RULES: readonly Rule[] = [
  findOwnCap,
  findLongContext,
  findLimit,
  findBlock,
  findStartUp,
  findTransient,
  findPermanent,
];

/** What a run that did not succeed failed of; `error` where nothing says more. */
export function classifyFailure(facts: RunFacts): Finding {
  const failure = gather(facts);
  for (const rule of RULES) {
    const finding = rule(failure);
    if (finding !== null) return finding;
  }
  const { result } = failure;
  const said = result !== undefined && result.subtype !== 'success' ? result.subtype : '';
  return find(failure, 'error', said === '' ? `exit-${facts.exitCode ?? 'unknown'}` : said);
}

function findOwnCap(failure: Failure): Finding | null {
  const { result, text } = failure;
  const reason = result === undefined ? readOwnCap(text) : OWN_CAPS.find((cap) => cap === result.subtype);
  return reason === undefined ? null : find(failure, 'permanent', reason);
}

/** A 429 that no reset ends: the context is larger than the account may use. */
function findLongContext(failure: Failure): Finding | null {
  const { apiError } = failure.signal;
  return apiError === LONG_CONTEXT ? find(failure, 'permanent', apiError) : null;
}

/** Start-up failures for which the published types say that another try may succeed. */
const PASSING_STARTS: readonly string[] = [
  'org_verify_failed',
  'remote_settings_required_unavailable',
  'org_config_required_unavailable',
  'worktree_unverified',
];

/**
 * Claude Code refused to begin. Its name for why is asked for by an environment variable; older versions only write.
 * What is not the task's own is the machine's, and the next version may cure it.
 */
function findStartUp(failure: Failure): Finding | null {
  const { facts, result } = failure;
  const named = result?.startupFailure;
  if (named !== undefined) {
    if (PASSING_STARTS.includes(named)) return find(failure, 'transient', named);
    return find(failure, OWN_STARTS.includes(named) ? 'permanent' : 'error', named);
  }
  const began = facts.stream.version !== undefined || facts.stream.model !== undefined;
  if (began) return null;
  if (isStartUpText(facts.stderr)) return find(failure, 'permanent', 'startup');
  // Our fault and not the task's: recording the run took so long that its prompt came too late.
  return isMissingInputText(facts.stderr) ? find(failure, 'transient', 'not-started') : null;
}

const TRANSIENT_ERRORS: readonly (string | undefined)[] = ['rate_limit', 'overloaded', 'server_error'];

function findTransient(failure: Failure): Finding | null {
  const { signal, text } = failure;
  const { status, apiError } = signal;
  if (status !== undefined && (status === 408 || status === 429 || status >= 500)) {
    return find(failure, 'transient', String(status));
  }
  if (apiError === 'connection_failed') return find(failure, 'transient', apiError);
  if (TRANSIENT_ERRORS.includes(signal.error)) return find(failure, 'transient', signal.error ?? 'network');
  return status === undefined && isTransientText(text) ? find(failure, 'transient', 'network') : null;
}

const PERMANENT_ERRORS: readonly string[] = [...OWN_ERRORS, 'invalid_request'];

function findPermanent(failure: Failure): Finding | null {
  const { signal, result } = failure;
  const ended = result?.terminalReason;
  if (ended !== undefined && BAD_PROMPTS.includes(ended)) return find(failure, 'permanent', ended);
  if (result?.stopReason === REFUSAL) return find(failure, 'permanent', REFUSAL);
  if (signal.error !== undefined && PERMANENT_ERRORS.includes(signal.error)) {
    return find(failure, 'permanent', signal.error);
  }
  const { status } = signal;
  if (status !== undefined && status >= 400 && status < 500)
    return find(failure, 'permanent', String(status));
  return null;
}
