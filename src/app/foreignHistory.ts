import type { ForeignSummary } from '../queue/file/foreignHistory';
import type { Problem } from '../domain/problem';
import { isProblem } from '../domain/problem';
import { tellTime, type Moment } from '../domain/moment';
import { refuseInsideRun } from './insideRun';
import type { QueueSite } from './site';
import { count } from './words';

/** What a history made elsewhere holds, in lines. It quotes none of its texts. */
export function describeForeign(summary: ForeignSummary, moment: Moment): string[] {
  const { attempts, firstStartedAt, lastEndedAt, sessions, completed, holds, running } = summary;
  const when =
    firstStartedAt === null || lastEndedAt === null
      ? ''
      : `, from ${tellTime(firstStartedAt, moment)} to ${tellTime(lastEndedAt, moment)}`;
  return [
    `${count(attempts, 'attempt')}${when}.`,
    `${count(completed, 'task')} completed; ${count(sessions, 'session')} of Claude Code to resume; ${count(holds, 'pause')}.`,
    ...(running.length === 0 ? [] : [`Running, by its record: ${running.join(', ')}.`]),
  ];
}

/** Why the queue's history is refused as made elsewhere; null where it is this user's own. */
export async function findForeign(site: QueueSite): Promise<Problem | null> {
  try {
    await site.withQueue(() => Promise.resolve());
    return null;
  } catch (error) {
    if (isProblem(error, 'state-foreign')) return error;
    throw error;
  }
}

/**
 * Takes over a history that was made elsewhere: its attempts, times and sessions count from now on.
 * @throws Problem `inside-run`, `already-running`
 */
export async function adoptForeign(site: QueueSite): Promise<void> {
  await refuseInsideRun(site, null, 'adopt a history');
  await (await site.openForeignHistory()).adopt();
}
