import type { Outcome } from '../domain/attempt';
import type { LimitSignal } from '../domain/limits';
import type { RunFacts, Finding } from './runFacts';
import type { ApiFailure, ResultMessage } from './message';
import { firstLine } from './plain';

/** A failed run, with the texts that may be read because they are no answer. */
export interface Failure {
  readonly facts: RunFacts;
  readonly result: ResultMessage | undefined;
  readonly signal: ApiFailure;
  /** What Claude Code wrote instead of an answer. */
  readonly text: string;
  /** One line of it, for a person. */
  readonly message: string;
}

/** Puts together what the rules look at. */
export function gather(facts: RunFacts): Failure {
  const { result, failure, plainText } = facts.stream;
  const told =
    result === undefined ? '' : [...result.errors, ...(result.isError ? [result.text] : [])].join('\n');
  const text = result === undefined ? plainText : told;
  const message = firstLine(text) || firstLine(facts.stderr);
  // A failure that was reported on the way counts only where the end says that something failed.
  const past = result === undefined || result.isError ? failure : undefined;
  return {
    facts,
    result,
    signal: { ...past, ...result?.failure },
    text,
    message: message || `Claude Code ended with exit code ${facts.exitCode ?? 'unknown'} and said nothing.`,
  };
}

/** A finding with the failure's own words. */
export function find(failure: Failure, outcome: Outcome, reason: string, signal?: LimitSignal): Finding {
  const { message } = failure;
  return signal === undefined ? { outcome, reason, message } : { outcome, reason, message, signal };
}
