import type { AllDoneNotice, Notice } from '../../../src/domain/queue/notices';
import type { ShownState } from '../../../src/domain/reasons/reason';
import type { TaskId } from '../../../src/domain/task/task';
import { currentTask } from '../../../src/queue/model/state/queueState';
import { Violation } from '../play/violation';
import type { Audit } from './audit';

/** States of a task that still runs by itself, now or soon. */
const UNDONE: readonly ShownState[] = ['ready', 'retrying', 'running'];

type Recorded = Audit['finished'][number];
type Counts = Record<'completed' | 'failed' | 'review' | 'cancelled', number>;

/** Checks the notice that everything is done: it comes once after each batch, when nothing runs any more, with the right counts. */
export class NightAudit {
  /** Number of ends, and of all events, that were recorded before the last notice. */
  private last = { ends: 0, place: 0 };

  /** Notes notices that are about to be raised, or that are read again after a power cut. */
  note(notices: readonly Notice[], { finished, places }: Audit): void {
    if (notices.some(({ kind }) => kind === 'all-done')) this.last = { ends: finished.length, place: places };
  }

  /** Forgets all notices: they are read again. */
  restart(): void {
    this.last = { ends: 0, place: 0 };
  }

  /** Checks notices that are about to be raised. @throws Violation */
  checkRaised(notices: readonly Notice[], audit: Audit): void {
    for (const notice of notices) if (notice.kind === 'all-done') this.judge(notice, audit);
  }

  private judge(notice: AllDoneNotice, audit: Audit): void {
    const { claims, owner, sources, state } = audit;
    if (![...claims.values()].some(({ place }) => place > this.last.place))
      fail('nothing was started since the last one');
    if (state.queue.claims.size > 0) fail('a task runs');
    const undone = [...audit.reasons()].find(
      ([id, { state, waitsFor }]) =>
        UNDONE.includes(state) && waitsFor !== 'person' && !isLeftover(id, audit),
    );
    if (undone !== undefined && sources.isSteady(owner.now))
      fail(`task ${String(undone[0])} is ${undone[1].state}`);
    checkCounts(notice, audit);
  }

  /** Checks at the end of a history, when nothing is left to do, that there was a notice of it. @throws Violation */
  check(audit: Audit): void {
    const { finished, owner, sources, state } = audit;
    const { queue } = state;
    // With a clock that was set back, attempts may have ended before their batch.
    if (owner.hasSteppedSince(0) || !sources.sheets.newest.rows.set.whole || queue.emptied !== null) return;
    if ([...audit.shownStates().values()].some((shown) => shown === 'waiting' || UNDONE.includes(shown)))
      return;
    const unreported = finished.slice(this.last.ends).find(({ id }) => !willRepeat(id, audit));
    if (unreported !== undefined) fail(`there is none, although task ${String(unreported.id)} ended`);
  }
}

/** Whether a task is for leftover capacity: also a retry of it waits for the last part of a usage window, as a scheduled task does. */
function isLeftover(id: TaskId, { sources: { sheets, settings } }: Audit): boolean {
  const row = sheets.newest.rows.set.rows.find(({ definition }) => definition.id === id);
  return row?.definition.tags?.includes(settings.newest.spareTag) === true;
}

function willRepeat(id: TaskId, { state }: Audit): boolean {
  const task = currentTask(state.queue, id);
  return task?.status === 'pending' && task.dueCause === 'repeat';
}

/** Each task that surely ended in some way is counted, no task twice, and the cost is that of all attempts. */
function checkCounts(notice: AllDoneNotice, audit: Audit): void {
  const ended = endedInBatch(notice, audit);
  const last = new Map(ended.map((end) => [end.id, end]));
  const least: Counts = { completed: 0, failed: 0, review: 0, cancelled: 0 };
  for (const end of last.values()) {
    const sure = sureEndOf(end, audit);
    if (sure !== null) least[sure] += 1;
  }
  const counts: Counts = { ...notice, cancelled: notice.cancelled ?? 0 };
  for (const kind of ['completed', 'failed', 'review', 'cancelled'] as const)
    if (counts[kind] < least[kind]) fail(`${String(counts[kind])} ${kind}, not ${String(least[kind])}`);
  const sum = counts.completed + counts.failed + counts.review + counts.cancelled;
  if (sum > last.size) fail(`${String(sum)} tasks, and only ${String(last.size)} ran`);
  const costUsd = ended.reduce((whole, end) => whole + end.costUsd, 0);
  if (Math.abs(costUsd - notice.costUsd) > 0.001)
    fail(`USD ${String(notice.costUsd)}, not ${String(costUsd)}`);
}

/** The ends since the batch was opened; of repeating tasks that will run again, those since the first start of another one. */
function endedInBatch({ since }: AllDoneNotice, audit: Audit): readonly Recorded[] {
  const batch = audit.finished.slice(audit.finished.length - (audit.state.queue.batchEnds ?? 0));
  const first = batch.findIndex(({ id }) => !willRepeat(id, audit));
  return batch.filter(({ attempt }, index) => index >= first || attempt.endedAt >= since);
}

function sureEndOf({ id, attempt, change }: Recorded, { state }: Audit): keyof Counts | null {
  const task = currentTask(state.queue, id);
  if (task?.power !== attempt.power) return null;
  if (task.status === 'cancelled') return 'cancelled';
  if (task.status === 'review') return 'review';
  if (task.status === 'completed' && attempt.outcome === 'success') return 'completed';
  return task.status === 'failed' && change.status === 'failed' ? 'failed' : null;
}

function fail(why: string): never {
  throw new Violation('summed up once', why);
}
