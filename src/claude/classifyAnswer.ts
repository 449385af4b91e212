import { DENIED, WRAPPED_UP } from '../domain/attempt';
import { formatUsd } from '../domain/usd';
import { firstLine } from '../platform/plainText';
import type { ResultMessage } from './message';
import { describeCall } from './plain';
import type { Finding, RunFacts } from './runFacts';
import { readSpending, type StreamFacts } from './stream';

/** Three refused calls with their paths fit in. */
const LONGEST_MESSAGE = 1000;

/** Claude Code says that all went well; what speaks against calling it done makes it a case for a person. */
export function classifyAnswer(facts: RunFacts): Finding | null {
  const { stream, exitCode } = facts;
  const { result } = stream;
  if (exitCode === 0 && (result === undefined || isUnmarked(result))) {
    return review('unstructured', 'The output is not in the format that was asked for; please look.');
  }
  if (result === undefined || !isCompleted(facts)) return null;
  const doubt = findDoubt(result, stream);
  if (doubt !== undefined) return doubt;
  return { outcome: 'success', reason: 'done', message: describeWork(result, readSpending(stream).costUsd) };
}

/** Those that a row's own check cannot settle come first: they must not hide behind a refusal, which it can. */
function findDoubt(result: ResultMessage, { failedTurn, wrapsUp }: StreamFacts): Finding | undefined {
  if (result.turns === 0 || result.localCommand !== undefined || isUnanswered(result)) {
    return review('no-turns', NO_TURNS_WORDS);
  }
  const early = findEarlyEnd(result);
  if (early !== undefined) {
    return review(early, `Claude Code ended it early (${early}): see whether the work is complete.`);
  }
  if (failedTurn !== undefined) return review('turn-failed', `${FAILED_TURN_WORDS}: ${failedTurn}`);
  if (result.refused.length > 0) return describeRefusals(result);
  return wrapsUp === true ? review(WRAPPED_UP, WRAP_UP_WORDS) : undefined;
}

function review(reason: string, message: string): Finding {
  return { outcome: 'review', reason, message: firstLine(message, LONGEST_MESSAGE) };
}

/** Whether Claude Code says that all went well. A failure that nothing was said after is the end, whatever the result says. */
export function isCompleted({ exitCode, stream: { result, failure } }: RunFacts): boolean {
  return exitCode === 0 && result?.subtype === 'success' && result.isError === false && failure === undefined;
}

/** It says that it has succeeded, and not whether it is an error. */
function isUnmarked({ subtype, isError }: ResultMessage): boolean {
  return subtype === 'success' && isError === null;
}

/** Older versions count a local command's own lines as turns, but no model has read or written a word. */
function isUnanswered({ tokens, apiMs }: ResultMessage): boolean {
  return apiMs === 0 && tokens !== undefined && Object.values(tokens).every((count) => count === 0);
}

/** Ends of a turn that Claude came to itself; a hook of `Stop` is asked when that is over. */
const FULL_ENDS: readonly (string | undefined)[] = ['completed', 'stop_hook_prevented', undefined];
const FULL_STOPS: readonly (string | undefined)[] = ['end_turn', 'stop_sequence', undefined];

/** Why it is not known that Claude had come to its end: a hook, a call that is put off, or something newer. */
function findEarlyEnd({ terminalReason, stopReason }: ResultMessage): string | undefined {
  if (!FULL_ENDS.includes(terminalReason)) return terminalReason;
  return FULL_STOPS.includes(stopReason) ? undefined : stopReason;
}

const REFUSALS_SHOWN = 3;

function describeRefusals({ refused }: ResultMessage): Finding {
  const shown = refused.slice(0, REFUSALS_SHOWN).map((call) => `${call.name} ${describeCall(call)}`.trim());
  const more = refused.length > REFUSALS_SHOWN ? `, and ${refused.length - REFUSALS_SHOWN} more` : '';
  const count = refused.length === 1 ? 'an action' : `${refused.length} actions`;
  return review(DENIED, `Finished, but Claude was refused ${count}: ${shown.join(', ')}${more}.`);
}

const NO_TURNS_WORDS =
  'No model worked on the prompt: it is a local command of Claude Code, or a hook refused it.';
const FAILED_TURN_WORDS = 'It went on for what ran in the background, but its own turn had failed';
const WRAP_UP_WORDS =
  'It ended near a usage limit, and Claude Code had told Claude to wrap up: see whether the work is complete.';

function describeWork({ turns }: ResultMessage, costUsd: number | undefined): string {
  const parts = [
    turns === undefined ? [] : `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    costUsd === undefined ? [] : formatUsd(costUsd),
  ].flat();
  return parts.length === 0 ? 'Done.' : `Done in ${parts.join(', ')}.`;
}
