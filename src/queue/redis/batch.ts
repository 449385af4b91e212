import type { EpochMs } from '../../domain/time/epoch';
import type { QueueEvent } from '../model/events';
import { draftOf } from '../model/state/draftState';
import type { QueueState } from '../model/state/queueState';
import { apply } from '../model/state/apply';
import { Step } from '../model/step';
import type { OpId } from '../taskQueue';
import { findUnseen, seeRows, type Draft } from './rowChanges';
import type { Entry, RedisState } from './redisState';
import type { Sheet, SheetChange, SheetReader } from './sheet';

/** One try of several calls, one after the other: what they record is kept in one entry of the log, if nobody was faster. */
export class Batch {
  private readonly events: QueueEvent[] = [];
  private readonly changes: SheetChange[] = [];
  private rest: Draft['rest'] = {};
  private lines: readonly string[] = [];
  private queue: QueueState;
  private current: Sheet;
  private freeKey: number;

  constructor(
    private readonly state: RedisState,
    private readonly reader: SheetReader,
    readonly now: EpochMs,
  ) {
    this.queue = draftOf(state.queue);
    this.current = state.sheet;
    this.freeKey = state.lastKey + 1;
  }

  /** Entry with everything that was recorded; null: nothing was. */
  get entry(): Entry | null {
    const { events, changes } = this;
    if (events.length === 0 && changes.length === 0 && !this.isFull) return null;
    return {
      ...(events.length === 0 ? {} : { events }),
      ...(changes.length === 0 ? {} : { rows: changes }),
      ...this.rest,
    };
  }

  /** The rows after everything that was recorded. */
  get sheet(): Sheet {
    return this.current;
  }

  /** Archived attempts, one JSON text each. */
  get archive(): readonly string[] {
    return this.lines;
  }

  /** Whether no call can follow: in an entry, changes of something else than tasks and rows come last. */
  get isFull(): boolean {
    return Object.keys(this.rest).length > 0;
  }

  /** Records the valid rows that no call has recorded yet. */
  seeUnseen(): void {
    const rows = this.reader.read(this.current);
    const unseen = findUnseen(rows, this.queue);
    if (unseen.length === 0) return;
    const step = new Step(this.queue, rows.set, this.now);
    step.record({ kind: 'seen', rows: unseen });
    this.events.push(...step.events);
  }

  /** Runs a call on what the earlier ones left. If it throws, it has recorded nothing. */
  run<T>(op: OpId | undefined, work: (draft: Draft) => T): T {
    const { current: sheet, reader } = this;
    const step = new Step(this.queue, reader.read(sheet).set, this.now, op);
    const { columns } = sheet;
    const draft: Draft = {
      ...{ step, sheet, reader, columns, freeKey: this.freeKey },
      ...{ changes: [], touched: new Map(), rest: {}, archive: [] },
    };
    try {
      const answer = work(draft);
      this.current = seeRows(draft);
      this.take(draft);
      return answer;
    } catch (error) {
      if (step.events.length > 0) this.startAgain();
      throw error;
    }
  }

  private take({ step, changes, freeKey, rest, archive }: Draft): void {
    for (const event of step.events) this.events.push(event);
    for (const change of changes) this.changes.push(change);
    this.freeKey = freeKey;
    this.rest = rest;
    this.lines = archive;
  }

  /** Makes the state again from what was recorded. */
  private startAgain(): void {
    this.queue = draftOf(this.state.queue);
    for (const event of this.events) apply(this.queue, event);
  }
}
