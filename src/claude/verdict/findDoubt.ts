import { reviewAs, review, type Doubt, type Ended } from './doubt';
import type { ResultMessage } from '../stream/message';
import { findMissingReport, findReported } from './reportDoubts';
import type { Finding, EndFacts } from '../stream/endFacts';
import {
  findFailedCalls,
  findFailedChanges,
  findFailedSubagent,
  findSubagentLimit,
  findPlan,
  findQuestion,
  findRefusals,
} from './workDoubts';

/**
 * Doubts in order of precedence; the first that applies decides. Those that only the user can settle come
 * first: otherwise one that a passing check settles would hide them.
 */
const DOUBTS: readonly Doubt[] = [
  findNoTurns,
  findQuestion,
  findPlan,
  findEarlyEnd,
  findFailedTurn,
  findReported,
  findEmptyAnswer,
  findMissingReport,
  findSubagentLimit,
  findFailedSubagent,
  findRefusals,
  findFailedChanges,
  findFailedCalls,
  findWrapUp,
];

/** Returns why an attempt that Claude Code calls a success needs a review, or undefined. */
export function findDoubt(result: ResultMessage, facts: EndFacts): Finding | undefined {
  for (const find of DOUBTS) {
    const doubt = find({ result, facts });
    if (doubt !== undefined) return doubt;
  }
  return undefined;
}

const NO_TURNS_WORDS =
  'No model processed the prompt: it is a local command of Claude Code, or a hook refused it.';

function findNoTurns({ result }: Ended): Finding | undefined {
  return hasNoTurns(result) ? review('no-turns', NO_TURNS_WORDS) : undefined;
}

/** Whether no model worked on the prompt. */
export function hasNoTurns(result: ResultMessage): boolean {
  return result.turns === 0 || result.localCommand !== undefined || isUnanswered(result);
}

/** Whether no model has read or written a word. Older versions count a local command's own lines as turns. */
function isUnanswered({ tokens, apiMs }: ResultMessage): boolean {
  return apiMs === 0 && tokens !== undefined && Object.values(tokens).every((count) => count === 0);
}

/** Terminal reasons of a turn that Claude ended itself. A `Stop` hook is asked when the turn is over. */
const FULL_ENDS: readonly (string | undefined)[] = ['completed', 'stop_hook_prevented', undefined];
const FULL_STOPS: readonly (string | undefined)[] = ['end_turn', 'stop_sequence', undefined];

/** Finds an early end: a hook, a call that is put off, or something newer ended the attempt. */
function findEarlyEnd({ result }: Ended): Finding | undefined {
  const early = readEarlyEnd(result);
  return early === undefined
    ? undefined
    : reviewAs(early, `Claude Code ended it early (${early}). Check whether the work is complete.`);
}

function readEarlyEnd({ terminalReason, stopReason }: ResultMessage): string | undefined {
  if (!FULL_ENDS.includes(terminalReason)) return terminalReason;
  return FULL_STOPS.includes(stopReason) ? undefined : stopReason;
}

const FAILED_TURN_WORDS = 'It continued for background work, but its own turn had failed';

function findFailedTurn({ facts: { stream } }: Ended): Finding | undefined {
  const { failedTurn } = stream;
  return failedTurn === undefined ? undefined : review('turn-failed', `${FAILED_TURN_WORDS}: ${failedTurn}`);
}

const EMPTY_WORDS = 'Claude ended without an answer. Check whether the work is complete.';

function findEmptyAnswer({ facts: { stream } }: Ended): Finding | undefined {
  return stream.answer === undefined ? review('empty-answer', EMPTY_WORDS) : undefined;
}

const WRAP_UP_WORDS =
  'It ended near a usage limit after Claude Code asked Claude to wrap up. Check whether the work is complete.';

function findWrapUp({ facts: { stream } }: Ended): Finding | undefined {
  return stream.wrapsUp === true ? review('wrapped-up', WRAP_UP_WORDS) : undefined;
}
