import { describeWaited, formatRan, namePayer, nameEnd } from '../../../app/present/attempt';
import { describeMessage } from '../../../app/present/reasons/endNote';
import { describeDiffOf, OUTCOME_NAMES } from '../../../app/present/counts';
import { shorten } from '../../../app/present/text';
import type { Attempt, Outcome } from '../../../domain/task/attempt';
import { hasDiff } from '../../../domain/task/attemptFacts';
import { formatMinute } from '../../../domain/time/localTime';
import { formatUsd } from '../../../domain/usd';
import type { Definition, TaskId } from '../../../domain/task/task';
import { revealInvisible } from '../../../platform/text/invisible';
import { t } from '../../../platform/text/translate';

/** Row of the table of attempts, in words. */
export interface AttemptRow {
  readonly attempt: Attempt;
  /** Names the attempt to the commands. */
  readonly key: string;
  readonly outcome: string;
  readonly task: string;
  readonly started: string;
  readonly waited: string;
  readonly ran: string;
  readonly cost: string;
  readonly payer: string;
  readonly user: string;
  /** Size of its changes; empty if none are known. */
  readonly changes: string;
  /** One sentence about its end. */
  readonly message: string;
}

const PROMPT_WIDTH = 80;

/** Composes the rows of attempts, in their order; `prompts`: of the tasks whose rows still exist. */
export function composeRows(
  attempts: readonly Attempt[],
  prompts: ReadonlyMap<TaskId, Definition['prompt']>,
  timeZone: string,
): readonly AttemptRow[] {
  return attempts.map((attempt) => {
    const { id, number, startedAt, costUsd, billing, user = '' } = attempt;
    const prompt = prompts.get(id);
    return {
      attempt,
      key: `${String(id)} ${String(number)}`,
      outcome: nameEnd(attempt),
      task: `${String(id)} ${prompt === undefined ? t('(row removed)') : revealInvisible(shorten(prompt, PROMPT_WIDTH))}`,
      started: formatMinute(startedAt, timeZone),
      waited: describeWaited(attempt),
      ran: formatRan(attempt),
      cost: costUsd === undefined ? '' : formatUsd(costUsd),
      payer: billing === undefined ? '' : namePayer(billing),
      user: revealInvisible(user),
      changes: hasDiff(attempt) ? describeDiffOf(attempt) : '',
      message: revealInvisible(describeMessage(attempt)),
    };
  });
}

/** Returns the rows that have every word of a text, in any of their texts; upper and lower case are alike. */
export function filterRows(rows: readonly AttemptRow[], text: string): readonly AttemptRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const { attempt, outcome, task, started, payer, user, message } = row;
    // In every language, the word of the history finds an outcome too.
    const all = [attempt.outcome, outcome, task, started, payer, user, message].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Kinds of ends in the pictures, from good to bad, with the colours of the theme. */
export const END_KINDS = [
  { kind: 'success', colour: 'charts-green', outcomes: ['success'] },
  { kind: 'review', colour: 'charts-purple', outcomes: ['review'] },
  { kind: 'limit', colour: 'charts-yellow', outcomes: ['limit', 'blocked'] },
  { kind: 'error', colour: 'charts-red', outcomes: ['error', 'permanent'] },
  { kind: 'other', colour: 'disabledForeground', outcomes: ['transient', 'cancelled', 'lost'] },
] as const satisfies readonly { kind: string; colour: string; outcomes: readonly Outcome[] }[];

export type EndKind = (typeof END_KINDS)[number]['kind'];

/** Names of the kinds of ends. */
export const KIND_NAMES: Readonly<Record<EndKind, string>> = { ...OUTCOME_NAMES, other: t('other') };

/** Returns the kind of an end. */
export function kindOfEnd(outcome: Outcome): EndKind {
  const found = END_KINDS.find(({ outcomes }) => outcomes.some((one) => one === outcome));
  return found?.kind ?? 'other';
}
