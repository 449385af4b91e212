import { choose } from '../../../domain/order/order';
import type { DecidingSettings } from '../../../domain/reasons/recordedInputs';
import { explain } from '../../../domain/reasons/explain';
import type { EpochMs } from '../../../domain/time/epoch';
import type { AddedStart, Difference, Replay, Span } from '../../pastReader';
import type { QueueEvent } from '../events';
import { findAddedStart } from './addedStart';
import { type Past, type PastQueue, walkPast } from './pastQueue';

type ClaimedEvent = Extract<QueueEvent, { kind: 'claimed' }>;

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
  const last = await walkPast(past, visit);
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
