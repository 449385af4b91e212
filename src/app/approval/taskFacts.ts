import { formatDuration } from '../../domain/time/duration';
import type { Definition } from '../../domain/task/task';
import { formatMinute } from '../../domain/time/localTime';
import type { AttemptFact } from '../present/attempt';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { describePermissions } from './approval';
import { t } from '../../platform/text/translate';

/** Describes the row of a task without its prompt: its rules and permissions. */
export function describeTaskFacts(shown: TaskViewModel, timeZone: string): readonly AttemptFact[] {
  const { definition, state } = shown.task;
  const { priority, dependencies, maxRetries, user, tags, deadline, timeoutMs } = definition;
  const time = (at: number | null | undefined): string | undefined =>
    typeof at === 'number' ? formatMinute(at, timeZone) : undefined;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [
      t('priority'),
      shown.effectivePriority === priority ? priority : `${priority}→${shown.effectivePriority}`,
    ],
    [t('runs'), describePermissions(shown).join('; ')],
    [t('after'), dependencies.length === 0 ? undefined : dependencies.join(', ')],
    [t('not before'), time(state.ownerScheduledAt)],
    [t('repeats'), describeRepeat(definition)],
    [t('retries'), t('{0} of {1}', state.retryCount, maxRetries)],
    [t('timeout'), timeoutMs === undefined ? undefined : formatDuration(timeoutMs)],
    [t('deadline'), time(deadline)],
    [t('user'), user],
    [t('tags'), tags?.join(', ')],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }]));
}

function describeRepeat({ repeat, unlessUnchanged }: Definition): string | undefined {
  if (repeat === undefined || unlessUnchanged !== true) return repeat?.text;
  return t('{0}, skipped if nothing changed since the last success', repeat.text);
}
