import type { GateView } from '../../domain/gate/gate';
import type { TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { buildViewModel, peekViewModel, type QueueViewModel } from '../viewModel/queueViewModel';
import { findSkippedTimes } from '../viewModel/taskSkips';
import { startOfCounting } from './countingPeriod';
import { measureHistory, type CountedHistory } from './historyMetrics';
import type { Metric } from './metric';
import { measureQueue } from './queueMetrics';

/** Longest duration of an attempt that is still found when only its end is in the counted period. */
const LONGEST_ATTEMPT_MS = 7 * 24 * 3_600_000;

/** Returns all metrics of a queue. */
function composeMetrics(viewModel: QueueViewModel, history: CountedHistory): readonly Metric[] {
  return [...measureQueue(viewModel), ...measureHistory(history)];
}

/**
 * Reads a queue and returns its metrics in the text format of Prometheus. Does not ask Claude Code: without `gate`, the
 * gate is that of the account of its last answer.
 */
export async function takeMetrics(
  queueContext: QueueContext,
  queue: TaskQueue,
  gate?: GateView,
): Promise<string> {
  const viewModel = await (gate === undefined
    ? peekViewModel(queueContext, queue)
    : buildViewModel(queueContext, queue, gate));
  const { now, settings } = viewModel.world;
  const since = startOfCounting(now, settings.keepHistory);
  const attempts = await queue.attempts({ since: since - LONGEST_ATTEMPT_MS });
  const { renderMetrics } = await import('./renderMetrics');
  return renderMetrics(
    composeMetrics(viewModel, {
      since,
      attempts: attempts.filter(({ endedAt }) => endedAt >= since),
      skipped: findSkippedTimes(viewModel.world, attempts, since),
    }),
  );
}
