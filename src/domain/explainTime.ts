import type { EpochMs } from './epoch';
import type { Reason, Shown, WaitsFor, World } from './explain';
import { tellTime, type Moment } from './moment';
import { findQuiet } from './quietHours';
import type { TaskView } from './view';

/** The time of its own that a task waits for: its owner's, its next one, or the end of a back-off or limit. */
export function explainTime({ state }: TaskView, world: World): Reason | null {
  const { now } = world;
  if (state.ownerScheduledAt !== null && state.ownerScheduledAt > now) {
    return notBefore('scheduled', 'schedule', 'not before', state.ownerScheduledAt, world);
  }
  if (state.dueAt === null || state.dueAt <= now) return null;
  switch (state.dueCause) {
    case 'repeat':
      return notBefore('scheduled', 'schedule', 'next time', state.dueAt, world);
    case 'limit':
      return { ...notBefore('waiting', 'machine', 'usage limit, resets', state.dueAt, world), atLimit: true };
    case 'retry':
    case null:
      return notBefore('retrying', 'machine', 'next try', state.dueAt, world);
  }
}

/** The quiet hours that keep a task of this priority from being begun. */
export function explainQuiet({ definition }: TaskView, world: World): Reason | null {
  const { settings, now, timeZone } = world;
  if (settings.quietHours.length === 0) return null;
  const quiet = findQuiet(settings.quietHours, definition.priority, now, timeZone);
  if (quiet === null) return null;
  const whose = quiet.priorities === undefined ? '' : ` for ${quiet.priorities.join(', ')}`;
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
