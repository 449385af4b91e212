import { DENIED, NEEDS_ANSWER } from '../../domain/task/reviewReasons';
import { review, type Ended } from './doubt';
import { SUBAGENT_LIMIT_TEXT } from '../limits/subagentLimits';
import { abbreviate } from '../../platform/text/plainText';
import { asList } from '../../platform/text/shapes';
import { asObject, asText } from '../stream/json';
import type { ToolCall } from '../stream/message';
import { describeCall, joinLines } from '../stream/plain';
import type { Finding, EndFacts } from '../stream/endFacts';

const LONGEST_QUOTE = 300;

/** Finds a question that Claude asked with AskUserQuestion while nobody was there to answer. */
export function findQuestion({ facts: { stream } }: Ended): Finding | undefined {
  const asked = stream.work.questions.flatMap(readQuestions);
  if (stream.work.questions.length === 0) return undefined;
  return review(NEEDS_ANSWER, asked.length === 0 ? 'Claude asked a question.' : asked.join(' '));
}

function readQuestions({ input }: ToolCall): string[] {
  return asList(input['questions'])
    .map(asObject)
    .flatMap(({ question, options }) => {
      const text = asText(question);
      if (text === undefined) return [];
      const labels = asList(options).flatMap((option) => asText(asObject(option)['label']) ?? []);
      return [joinLines(labels.length === 0 ? text : `${text} (${labels.join(' / ')})`)];
    });
}

const PLAN_MODE_WORDS =
  'The attempt was in plan mode, which changes nothing. Read its plan, then run the task in another permission mode.';

/** Finds an attempt that ended in plan mode, or a plan that nobody approved. */
export function findPlan({ facts: { stream } }: Ended): Finding | undefined {
  const { plans } = stream.work;
  if (stream.mode !== 'plan' && plans.length === 0) return undefined;
  const plan = plans.map(({ input }) => asText(input['plan'])).findLast((text) => text !== undefined);
  if (plan === undefined) return review('plan-mode', PLAN_MODE_WORDS);
  return review(
    'plan-mode',
    `Claude made a plan and did not carry it out: ${abbreviate(joinLines(plan), LONGEST_QUOTE)}`,
  );
}

/** Finds a subagent that stopped at a usage limit and whose work was not continued. */
export function findSubagentLimit({ facts: { stream } }: Ended): Finding | undefined {
  const { limits } = stream.work.subagents;
  const kinds = limits.flatMap(({ info, isMadeUpFor }) => (isMadeUpFor ? [] : (info.rateLimitType ?? '')));
  if (kinds.length === 0) return undefined;
  return review(
    'limit-reached',
    `${SUBAGENT_LIMIT_TEXT} (${kinds.join(', ')}). ${describeSubagents(stream.work.subagents)}`,
  );
}

/** Finds a failed subagent whose work no other one did. */
export function findFailedSubagent({ facts: { stream } }: Ended): Finding | undefined {
  const { subagents } = stream.work;
  return subagents.failed.length === 0
    ? undefined
    : review('helper-failed', `A subagent failed. ${describeSubagents(subagents)}`);
}

function describeSubagents({ failed }: EndFacts['stream']['work']['subagents']): string {
  const named = failed.map(({ description, said }) => {
    const cause = said === '' ? '' : ` (${abbreviate(joinLines(said), LONGEST_QUOTE)})`;
    return `${description === '' ? 'a subagent' : description}${cause}`;
  });
  return `Not done: ${list(named)}.`;
}

/** Finds actions that Claude was refused. */
export function findRefusals({ facts: { stream } }: Ended): Finding | undefined {
  const { refused } = stream.work;
  if (refused.length === 0) return undefined;
  const count = refused.length === 1 ? 'an action' : `${refused.length} actions`;
  const calls = refused.map(({ call }) => describe(call));
  return review(DENIED, `Finished, but Claude was refused ${count}: ${list(calls)}.`);
}

/** Finds an attempt in which every change of a file failed and nothing else changed one. */
export function findFailedChanges({ facts: { stream } }: Ended): Finding | undefined {
  const { changesIfAllFailed } = stream.work;
  return changesIfAllFailed.length === 0
    ? undefined
    : review(
        'changes-failed',
        `Every attempt to change a file failed: ${list(changesIfAllFailed.map(describe))}.`,
      );
}

/** Finds an attempt in which every tool call failed. */
export function findFailedCalls({ facts: { stream } }: Ended): Finding | undefined {
  const { callsIfAllFailed } = stream.work;
  return callsIfAllFailed.length === 0
    ? undefined
    : review('calls-failed', `Every tool call failed: ${list(callsIfAllFailed.map(describe))}.`);
}

const SHOWN = 3;

function list(entries: readonly string[]): string {
  const more = entries.length > SHOWN ? `, and ${entries.length - SHOWN} more` : '';
  return `${entries.slice(0, SHOWN).join(', ')}${more}`;
}

function describe(call: ToolCall): string {
  return `${call.name} ${describeCall(call)}`.trim();
}
