import { addMachine, describeAttempt, layFactsOut, type FactOptions } from '../../app/present/attempt';
import type { TaskView } from '../../domain/queue/view';
import type { Attempt } from '../../domain/task/attempt';
import { hasDiff } from '../../domain/task/attemptFacts';
import { quoteCommand } from '../../platform/text/commandName';

/** Lays out all known facts of an attempt, with the command that prints its changes. `isLatest`: of its task. */
export function layAttemptOut(
  attempt: Attempt,
  { isLatest, ...options }: FactOptions & { readonly isLatest: boolean },
): string {
  const { id, number } = attempt;
  const command = quoteCommand(`diff ${String(id)}${isLatest ? '' : ` --attempt ${String(number)}`}`);
  const hint = hasDiff(attempt) ? `: ${addMachine(command, attempt, options)}` : '';
  const facts = describeAttempt(attempt, options);
  return layFactsOut(
    facts.map(({ kind, name, text }) => ({ name, text: kind === 'changed' ? `${text}${hint}` : text })),
  );
}

/** Says that a task was changed after its attempt, which then says nothing about the row; null: it was not, or has none. */
export function describeChangedSince(
  { power }: Pick<Attempt, 'power'>,
  task: Pick<TaskView, 'state'> | undefined,
): string | null {
  return task === undefined || task.state.power === power ? null : 'The task was changed after this attempt.';
}
