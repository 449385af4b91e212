import type { Silence } from '../../domain/queue/silence';
import { formatTime, type Moment } from '../../domain/time/moment';
import { count } from './text';

/** Describes work that should continue and does not: what happened, and what to do. */
export function describeSilence(silence: Silence, moment: Moment): string {
  const what = nameSilence(silence, moment);
  switch (silence.kind) {
    case 'timer-late':
      return `${what}. Check with "claude-queue schedule" that it is still installed, and that ${silence.timer.by} runs.`;
    case 'no-worker':
      return `${what}. Start one with "claude-queue work", or install a timer with "claude-queue schedule".`;
  }
}

/** Describes it in a few words. */
export function nameSilence(silence: Silence, moment: Moment): string {
  switch (silence.kind) {
    case 'timer-late':
      return `The timer (${silence.timer.by}) should have started a worker at ${formatTime(silence.expectedAt, moment)} and did not`;
    case 'no-worker':
      return `${count(silence.ids.length, 'task')} ${silence.ids.length === 1 ? 'is' : 'are'} due and no worker is running`;
  }
}
