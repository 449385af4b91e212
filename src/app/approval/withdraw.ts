import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { quoteCommand } from '../../platform/text/commandName';
import { revealInLine } from '../../platform/text/invisible';
import { t } from '../../platform/text/translate';
import type { TaskQueue } from '../../queue/taskQueue';
import { refuseInsideAttempt } from '../actions/attempts/insideAttempt';
import type { QueueContext } from '../context/queueContext';
import { findRunningClaims } from '../present/workers';

/** Result of a withdrawal. */
export interface Withdrawn {
  /** Tasks that were approved. */
  readonly ids: ReadonlySet<TaskId>;
  /** Rules that had been allowed after a refusal, by task. */
  readonly rules: ReadonlyMap<TaskId, readonly string[]>;
  /** Those of the tasks that run now: their attempts continue. */
  readonly running: readonly TaskId[];
}

/**
 * Withdraws the approvals of these tasks on this machine, and the rules that were allowed to them. They wait for approval
 * before their next attempt.
 * @param ids null: all tasks of the queue, also those whose rows were removed
 * @throws Problem `inside-run`; `usage` if the whole queue file is trusted: its tasks need no approval
 */
export async function withdrawApprovals(
  queueContext: QueueContext,
  queue: TaskQueue,
  ids: readonly TaskId[] | null,
): Promise<Withdrawn> {
  await refuseInsideAttempt(queueContext, queue, 'withdraw approvals');
  const approvals = queueContext.openApprovals();
  if ((await approvals.read()).trusted) throw trustedWhole(queueContext.queueFile);
  const meant = ids === null ? null : new Set(ids);
  const isMeant = (id: TaskId): boolean => meant?.has(id) ?? true;
  const withdrawn = await approvals.withdraw(isMeant);
  const rules = await queueContext.openGrants().withdraw(isMeant);
  const claims = findRunningClaims(await queue.read());
  return { ids: withdrawn, rules, running: claims.map(({ id }) => id).filter((id) => withdrawn.has(id)) };
}

function trustedWhole(file: string): Problem {
  return new Problem(
    'usage',
    t(
      '{0} is trusted as a whole: its tasks need no approval. Stop trusting it with {1}.',
      file,
      quoteCommand('trust --off'),
    ),
  );
}

/** Describes what was withdrawn, a sentence a line. */
export function describeWithdrawn({ ids, rules, running }: Withdrawn): string[] {
  return [
    ids.size === 0 ? t('None of these tasks was approved.') : describeIds([...ids]),
    ...[...rules].map(([id, own]) =>
      t('Task {0} may no longer use {1}.', id, own.map(revealInLine).join(', ')),
    ),
    ...running.map((id) => t('Task {0} is running: this attempt continues.', id)),
  ];
}

function describeIds(ids: readonly TaskId[]): string {
  const [first] = ids;
  return ids.length === 1 && first !== undefined
    ? t('The approval of task {0} was withdrawn.', first)
    : t('The approvals of {0} tasks were withdrawn.', ids.length);
}
