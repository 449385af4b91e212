import { ASKS_EVERY_MS } from '../../../domain/queue/asking';
import type { ProcessOwner } from '../../../domain/queue/view';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskId } from '../../../domain/task/task';
import type { MissedStart, Span } from '../../pastReader';
import type { QueueEvent } from '../events';
import { nameAsker } from '../state/inputsState';
import { askingWorkers, findFirstStart } from './addedStart';
import type { PastQueue } from './pastQueue';

/** Time in which a worker that asks without a pause asks at least once, with room for clocks that differ, in ms. */
const ASKED_MS = 3 * ASKS_EVERY_MS;

/**
 * Starts that the rules find while workers asked and got none. A worker's silence proves nothing: its machine may have
 * slept. Only its next record says for how long it had asked. An answer without an event had the recorded inputs.
 */
export class MissedStarts {
  readonly found: MissedStart[] = [];
  /** Starts by name of the worker. They count once it says that it asked meanwhile. */
  private readonly unproven = new Map<string, MissedStart[]>();
  /** Tasks that were named and have not started since. */
  private readonly named = new Set<TaskId>();

  /** Looks for starts in a time without events. */
  lookBetween(queue: PastQueue, { from, to }: Span): void {
    if (to - from <= ASKED_MS) return;
    for (const { owner: worker } of askingWorkers(queue)) {
      const start = findFirstStart(worker, queue, { from, to: to - ASKED_MS });
      if (start !== null && isStartedUntil(start.at + ASKED_MS, start.at, worker, queue))
        this.unprovenOf(worker).push({ ...start, worker });
    }
  }

  /** Looks at an event in the order in which they were recorded. */
  look(event: QueueEvent, isClockSetBack: boolean): void {
    if (isClockSetBack) this.unproven.clear();
    if (event.kind === 'claimed') {
      const { owner, id } = event.claim;
      if (owner.kind === 'process') this.prove(nameAsker(owner), event.askingSince);
      this.named.delete(id);
    }
    if (event.kind === 'inputs') this.prove(event.asker?.worker ?? null, event.asker?.askingSince);
    if (event.kind === 'left') for (const worker of event.workers) this.prove(nameAsker(worker), undefined);
  }

  /** Notes that a worker has asked without a pause since a time; undefined: it has not, or does not say. */
  private prove(worker: string | null, askingSince: EpochMs = Infinity): void {
    if (worker === null) return;
    for (const start of this.unproven.get(worker) ?? []) {
      if (askingSince > start.at + ASKS_EVERY_MS || this.named.has(start.task)) continue;
      this.named.add(start.task);
      this.found.push(start);
    }
    this.unproven.delete(worker);
  }

  private unprovenOf(worker: ProcessOwner): MissedStart[] {
    const name = nameAsker(worker) ?? '';
    const starts = this.unproven.get(name) ?? [];
    this.unproven.set(name, starts);
    return starts;
  }
}

/** Whether the rules start a task all the time until `to`, at which nothing happens. */
function isStartedUntil(to: EpochMs, from: EpochMs, worker: ProcessOwner, queue: PastQueue): boolean {
  for (let at = from; at <= to; at += ASKS_EVERY_MS)
    if (findFirstStart(worker, queue, { from: at, to: at + 1 }) === null) return false;
  return true;
}
