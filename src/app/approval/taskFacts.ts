import { formatDuration } from '../../domain/time/duration';
import { formatMinute } from '../../domain/time/localTime';
import type { AttemptFact } from '../present/attempt';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import { describePermissions } from './approval';

/** Describes the row of a task without its prompt: its rules and permissions. */
export function describeTaskFacts(shown: TaskViewModel, timeZone: string): readonly AttemptFact[] {
  const { definition, state } = shown.task;
  const { priority, dependencies, repeat, maxRetries, user, tags, deadline, timeoutMs } = definition;
  const time = (at: number | null | undefined): string | undefined =>
    typeof at === 'number' ? formatMinute(at, timeZone) : undefined;
  const facts: Readonly<Record<string, string | undefined>> = {
    priority: shown.effectivePriority === priority ? priority : `${priority}→${shown.effectivePriority}`,
    runs: describePermissions(shown).join('; '),
    after: dependencies.length === 0 ? undefined : dependencies.join(', '),
    'not before': time(state.ownerScheduledAt),
    repeats: repeat?.text,
    retries: `${String(state.retryCount)} of ${String(maxRetries)}`,
    timeout: timeoutMs === undefined ? undefined : formatDuration(timeoutMs),
    deadline: time(deadline),
    user,
    tags: tags?.join(', '),
  };
  return Object.entries(facts).flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }]));
}
