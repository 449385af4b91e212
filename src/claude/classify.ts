import type { Outcome, Verdict } from '../domain/attempt';
import { formatUsd } from '../domain/usd';
import type { OwnEnd } from './childRun';
import { classifyFailure } from './classifyFailure';
import { compact } from './json';
import type { ResultMessage } from './message';
import type { Finding, RunFacts } from './runFacts';
import { clean, describeCall } from './plain';
import { readUsage } from './stream';

/** Exit codes of a `claude` that caught SIGHUP, SIGQUIT, SIGKILL's stand-in or SIGTERM: 128 + the signal's number. */
const KILLED_CODES: ReadonlyMap<number, string> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [131, 'SIGQUIT'],
  [137, 'SIGKILL'],
  [143, 'SIGTERM'],
]);

/**
 * What became of a run. Structured signals come before text, and text is only read in a failure, never in an answer.
 * Exit code 0 alone is no success: SIGINT gives 0 too, and so does a run whose every action was refused.
 *
 * That Claude wrapped up early because of the limit's warning cannot be told from facts: `allowed_warning` stands in
 * every run of an account that is nearly full, finished or not, and nothing in the stream says that it changed the work.
 */
export function classify(facts: RunFacts): Verdict {
  const { stream } = facts;
  const finding = classifyEnd(facts) ?? classifyAnswer(facts) ?? classifyFailure(facts);
  return {
    ...finding,
    denials: (stream.result?.refused ?? []).map((call) => ({ tool: call.name, detail: describeCall(call) })),
    usage: readUsage(stream.rateLimit),
    exitCode: facts.signal === null ? facts.exitCode : null,
    ...compact({
      turns: stream.result?.turns,
      costUsd: stream.result?.costUsd,
      model: stream.model,
      version: stream.version,
    }),
  };
}

/** Ended from outside, by us or by somebody else. */
function classifyEnd(facts: RunFacts): Finding | null {
  // The work was complete before the order to stop arrived; calling it anything else would have it done twice.
  if (facts.endedBy !== undefined && !isCompleted(facts)) return OWN_ENDS[facts.endedBy];
  const killer = facts.signal ?? KILLED_CODES.get(facts.exitCode ?? -1);
  if (killer !== undefined) {
    return find('lost', killer, `Claude Code was ended from outside by ${killer} before it was done.`);
  }
  const end = facts.stream.result?.terminalReason;
  if (end?.startsWith('aborted_') === true) {
    return find('lost', end, 'Claude Code was interrupted before it was done.');
  }
  return isSilentEnd(facts)
    ? find('lost', 'no-result', 'Claude Code ended without a result, as it does when it is interrupted.')
    : null;
}

/** Exit code 0 and no result: what SIGINT leaves. In text format it leaves two words. */
function isSilentEnd({ exitCode, stream }: RunFacts): boolean {
  if (exitCode !== 0 || stream.result !== undefined) return false;
  const text = stream.plainText.trim();
  return stream.structured || text === '' || text === 'Execution error';
}

function isCompleted({ exitCode, stream: { result } }: RunFacts): boolean {
  return exitCode === 0 && result?.subtype === 'success' && !result.isError;
}

/** What an end by order, or by time, means for the task. */
export const OWN_ENDS: Readonly<Record<OwnEnd, Finding>> = {
  timeout: find('error', 'timeout', 'The time for this attempt was used up, so it was ended.'),
  stopped: find('cancelled', 'stopped', 'Stopped together with its worker; it goes on later in its session.'),
  cancelled: find('cancelled', 'cancelled', 'Cancelled by a person.'),
  'output-unwritable': find(
    'transient',
    'output-unwritable',
    'The output could not be written, so it was ended.',
  ),
  fenced: find('cancelled', 'fenced', 'Ended because another worker owns this task now.'),
};

/** Claude Code says that all went well; what speaks against calling it done makes it a case for a person. */
function classifyAnswer(facts: RunFacts): Finding | null {
  const { result } = facts.stream;
  if (result === undefined && facts.exitCode === 0) {
    return find('review', 'unstructured', 'The output is not in the format that was asked for; please look.');
  }
  if (result === undefined || !isCompleted(facts)) return null;
  if (result.refused.length > 0) return describeRefusals(result);
  if (result.turns === 0 || result.localCommand !== undefined) {
    return find(
      'review',
      'no-turns',
      'The prompt ran as a local command of Claude Code; no model worked on it.',
    );
  }
  return find('success', 'done', describeWork(result));
}

const REFUSALS_SHOWN = 3;

function describeRefusals({ refused }: ResultMessage): Finding {
  const shown = refused.slice(0, REFUSALS_SHOWN).map((call) => `${call.name} ${describeCall(call)}`.trim());
  const more = refused.length > REFUSALS_SHOWN ? `, and ${refused.length - REFUSALS_SHOWN} more` : '';
  const count = refused.length === 1 ? 'an action' : `${refused.length} actions`;
  return find(
    'review',
    'denied',
    clean(`Finished, but Claude was refused ${count}: ${shown.join(', ')}${more}.`),
  );
}

function describeWork({ turns, costUsd }: ResultMessage): string {
  const parts = [
    turns === undefined ? [] : `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    costUsd === undefined ? [] : formatUsd(costUsd),
  ].flat();
  return parts.length === 0 ? 'Done.' : `Done in ${parts.join(', ')}.`;
}

function find(outcome: Outcome, reason: string, message: string): Finding {
  return { outcome, reason, message };
}
