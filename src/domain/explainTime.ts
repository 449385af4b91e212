import type { EpochMs } from './epoch';
import type { Reason, Shown, WaitsFor, World } from './explain';
import { findSkipped } from './missedRuns';
import { tellTime, type Moment } from './moment';
import { findQuiet } from './quietHours';
import type { TaskView } from './view';

/** The time of its own that a task waits for: its owner's, its next one, or the end of a back-off or limit. */
export function explainTime(task: TaskView, world: World): Reason | null {
  const { state } = task;
  const { now } = world;
  if (state.ownerScheduledAt !== null && state.ownerScheduledAt > now) {
    return notBefore('scheduled', 'schedule', 'not before', state.ownerScheduledAt, world);
  }
  if (state.dueAt === null) return null;
  if (state.dueAt <= now) {
    const skipped = findSkipped(task, world);
    return skipped === null ? null : explainRepeat(skipped.dueAt, skipped.count, world);
  }
  switch (state.dueCause) {
    case 'repeat':
      return explainRepeat(state.dueAt, state.missed ?? 0, world);
    case 'limit':
      return { ...notBefore('waiting', 'machine', 'usage limit, resets', state.dueAt, world), atLimit: true };
    case 'retry':
    case null:
      return notBefore('retrying', 'machine', 'next try', state.dueAt, world);
  }
}

function explainRepeat(dueAt: EpochMs, missed: number, world: World): Reason {
  const times = missed === 1 ? 'once' : `${String(missed)} times`;
  const words = missed === 0 ? 'next time' : `missed ${times}, skipped; next time`;
  return notBefore('scheduled', 'schedule', words, dueAt, world);
}

/** The quiet hours that keep a task of this priority from being begun. */
export function explainQuiet({ definition }: TaskView, world: World): Reason | null {
  const { settings, now, timeZone } = world;
  if (settings.quietHours.length === 0) return null;
  const quiet = findQuiet(settings.quietHours, definition.priority, now, timeZone);
  if (quiet === null) return null;
  const whose = quiet.isForAll ? '' : ` for ${definition.priority}`;
  if (quiet.until === null) {
    return { shown: 'waiting', text: `quiet hours${whose}, always`, waitsFor: 'schedule' };
  }
  return notBefore('waiting', 'schedule', `quiet hours${whose} until`, quiet.until, world);
}

/** A reason that passes at a time. Its text is composed when it is read: of thousands that wait, few are told. */
export function notBefore(
  shown: Shown,
  waitsFor: WaitsFor,
  words: string,
  until: EpochMs,
  moment: Moment,
): Reason {
  return {
    shown,
    get text() {
      return `${words} ${tellTime(until, moment)}`;
    },
    waitsFor,
    until,
  };
}
