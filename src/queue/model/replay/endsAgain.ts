import { defaults } from '../../../domain/settings/settings';
import { pick } from '../../../domain/pick';
import { decide, type Change } from '../../../domain/task/decide';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskId } from '../../../domain/task/task';
import { factsOf, nameAsker } from '../state/inputsState';
import { currentTask } from '../state/queueState';
import type { EndDifference, Ending } from '../../pastReader';
import type { QueueEvent } from '../events';
import type { PastQueue } from './pastQueue';

type Finished = Extract<QueueEvent, { kind: 'finished' }>;

/**
 * Ends of attempts that are decided again. Only those of workers, in the parts that do not depend on chance, on the gate
 * or on settings that are not recorded.
 * A row counts as it was recorded before. The next request for a task records an edit since then: a difference counts
 * only if there was none.
 */
export class EndsAgain {
  same = 0;
  readonly differences: EndDifference[] = [];
  private unproven: EndDifference[] = [];
  /** Last change of each task from outside. Its worker may have looked before it. */
  private readonly touched = new Map<TaskId, EpochMs>();

  /** Looks at an event, before it is applied. Ends are decided only in the span that is asked for. */
  look(event: QueueEvent, queue: PastQueue, isInSpan: boolean): void {
    switch (event.kind) {
      case 'seen':
        for (const { id } of event.rows) this.touched.set(id, event.at);
        return;
      case 'commanded':
      case 'answered':
      case 'commented':
      case 'missed':
        this.touched.set(event.id, event.at);
        return;
      case 'finished':
        if (isInSpan) this.judge(event, queue);
        return;
      case 'inputs':
        this.unproven = this.unproven.filter(({ task }) => !mayConcern(event, task));
        if (event.asker !== undefined) this.prove();
        return;
      case 'claimed':
        if (event.choice !== undefined) this.prove();
        return;
      default:
    }
  }

  private prove(): void {
    this.differences.push(...this.unproven);
    this.unproven = [];
  }

  private judge(event: Finished, queue: PastQueue): void {
    const { id: task, at, change, attempt } = event;
    if ((this.touched.get(task) ?? -Infinity) >= attempt.endedAt) return;
    const expected = decideAgain(event, queue);
    if (expected === null) return;
    const [first, last] = expected;
    if (isDecidedBetween(change, first, last)) {
      this.same += 1;
      return;
    }
    const { outcome } = attempt;
    this.unproven.push({ at, task, outcome, recorded: endingOf(change), expected: endingOf(last) });
  }
}

/** Whether inputs that changed since the last request may have been the ones of the task's end. */
function mayConcern(
  { rows = [], order, invalid, settings, timeZone }: Extract<QueueEvent, { kind: 'inputs' }>,
  task: TaskId,
): boolean {
  const hasRules = settings !== undefined || timeZone !== undefined;
  return hasRules || order !== undefined || invalid !== undefined || rows.some(({ id }) => id === task);
}

/**
 * Returns the effect of an attempt's end by the rules, if it was decided when the attempt ended, and when that was
 * recorded: it was between the two. Null: not all that counts is recorded.
 */
function decideAgain(event: Finished, queue: PastQueue): readonly [Change, Change] | null {
  const { state } = queue;
  const { id, token, at, change, attempt } = event;
  const claim = state.claims.get(id);
  const task = currentTask(state, id);
  const row = state.rowFacts.get(id);
  if (claim?.token !== token || claim.owner.kind !== 'process' || state.inputs === null) return null;
  if (row === undefined || row.unseen === true || task?.power !== claim.power) return null;
  if (at < attempt.endedAt) return null;
  const { settings: own, timeZone } = { ...state.inputs, ...factsOf(state, nameAsker(claim.owner)) };
  const settings = { ...defaults, ...own };
  // Only a closed gate interrupts.
  const isGateClosed = change.resume === 'interrupted';
  const decideAt = (now: EpochMs): Change =>
    decide(row, task, attempt, { now, random: 0.5, settings, timeZone, isGateClosed });
  return [decideAt(attempt.endedAt), decideAt(at)];
}

/** Returns the parts of a change that are compared: of the times, only that of the next repetition. */
function endingOf(change: Change): Ending {
  const { dueCause, dueAt } = change;
  return {
    ...pick(change, ['status', 'retryCount', 'givenUp']),
    nextAt: dueCause === 'repeat' ? dueAt : null,
  };
}

/** Whether the recorded change is that of a decision between two times. */
function isDecidedBetween(recorded: Change, first: Change, last: Change): boolean {
  const [found, a, b] = [endingOf(recorded), endingOf(first), endingOf(last)];
  const { status, retryCount, givenUp } = found;
  if (status !== b.status || retryCount !== b.retryCount || givenUp !== b.givenUp) return false;
  if (found.nextAt === null || a.nextAt === null || b.nextAt === null) return found.nextAt === b.nextAt;
  return found.nextAt >= a.nextAt && found.nextAt <= b.nextAt;
}
