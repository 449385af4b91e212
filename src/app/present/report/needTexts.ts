import { openQuestion } from '../../../domain/queue/view';
import { hasPassedBefore, type Denial } from '../../../domain/task/attempt';
import { redact } from '../../../platform/text/redact';
import { t } from '../../../platform/text/translate';
import type { TaskViewModel } from '../../viewModel/queueViewModel';
import type { ReportedTask } from '../../viewModel/report/reportedTask';
import { findUntested, type Review, type Risk } from '../../viewModel/report/risk';
import { describeLastMessage, describeMessage } from '../reasons/endNote';
import { listIds, shorten, titleOf } from '../text';
import { END_NAMES, formatChanges } from './reportTexts';

/** Names of the risks, in at most 14 characters. */
export const RISK_NAMES: Readonly<Record<Risk, string>> = {
  failed: t('failed'),
  refused: t('refused'),
  question: t('question'),
  review: t('review'),
  stuck: t('stuck'),
  large: t('large change'),
  unconfirmed: t('not confirmed'),
  unproven: t('not proven'),
  unchecked: t('not checked'),
  unapproved: t('not approved'),
};

/** Names the risk of a task; without one, its state. */
export function nameRisk({ risk, task }: Review): string {
  return risk === null ? END_NAMES[task.end] : RISK_NAMES[risk];
}

const CAUSE_WIDTH = 200;

/** Returns the title of a task: the first line of its prompt. */
export function nameTask({ view, end }: ReportedTask): string {
  if (view !== null) return titleOf(redact(view.task.definition.prompt));
  return end === 'changed' ? t('(row changed)') : t('(row removed)');
}

/** Returns why a task is where it is, in one line; empty: nothing more is known. */
export function describeCause(task: ReportedTask): string {
  const { view, end, attempts } = task;
  if (end === 'interrupted') return t('Its worker died; the next worker recovers the task.');
  const last = attempts.at(-1);
  const found = view === null ? null : describeState(task, view);
  if (found !== null) return found;
  if (last !== undefined) return oneLine(describeMessage(last));
  return oneLine(view === null ? '' : (describeLastMessage(view.task.state) ?? view.reason.text));
}

/** Returns what the state of a task says about its cause; null: its last attempt says more. */
function describeState({ end, denials }: ReportedTask, { task, reason }: TaskViewModel): string | null {
  if (end === 'waiting' || end === 'stuck') return oneLine(reason.text);
  if (end !== 'review') return null;
  const question = openQuestion(task.state);
  if (question !== undefined) return oneLine(question.text);
  return task.state.refused === true && denials.length > 0 ? describeDenials(denials) : null;
}

function oneLine(text: string): string {
  return shorten(redact(text), CAUSE_WIDTH);
}

/** Names the last refused action, and the number of the others. */
export function describeDenials(denials: readonly Denial[]): string {
  const last = denials.at(-1);
  if (last === undefined) return '';
  const call = oneLine(`${last.tool} ${last.detail}`.trim());
  return denials.length === 1 ? call : t('{0} and {1} more', call, denials.length - 1);
}

function describeCheck({ attempts }: ReportedTask): string {
  return hasPassedBefore(attempts.at(-1))
    ? t('Its check passed, and before the attempt as well')
    : t('Its check passed');
}

function describeTests(task: ReportedTask): readonly string[] {
  switch (findUntested(task)) {
    case 'untested':
      return [t('no test changed')];
    case 'unknown':
      return [t('not known whether a test changed')];
    case null:
      return [];
  }
}

/** Describes a need: cause, size, tests, and which tasks wait for it. */
export function describeNeed({ task, dependents }: Review): readonly string[] {
  const { attempts, denials, end } = task;
  const failures = attempts.filter(({ outcome }) => outcome === 'error').length;
  const cause = describeCause(task);
  const refused = describeDenials(denials);
  return [
    end === 'checked' ? describeCheck(task) : cause,
    ...(refused === '' || refused === cause ? [] : [t('refused: {0}', refused)]),
    ...(failures < 2 ? [] : [t('failed {0} times', failures)]),
    ...(attempts.length === 0 ? [] : [t('changed: {0}', formatChanges(task))]),
    ...describeTests(task),
    ...(dependents.length === 0
      ? []
      : dependents.length === 1
        ? [t('task {0} waits for it', listIds(dependents))]
        : [t('tasks {0} wait for it', listIds(dependents))]),
  ].filter((text) => text !== '');
}
