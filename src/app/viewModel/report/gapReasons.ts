import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import { composeViewModel } from '../queueViewModel';
import type { Gap, GapCause } from './gaps';
import type { NightReport } from './nightReport';

/** Maximum number of looks back: each adds up the events of the queue until then. */
const MOST_LOOKS = 20;

type Past = Pick<TaskQueue, 'lookBack'>;

/**
 * Returns the report with the recorded reason why a task was waiting in the middle of each gap that the attempts do not
 * explain, as `why --at` gives it.
 */
export async function explainGaps(report: NightReport, past: Past): Promise<NightReport> {
  const gaps: Gap[] = [];
  let looks = 0;
  for (const gap of report.gaps) {
    const id = findWaiting(gap);
    const cause = id === null || ++looks > MOST_LOOKS ? null : await findReason(id, gap, past);
    gaps.push(cause === null ? gap : { ...gap, causes: [cause] });
  }
  return { ...report, gaps };
}

/** Returns a task that was waiting in a gap for a reason that the attempts do not show; null: none is known. */
function findWaiting({ causes: [cause] }: Gap): TaskId | null {
  return cause?.kind === 'unknown' ? cause.waiting : null;
}

/** Returns why a task was waiting in the middle of a gap; null if that is not recorded. */
async function findReason(id: TaskId, { from, to }: Gap, past: Past): Promise<GapCause | null> {
  const moment = await past.lookBack(Math.round((from + to) / 2));
  if (moment.kind !== 'known') return null;
  const { tasks, idleReason } = composeViewModel(moment.snapshot, moment.around);
  const reason = tasks.find(({ task }) => task.definition.id === id)?.reason;
  if (reason === undefined) return null;
  if (reason.text !== '') return { kind: 'waiting', id, reason };
  return idleReason?.kind === 'no-worker' ? { kind: 'no-worker', id } : null;
}
