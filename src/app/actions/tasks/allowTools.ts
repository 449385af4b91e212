import { isNarrow } from '../../../claude/verdict/narrowRule';
import type { Attempt, Denial } from '../../../domain/task/attempt';
import { approvable } from '../../../domain/task/approval';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { isInReview, type TaskView } from '../../../domain/queue/view';
import type { TaskQueue } from '../../../queue/taskQueue';
import { judgeFileRule } from './grantedFiles';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';
import { t } from '../../../platform/text/translate';

/** Call that Claude was refused in a task's last attempt. */
export interface Refusal extends Pick<Denial, 'tool' | 'detail'> {
  /** The narrowest rule that allows it; null if there is none, for the reason in `why`. */
  readonly rule: string | null;
  readonly why: string;
  /** The rule has been allowed since. */
  readonly isAllowed: boolean;
  /** The rule had been allowed before this attempt and did not help. */
  readonly hasNotHelped: boolean;
}

/** Advice for refusals that no rule allows. */
export const WITHOUT_RULE = t(
  'To allow more, change allowed_tools or permission_mode of its row. Hooks, deny rules and the sandbox still refuse.',
);

/** Refusals of a task's last attempt with its current row. */
export interface Refusals {
  readonly task: TaskView;
  /** Null if the current row has not run. */
  readonly attempt: Attempt | null;
  /** Refusals, each rule once. */
  readonly refusals: readonly Refusal[];
}

/** Returns the refusals of a task. @throws Problem `no-such-task` */
export async function findRefusals(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
): Promise<Refusals> {
  const { tasks } = await queue.read();
  const task = tasks.find(({ definition }) => definition.id === id);
  if (task === undefined) {
    throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  }
  const [last] = await queue.attempts({ id, limit: 1 });
  const attempt = last?.power === task.state.power ? last : null;
  if (attempt === null) return { task, attempt, refusals: [] };
  const granted = await queueContext.openGrants().read(approvable(task.definition, task.state.power));
  const refusals = listRefusals(attempt, granted);
  return {
    task,
    attempt,
    refusals: await Promise.all(refusals.map((refusal) => withoutWide(refusal, queueContext.protectedPaths))),
  };
}

/** Drops a rule for a file that covers more than the file; only the file system shows that. */
async function withoutWide(refusal: Refusal, protectedPaths: readonly string[]): Promise<Refusal> {
  if (refusal.rule === null) return refusal;
  const why = await judgeFileRule(refusal.rule, protectedPaths);
  return why === null ? refusal : { ...refusal, rule: null, why, isAllowed: false, hasNotHelped: false };
}

function listRefusals({ denials = [], permissions }: Attempt, granted: readonly string[]): Refusal[] {
  const all = denials.map((denial) => toRefusal(denial, permissions, granted));
  return all.filter(
    ({ rule, tool, detail }, index) =>
      index ===
      all.findIndex((one) =>
        rule === null ? one.tool === tool && one.detail === detail : one.rule === rule,
      ),
  );
}

function toRefusal(
  { tool, detail, rule, noRule }: Denial,
  permissions: Attempt['permissions'],
  granted: readonly string[],
): Refusal {
  const none = (why: string): Refusal => ({
    tool,
    detail,
    rule: null,
    why,
    isAllowed: false,
    hasNotHelped: false,
  });
  if (permissions?.mode === 'plan') {
    return none(t('in permission mode plan no rule lets Claude do more than read'));
  }
  if (rule === undefined) return none(noRule ?? t('the version that ran it recorded no rules'));
  // The history is in a folder of the repository, so its rules are checked again.
  if (!isNarrow(rule)) return none(t('its rule would allow more than this'));
  const hasNotHelped = permissions?.tools.includes(rule) === true;
  return { tool, detail, rule, why: '', isAllowed: granted.includes(rule) && !hasNotHelped, hasNotHelped };
}

/** Result of allowing tools. */
export interface Allowed {
  /** Whether the task is pending again; else its next attempt uses the rules. */
  readonly isRetried: boolean;
}

/**
 * Allows a task these tools in its next attempts, until its row changes. Retries the task if it waits for the user.
 * @throws Problem `inside-run`, `usage`
 */
export async function allowTools(
  queueContext: QueueContext,
  queue: TaskQueue,
  { task }: Pick<Refusals, 'task'>,
  rules: readonly string[],
): Promise<Allowed> {
  await refuseInsideAttempt(queueContext, queue, 'allow tools');
  for (const rule of rules) {
    const why = isNarrow(rule) ? await judgeFileRule(rule, queueContext.protectedPaths) : t('it is too wide');
    if (why !== null) {
      throw new Problem(
        'usage',
        t('The rule {0} was not added: {1}. See "claude-queue allow" again.', rule, why),
      );
    }
  }
  const { definition, state, claim } = task;
  await queueContext.openGrants().add(approvable(definition, state.power), rules);
  const isRetried = claim === undefined && (isInReview(state) || state.status === 'failed');
  if (isRetried) await queue.command(state.id, 'retry', queueContext.host.createId());
  return { isRetried };
}
