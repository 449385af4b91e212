import { choose } from '../../../domain/order/order';
import type { DecidingSettings } from '../../../domain/reasons/inputs';
import { explain } from '../../../domain/reasons/explain';
import type { EpochMs } from '../../../domain/time/epoch';
import type { AddedStart, Difference, PastMoment, Replay, Span } from '../../pastReader';
import type { Snapshot } from '../../taskQueue';
import type { QueueEvent } from '../events';
import { placesOf, viewQueue } from '../queueView';
import { emptyState } from '../state/queueState';
import { findAddedStart } from './addedStart';
import { PastQueue, type Past } from './pastQueue';

type ClaimedEvent = Extract<QueueEvent, { kind: 'claimed' }>;

/** Applies the events of a past, each after `visit` has seen it. Ends early once that returns true. */
async function walk(
  past: Past,
  visit: (event: QueueEvent, queue: PastQueue) => boolean,
): Promise<PastQueue | null> {
  let queue: PastQueue | null = null;
  for await (const { state, events } of past) {
    if (queue === null || state !== null) queue = new PastQueue(state ?? emptyState());
    for (const event of events) {
      if (visit(event, queue)) return queue;
      queue.apply(event);
    }
  }
  return queue;
}

/**
 * Decides each recorded claim of a span again by the rules of today, with `changed` in place of the recorded settings. Each
 * is decided at the recorded state, also after one that differs.
 */
export async function replay(
  past: Past,
  { from, to }: Span,
  changed: Partial<DecidingSettings> = {},
): Promise<Replay> {
  const found = new Findings(changed);
  const visit = (event: QueueEvent, queue: PastQueue): boolean => {
    found.note(event, queue);
    found.lookBetween(queue, { from, to: Math.min(event.at, to) });
    if (event.at >= from && event.at < to) found.look(event, queue);
    found.latest = event.at;
    return false;
  };
  const last = await walk(past, visit);
  if (last !== null) found.lookBetween(last, { from, to });
  const { oldestEvent, recordedFrom, events, same, differences, added, unrecorded, clockSteps } = found;
  const timeZone = last?.state.inputs?.timeZone ?? null;
  return { oldestEvent, recordedFrom, events, same, differences, added, unrecorded, clockSteps, timeZone };
}

/** Findings of a replay so far. */
class Findings implements Omit<Replay, 'timeZone'> {
  oldestEvent: EpochMs | null = null;
  recordedFrom: EpochMs | null = null;
  events = 0;
  same = 0;
  readonly differences: Difference[] = [];
  added: AddedStart | null = null;
  unrecorded = 0;
  clockSteps = 0;
  /** Time of the event before. */
  latest: EpochMs = -Infinity;

  constructor(private readonly changed: Partial<DecidingSettings>) {}

  note({ at, kind }: QueueEvent, { state }: PastQueue): void {
    this.oldestEvent ??= at;
    if (kind === 'inputs' || state.inputs !== null) this.recordedFrom ??= at;
  }

  /** Looks for an added start between the event before and the next one. After the nights part there is no other. */
  lookBetween(queue: PastQueue, { from, to }: Span): void {
    if (this.added !== null || this.differences.length > 0) return;
    this.added = findAddedStart(queue, this.changed, { from: Math.max(from, this.latest), to });
  }

  look(event: QueueEvent, queue: PastQueue): void {
    this.events += 1;
    if (event.at < this.latest) this.clockSteps += 1;
    if (event.kind === 'claimed') this.judge(event, queue);
  }

  private judge({ at, claim, choice }: ClaimedEvent, queue: PastQueue): void {
    const world = choice === undefined ? null : queue.world(at, claim.owner, this.changed);
    if (world === null) {
      this.unrecorded += 1;
      return;
    }
    const expected = choose(world, choice, world.waiting)?.definition.id ?? null;
    if (expected === claim.id) {
      this.same += 1;
      return;
    }
    const task = world.byId.get(claim.id);
    const why = task === undefined ? null : explain(task, world, choice?.override);
    this.differences.push({
      ...{ at, recorded: claim.id, expected },
      why: why?.state === 'ready' ? null : why,
    });
  }
}

/** Returns the state at a time: before the first event that was later. */
export async function lookBack(past: Past, at: EpochMs): Promise<PastMoment<Snapshot>> {
  const found: { oldestEvent: EpochMs | null; moment: PastMoment<Snapshot> | null } = {
    oldestEvent: null,
    moment: null,
  };
  const last = await walk(past, (event, queue) => {
    found.oldestEvent ??= event.at;
    if (found.moment !== null) {
      if (event.kind !== 'inputs' || event.asker === undefined || event.asker.worker === null) return false;
      found.moment = { kind: 'unrecorded', recordedFrom: event.at };
      return true;
    }
    if (event.at <= at) return false;
    found.moment =
      found.oldestEvent > at ? { kind: 'before', oldestEvent: found.oldestEvent } : momentOf(queue, at);
    return found.moment.kind !== 'unrecorded';
  });
  if (found.moment !== null) return found.moment;
  return last === null ? { kind: 'before', oldestEvent: null } : momentOf(last, at);
}

function momentOf(queue: PastQueue, now: EpochMs): PastMoment<Snapshot> {
  const around = queue.around();
  if (around === null) return { kind: 'unrecorded', recordedFrom: null };
  const { state } = queue;
  const rows = queue.rowSet();
  const snapshot: Snapshot = {
    ...viewQueue(state, rows),
    revision: state.revision,
    problems: [],
    places: placesOf(rows),
    isUntouched: false,
    timer: state.timer,
    stop: state.stop,
    workers: state.workers,
    died: [],
    outbox: [],
    callbacks: [],
  };
  return { kind: 'known', snapshot, around: { ...around, now } };
}
