import type { AttemptFacts } from '../../domain/task/attempt';
import { formatUsd } from '../../domain/usd';
import { review } from './doubt';
import { findDoubt, hasNoTurns } from './findDoubt';
import type { ResultMessage } from '../stream/message';
import { describeReport } from './reportDoubts';
import type { Finding, EndFacts } from '../stream/endFacts';
import { readSpending } from '../stream/stream';

/**
 * Returns the finding for an attempt that Claude Code calls a success, else null. A doubt about the work makes
 * it a case for review.
 */
export function classifyAnswer(facts: EndFacts): Finding | null {
  const { stream, exitCode } = facts;
  const { result } = stream;
  if (exitCode === 0 && (result === undefined || isUnmarked(result))) {
    return review('unstructured', 'The output is not in the requested format. Check it.');
  }
  if (result === undefined || !isCompleted(facts)) return null;
  const doubt = findDoubt(result, facts);
  if (doubt !== undefined) return doubt;
  const work = describeWork(result, readSpending(stream).costUsd);
  const isOpen = describeReport({ result, facts }).report === 'none';
  return { outcome: 'success', reason: 'done', message: isOpen ? `${work} ${UNCONFIRMED_WORDS}` : work };
}

const UNCONFIRMED_WORDS = 'Not confirmed: Claude did not report how its work ended.';

/** Returns what Claude reported at a clean end; empty for any other end. */
export function readReportFacts(facts: EndFacts): Pick<AttemptFacts, 'report' | 'reportReason'> {
  const { result } = facts.stream;
  const isClean = result !== undefined && isCompleted(facts) && !hasNoTurns(result);
  return isClean ? describeReport({ result, facts }) : {};
}

/**
 * Whether Claude Code reports success. A failure that nothing was said after is the end, whatever the result
 * says.
 */
export function isCompleted({ exitCode, stream: { result, failure } }: EndFacts): boolean {
  return exitCode === 0 && result?.subtype === 'success' && result.isError === false && failure === undefined;
}

/** Whether a result reports success but not whether it is an error. */
function isUnmarked({ subtype, isError }: ResultMessage): boolean {
  return subtype === 'success' && isError === null;
}

function describeWork({ turns }: ResultMessage, costUsd: number | undefined): string {
  const parts = [
    turns === undefined ? [] : `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    costUsd === undefined ? [] : formatUsd(costUsd),
  ].flat();
  return parts.length === 0 ? 'Done.' : `Done in ${parts.join(', ')}.`;
}
