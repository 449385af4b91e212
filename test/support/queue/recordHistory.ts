import { QueueContext } from '../../../src/app/context/queueContext';
import type { Attempt, Outcome } from '../../../src/domain/task/attempt';
import { createEditorHost } from '../../../src/editor/state/editorHost';
import { HOUR, MINUTE } from './attempts';
import type { QueueFolder } from './queuePlace';

/** Puts attempts on record in a queue in which nothing ran yet; oldest first. */
export async function recordHistory(
  { file, folder, env }: QueueFolder,
  attempts: readonly Attempt[],
): Promise<void> {
  const host = createEditorHost(env, folder, (message) => {
    throw new Error(message);
  });
  await new QueueContext({ queue: file }, host).withQueue((queue) =>
    queue.adopt({ from: 'a test', attempts, tasks: [] }, 'adopt'),
  );
}

const DAY = 24 * HOUR;

/** Ends of the attempts of each day, one after another. */
const ENDS: readonly Outcome[] = [
  ...(['success', 'success', 'success', 'review', 'success', 'success'] as const),
  ...(['limit', 'success', 'error', 'success', 'success'] as const),
];

/** Attempts of 5 tasks on the days before `now`, up to eleven a day from 19:00 on. */
export function inventHistory(now: number, days: number): readonly Attempt[] {
  const first = Math.floor(now / DAY) * DAY - days * DAY + 19 * HOUR;
  return Array.from({ length: days }, (_, day) =>
    ENDS.slice(0, 11 - (day % 4) * 2).map((outcome, index) => ({ outcome, day, index })),
  )
    .flat()
    .map(({ outcome, day, index }) => {
      const startedAt = first + day * DAY + index * 25 * MINUTE;
      const ran = (5 + ((day * 7 + index * 3) % 18)) * MINUTE;
      return {
        id: 1 + (index % 5),
        number: 1 + day * 3 + Math.floor(index / 5),
        power: 'power',
        session: null,
        startedAt,
        endedAt: startedAt + ran,
        outcome,
        reason: outcome === 'limit' ? 'five_hour' : outcome,
        message: outcome === 'error' ? 'Its check failed.' : '',
        code: outcome === 'success' ? 0 : 1,
        costUsd: ran / (20 * MINUTE),
        billing: 'subscription',
        waitedMs: (1 + ((day + index) % 9)) * 11 * MINUTE,
        user: index % 2 === 0 ? 'aiko' : 'ken',
        usage: [
          {
            window: 'five_hour',
            utilization: outcome === 'limit' ? 1 : 0.06 + index * 0.09 - (index > 6 ? 0.6 : 0),
            resetAt: first + day * DAY + (index > 6 ? 8 : 2.7) * HOUR,
          },
          {
            window: 'seven_day',
            utilization: 0.08 + (day % 7) * 0.12 + index * 0.01,
            resetAt: first + (Math.floor(day / 7) + 1) * 7 * DAY,
          },
        ],
      };
    });
}
