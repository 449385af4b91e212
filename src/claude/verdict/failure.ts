import type { Outcome } from '../../domain/task/attempt';
import type { LimitSignal } from '../../domain/gate/gate';
import type { EndFacts, Finding } from '../stream/endFacts';
import type { ApiFailure, ResultMessage } from '../stream/message';
import { firstLine } from '../../platform/text/plainText';
import { readStatus } from './failureTexts';

/** Failed attempt, with the texts that may be read because they are no answer. */
export interface Failure {
  readonly facts: EndFacts;
  readonly result: ResultMessage | undefined;
  readonly signal: ApiFailure;
  /** Text that Claude Code wrote instead of an answer. */
  readonly text: string;
  /** One line of that text, for the user. */
  readonly message: string;
}

/** Returns the parts of a failed attempt that the rules look at. */
export function gather(facts: EndFacts): Failure {
  const { result, failure, plainText } = facts.stream;
  const text = readMessage(facts);
  const signal = { ...failure, ...result?.failure };
  const status = signal.status ?? readStatus(text);
  const message =
    firstLine(text) || firstLine(result === undefined ? plainText : '') || firstLine(facts.stderr);
  return {
    facts,
    result,
    signal: status === undefined ? signal : { ...signal, status },
    text,
    message:
      message || `Claude Code ended with exit code ${facts.exitCode ?? 'unknown'} and printed nothing.`,
  };
}

/**
 * Returns Claude Code's own words about the failure. Lines of a stream that are not JSON may be anybody's: a
 * hook's, or the rest of a line that was cut off.
 */
function readMessage({ exitCode, stream: { result, failure, structured, plainText } }: EndFacts): string {
  if (result === undefined) return structured ? (failure?.said ?? '') : plainText;
  const isFailure = result.isError ?? exitCode !== 0;
  return [...result.errors, isFailure ? result.text : (failure?.said ?? '')].join('\n').trim();
}

/** Returns a finding with the failure's own words. */
export function find(failure: Failure, outcome: Outcome, reason: string, signal?: LimitSignal): Finding {
  const { message } = failure;
  return signal === undefined ? { outcome, reason, message } : { outcome, reason, message, signal };
}
