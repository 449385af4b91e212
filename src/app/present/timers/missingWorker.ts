import type { MissingWorker } from '../../../domain/queue/missingWorker';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { count } from '../text';

/** Describes a worker that should run and does not: what happened, and what to do. */
export function describeMissingWorker(missing: MissingWorker, moment: Moment): string {
  const what = nameMissingWorker(missing, moment);
  switch (missing.kind) {
    case 'timer-late':
      return `${what}. Check with "claude-queue schedule" that it is still installed, and that ${missing.timer.by} runs.`;
    case 'no-worker':
      return `${what}. Start one with "claude-queue work", or install a timer with "claude-queue schedule".`;
  }
}

/** Describes it in a few words. */
export function nameMissingWorker(missing: MissingWorker, moment: Moment): string {
  switch (missing.kind) {
    case 'timer-late':
      return `The timer (${missing.timer.by}) should have started a worker at ${formatTime(missing.expectedAt, moment)} and did not`;
    case 'no-worker':
      return `${count(missing.ids.length, 'task')} ${missing.ids.length === 1 ? 'is' : 'are'} due and no worker is running`;
  }
}
