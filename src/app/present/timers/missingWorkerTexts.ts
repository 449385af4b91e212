import type { MissingWorker } from '../../../domain/queue/missingWorker';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { t } from '../../../platform/text/translate';

/** Describes a worker that should run and does not: what happened, and what to do. */
export function describeMissingWorker(missing: MissingWorker, moment: Moment): string {
  const what = nameMissingWorker(missing, moment);
  switch (missing.kind) {
    case 'timer-late':
      return t(
        '{0}. Check with "claude-queue schedule" that it is still installed, and that {1} runs.',
        what,
        missing.timer.by,
      );
    case 'no-worker':
      if (missing.others === true)
        return t('{0}. Start another worker with "claude-queue work", or change what they take.', what);
      return t(
        '{0}. Start one with "claude-queue work", or install a timer with "claude-queue schedule".',
        what,
      );
  }
}

/** Describes it in a few words. */
export function nameMissingWorker(missing: MissingWorker, moment: Moment): string {
  switch (missing.kind) {
    case 'timer-late':
      return t(
        'The timer ({0}) should have started a worker at {1} and did not',
        missing.timer.by,
        formatTime(missing.expectedAt, moment),
      );
    case 'no-worker':
      if (missing.others === true)
        return missing.ids.length === 1
          ? t('1 task is due and no running worker takes it')
          : t('{0} tasks are due and no running worker takes them', missing.ids.length);
      return missing.ids.length === 1
        ? t('1 task is due and no worker is running')
        : t('{0} tasks are due and no worker is running', missing.ids.length);
  }
}

/** Describes it beside a text that says which workers run: does not say again that none does. */
export function describeBesideWorkers(missing: MissingWorker, moment: Moment): string {
  if (missing.kind !== 'no-worker' || missing.others === true) return nameMissingWorker(missing, moment);
  const due = missing.ids.length;
  return due === 1 ? t('1 task is due') : t('{0} tasks are due', due);
}

/** A timer that should have started a worker. */
export type LateTimer = Extract<MissingWorker, { kind: 'timer-late' }>;

/** Describes a late timer for a narrow place: the time comes first, because the rest may be cut off. */
export function shortLateTimer({ expectedAt, timer }: LateTimer, moment: Moment): string {
  return t('no start at {0} ({1})', formatTime(expectedAt, moment), timer.by);
}
