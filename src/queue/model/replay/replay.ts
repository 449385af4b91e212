import { pick } from '../../../domain/pick';
import { choose } from '../../../domain/order/order';
import type { DecidingSettings } from '../../../domain/reasons/recordedInputs';
import { explain } from '../../../domain/reasons/explain';
import type { ProcessOwner } from '../../../domain/queue/view';
import type { EpochMs } from '../../../domain/time/epoch';
import type { AddedStart, ClockJump, Difference, MissedStart, Replay, Span } from '../../pastReader';
import type { QueueEvent } from '../events';
import { findAddedStart } from './addedStart';
import { EndsAgain } from './endsAgain';
import { MissedStarts } from './missedStarts';
import { type Past, type PastQueue, walkPast } from './pastQueue';
import { SilentWorkers } from './silentWorkers';

type ClaimedEvent = Extract<QueueEvent, { kind: 'claimed' }>;

/**
 * Decides each recorded claim and end of a span again by the rules of today, with `changed` in place of the recorded
 * settings. Each is decided at the recorded state, also after one that differs. `isDead` knows the workers of now.
 */
export async function replay(
  past: Past,
  { from, to }: Span,
  isDead: (worker: ProcessOwner) => boolean,
  changed: Partial<DecidingSettings> = {},
): Promise<Replay> {
  const found = new Findings(changed);
  const silentWorkers = new SilentWorkers({ from, to });
  const visit = (event: QueueEvent, queue: PastQueue): boolean => {
    found.lookBetween(queue, { from, to: Math.min(event.at, to) });
    found.note(event, queue);
    silentWorkers.look(event, queue.state);
    const isInSpan = event.at >= from && event.at < to;
    found.ends.look(event, queue, isInSpan);
    if (isInSpan) found.look(event, queue);
    found.latest = event.at;
    return false;
  };
  const last = await walkPast(past, visit);
  if (last !== null) found.lookBetween(last, { from, to });
  const { oldestEvent, recordedFrom, events, same, differences, added, missed, unrecorded, clockSteps } =
    found;
  const timeZone = last?.state.inputs?.timeZone ?? null;
  const silent = last === null ? [] : silentWorkers.findAll(last.state, isDead);
  return {
    ...{ oldestEvent, recordedFrom, events, same, differences, added, missed, unrecorded, clockSteps },
    ...{ ends: pick(found.ends, ['same', 'differences']), timeZone, silent, clockJumps: found.clockJumps },
  };
}

/** Findings of a replay so far. */
class Findings implements Omit<Replay, 'timeZone' | 'silent'> {
  oldestEvent: EpochMs | null = null;
  recordedFrom: EpochMs | null = null;
  events = 0;
  same = 0;
  readonly differences: Difference[] = [];
  added: AddedStart | null = null;
  unrecorded = 0;
  clockSteps = 0;
  readonly clockJumps: ClockJump[] = [];
  /** Time of the event before. */
  latest: EpochMs = -Infinity;

  readonly ends = new EndsAgain();
  private readonly missedStarts = new MissedStarts();
  private readonly isChanged: boolean;

  constructor(private readonly changed: Partial<DecidingSettings>) {
    this.isChanged = Object.keys(changed).length > 0;
  }

  get missed(): readonly MissedStart[] {
    return this.missedStarts.found;
  }

  note(event: QueueEvent, { state }: PastQueue): void {
    const { at, kind } = event;
    this.oldestEvent ??= at;
    if (kind === 'inputs' || state.inputs !== null) this.recordedFrom ??= at;
    this.missedStarts.look(event, at < this.latest);
  }

  /** Looks for starts between the event before and the next one. */
  lookBetween(queue: PastQueue, { from, to }: Span): void {
    const span = { from: Math.max(from, this.latest), to };
    if (!this.isChanged) this.missedStarts.lookBetween(queue, span);
    // After the nights part there is no other added start.
    else if (this.added === null && this.differences.length === 0)
      this.added = findAddedStart(queue, this.changed, span);
  }

  look(event: QueueEvent, queue: PastQueue): void {
    this.events += 1;
    if (event.at < this.latest) this.clockSteps += 1;
    const byMs = event.kind === 'inputs' ? event.asker?.clockJumpMs : undefined;
    if (byMs !== undefined) this.clockJumps.push({ at: event.at, byMs });
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
