import type { EpochMs } from './epoch';
import type { Reason, Shown, WaitsFor, World } from './explain';
import { explainGate } from './explainGate';
import { barrierFor } from './gateOpening';
import type { GateView } from './limits';
import { findSkipped, tellMissed } from './missedRuns';
import { tellTime, type Moment } from './moment';
import { findQuiet } from './quietHours';
import { ownPriority } from './spareLane';
import type { TaskState, TaskView } from './view';

/** The time of its own that a task waits for: its owner's, its next one, or the end of a back-off or limit. */
export function explainTime(task: TaskView, world: World): Reason | null {
  const { state } = task;
  const { now } = world;
  if (state.ownerScheduledAt !== null && state.ownerScheduledAt > now) {
    return notBefore('scheduled', 'schedule', 'not before', state.ownerScheduledAt, world);
  }
  const dueAt = dueTimeOf(state, world.gate);
  if (dueAt === null) return null;
  if (dueAt <= now) {
    const skipped = findSkipped(task, world);
    return skipped === null ? null : explainRepeat(skipped.dueAt, skipped.count, world);
  }
  switch (state.dueCause) {
    case 'repeat':
      return explainRepeat(dueAt, state.missed ?? 0, world);
    case 'limit':
      return explainLimit(task, dueAt, world);
    case 'retry':
    case null:
      return notBefore('retrying', 'machine', 'next try', dueAt, world);
  }
}

/** The program's own time for a task. A limit's reset is none any more where its account's gate did not wait for it. */
export function dueTimeOf({ dueAt, dueCause }: TaskState, { openedBefore }: GateView): EpochMs | null {
  const isOver =
    dueCause === 'limit' && dueAt !== null && openedBefore !== undefined && dueAt <= openedBefore;
  return isOver ? null : dueAt;
}

/** The gate tells it better where the reset is a guess. */
function explainLimit(task: TaskView, dueAt: EpochMs, world: World): Reason {
  const barrier = barrierFor(world.gate, task.definition, world.now, world.settings);
  const guess = barrier?.closure.guessed === true ? explainGate(task, world) : null;
  if (guess?.until !== undefined && guess.until >= dueAt) return guess;
  return { ...notBefore('waiting', 'machine', 'usage limit, resets', dueAt, world), atLimit: true };
}

function explainRepeat(dueAt: EpochMs, missed: number, world: World): Reason {
  const times = missed === 1 ? 'once' : `${tellMissed(missed)} times`;
  const words = missed === 0 ? 'next time' : `missed ${times}, skipped; next time`;
  return notBefore('scheduled', 'schedule', words, dueAt, world);
}

/** The quiet hours that keep a task of this priority from being begun. */
export function explainQuiet({ definition }: TaskView, world: World): Reason | null {
  const { settings, now, timeZone } = world;
  if (settings.quietHours.length === 0) return null;
  const priority = ownPriority(definition, settings);
  const quiet = findQuiet(settings.quietHours, priority, now, timeZone);
  if (quiet === null) return null;
  const whose = quiet.isForAll ? '' : ` for ${priority}`;
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
