import { findFullHold } from '../../domain/queue/pauses';
import { describeBound } from '../../app/present/pause';
import { describeIdle } from '../../app/present/reasons/idle';
import { describeLeft, describeReview, nameTasks } from '../../app/present/leftover';
import { type QueueViewModel, buildViewModel } from '../../app/viewModel/queueViewModel';
import { count } from '../../app/present/text';
import type { Moment } from '../../domain/time/moment';
import type { Reason } from '../../domain/reasons/reason';
import { isProblem } from '../../domain/problem';
import type { TaskQueue } from '../../queue/taskQueue';
import type { RunSummary } from '../../worker/bounds/runCounters';
import type { Context } from '../context';
import { quoteCommand } from '../../platform/text/commandName';

/** Start of a run. */
interface Started {
  /** By a timer, which lifts no pause. */
  readonly scheduled?: boolean;
}

/** Describes the result of a run: what ran, why nothing more did, and what remains for the user. */
export async function describeRunSummary(
  context: Context,
  queue: TaskQueue,
  summary: RunSummary,
  started: Started,
): Promise<string[]> {
  const { ran, failed, bound, idleReason, uncounted = 0 } = summary;
  const viewModel = await lookAgain(context, queue);
  const review = viewModel === null ? [] : describeReview(viewModel);
  const ends = [...(failed.length === 0 ? [] : [`failed: ${nameTasks(failed)}`]), ...review];
  return [
    ...(bound === undefined
      ? []
      : [
          `The queue is paused: ${describeBound(bound, context.moment())}. The next "work" or "run" resumes it; a schedule does not.`,
        ]),
    ...(idleReason === undefined ? [] : explainIdleReason(idleReason, ran, context.moment())),
    ...(idleReason === undefined || viewModel === null ? [] : describeRest(viewModel, idleReason, started)),
    ...(uncounted === 0
      ? []
      : [`${count(uncounted, 'attempt')} reported no cost, which --max-cost cannot count.`]),
    `${[`Ran ${count(ran, 'attempt')}`, ...ends].join('; ')}.`,
  ];
}

function explainIdleReason(why: Reason, ran: number, moment: Moment): string[] {
  const isKnown = KNOWN_BY_COUNT.includes(why.state) || (ran > 0 && KNOWN_BY_ENDS.includes(why.state));
  return isKnown ? [] : [`Nothing ${ran === 0 ? '' : 'more '}runs: ${describeIdle(why, moment)}.`];
}

/** Reasons that the counts of remaining tasks already show. */
const KNOWN_BY_COUNT: readonly Reason['state'][] = ['stuck', 'unapproved'];

/** Reasons that the counts of outcomes already show. */
const KNOWN_BY_ENDS: readonly Reason['state'][] = ['completed', 'cancelled', 'review', 'dead'];

function describeRest(viewModel: QueueViewModel, why: Reason, { scheduled = false }: Started): string[] {
  const hold = findFullHold(viewModel.snapshot.holds);
  const isKept = scheduled && why.state === 'waiting' && hold?.by === 'bounds';
  return [...(isKept ? [describeKept()] : []), ...describeLeft(viewModel)];
}

function describeKept(): string {
  return `A schedule does not end that pause. Run ${quoteCommand('resume')}, "work" or "run" yourself.`;
}

/** Returns null if the queue cannot be read once more: the run itself is complete. */
async function lookAgain(context: Context, queue: TaskQueue): Promise<QueueViewModel | null> {
  try {
    return await buildViewModel(context, queue);
  } catch (error) {
    if (isProblem(error)) return null;
    throw error;
  }
}
