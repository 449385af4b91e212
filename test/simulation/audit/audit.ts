import type { Reason, ShownState } from '../../../src/domain/reasons/reason';
import type { World } from '../../../src/domain/reasons/world';
import { isWithinWindow, type LimitSignal } from '../../../src/domain/gate/gate';
import { explain } from '../../../src/domain/reasons/explain';
import type { Attempt } from '../../../src/domain/task/attempt';
import { isEndUnknown } from '../../../src/domain/task/runTime';
import type { Definition, TaskId } from '../../../src/domain/task/task';
import type { Claim } from '../../../src/domain/queue/view';
import { applyRest, emptyFileState, type Entry, type FileState } from '../../../src/queue/file/fileState';
import { apply } from '../../../src/queue/model/state/apply';
import type { QueueEvent } from '../../../src/queue/model/events';
import type { Kernel } from '../machine/kernel';
import type { Claude, Run } from '../play/claude';
import { Violation } from '../play/violation';
import { checkClaim, newestBasis, worldOf } from './claimAudit';
import { Coverage, type EventName } from './coverage';
import { meetingsOf } from './journalEvents';
import { checkFinish } from './finishAudit';
import { checkMissed } from './missedAudit';
import { checkSeen, type Owner } from './ownerAudit';
import { noticeKind } from './noticeAudit';
import { JournalReader, JOURNAL } from './journalReader';
import { Sources } from './sources';
import { LATEST_MS } from './versions';
import type { WorkerOptions } from '../program/host';
import type { SimWorker } from '../play/machine';
import type { IsAlive } from '../../../src/domain/gate/probe';
import { checkFound, checkGone } from './editAudit';
import { DeathAudit } from './deathAudit';
import { IdleAudit, mayNotice } from './idleAudit';
import { NightAudit } from './nightAudit';
import { TimerAudit } from './timerAudit';
import { checkWorkerEnd } from './workerAudit';

/** A claim as it was made. */
export interface MadeClaim {
  readonly claim: Claim;
  /** When it was recorded, in ms from the start of the history: the clock may be set. */
  readonly recordedAt: number;
  /** Place of its event among all. */
  readonly place: number;
  /** Rows that it may be of. */
  readonly rows: readonly Definition[];
}

/** Parts of the machine that an audit looks at. */
export interface AuditParts {
  readonly kernel: Kernel;
  readonly claude: Claude;
  readonly owner: Owner;
  readonly workers: () => readonly SimWorker[];
  readonly optionsOf: (pid: number) => WorkerOptions | null;
  readonly isAlive: IsAlive;
  /** Returns the times on the wall at which the timer started workers. */
  readonly timerStarts: () => readonly number[];
}

/** Longest time in ms in which a cancelled run ends. */
const LONGEST_CANCEL_MS = 5_000;

type Finished = Extract<QueueEvent, { readonly kind: 'finished' }>;

/** A recorded end of an attempt. */
type Ended = Finished & {
  /** Mark of its claim. */
  readonly mark: string;
  /** Place of its event among all. */
  readonly place: number;
  /** Running time at which it was first seen in the journal. */
  readonly seenAt: number;
  /** Running time at which its run ended. */
  readonly ranUntil: number;
  /** Cost that its run had. */
  readonly costUsd: number;
};

/**
 * Follows a history from outside: adds up the journal with the product's own rules, unplanted, and checks each step as
 * it appears on the disk.
 */
export class Audit {
  readonly sources: Sources;
  readonly coverage = new Coverage();
  state: FileState = emptyFileState();
  /** Claims by mark. */
  readonly claims = new Map<string, MadeClaim>();
  readonly finished: Ended[] = [];
  /** Running time at which the end of each attempt was first seen. */
  private readonly seenAt = new Map<string, number>();
  /** Running time at which the user cancelled the run of each claim. */
  private readonly cancelledAt = new Map<string, number>();
  /** Number of times that each notice was raised. */
  readonly raised = new Map<string, number>();
  /** Lines of each log in the journal's events, in order. */
  readonly logs = new Map<string, string>();
  /** Reset of each recorded limit, by task and attempt, as the account reported it. */
  readonly resets = new Map<string, number>();
  /** Tasks that were completed once: by a success, by the user, or by a cell. */
  readonly everCompleted = new Set<TaskId>();
  /** State in which each task was shown last, also one whose row has gone. */
  private readonly lastShown = new Map<TaskId, ShownState>();
  places = 0;
  private reader: JournalReader;
  private isDirty = false;
  private isSourceDirty = true;

  private readonly kernel: Kernel;
  readonly claude: Claude;
  readonly owner: Owner;
  readonly optionsOf: AuditParts['optionsOf'];
  /** Marks of the claims whose ends are recorded. */
  readonly ended = new Set<string>();
  private readonly idle: IdleAudit;
  private readonly deaths: DeathAudit;
  private readonly timers: TimerAudit;
  readonly night = new NightAudit();
  /** Workers that ended by themselves since the last call of `update`. */
  private readonly endedWorkers: { readonly worker: SimWorker; readonly error: unknown }[] = [];

  constructor(private readonly parts: AuditParts) {
    const { kernel, claude, owner, optionsOf, isAlive } = parts;
    this.kernel = kernel;
    this.claude = claude;
    this.owner = owner;
    this.optionsOf = optionsOf;
    this.idle = new IdleAudit(kernel);
    this.deaths = new DeathAudit(kernel, isAlive);
    this.timers = new TimerAudit(kernel, isAlive, parts.timerStarts);
    this.sources = new Sources(kernel, isAlive);
    this.reader = new JournalReader(kernel.disk);
  }

  /** Notes that a file has changed. */
  note(file: string): void {
    if (file === JOURNAL) this.isDirty = true;
    else if (this.sources.note(file)) this.isSourceDirty = true;
  }

  get needsUpdate(): boolean {
    return this.isDirty || this.isSourceDirty || this.endedWorkers.length > 0;
  }

  /** Checks what has happened since the last call. @throws Violation */
  async update(): Promise<void> {
    if (this.isSourceDirty) {
      this.isSourceDirty = false;
      await this.sources.update();
    }
    if (this.isDirty) {
      this.isDirty = false;
      for (const entry of this.reader.read()) this.follow(entry, true);
    }
    for (const { worker, error } of this.endedWorkers.splice(0))
      checkWorkerEnd(worker, error, this, this.kernel);
  }

  /** Notes that a worker ended by itself. `error`: the one with which it failed. */
  noteWorkerEnd(worker: SimWorker, error: unknown): void {
    this.endedWorkers.push({ worker, error });
  }

  /** Notes that the clock was set: workers find out when they look the next time. */
  noteStep(): void {
    this.idle.forget();
  }

  /** Checks that workers do and notice what there is to do and to notice. @throws Violation */
  lookForIdle(): void {
    const workers = this.parts.workers();
    this.idle.look(workers, this);
    const isWatched =
      !this.kernel.disk.isFull && !this.sources.isDelayed && workers.some((one) => mayNotice(one, this));
    this.deaths.look(isWatched, this);
    this.timers.look(isWatched, this);
  }

  /** Adds up the journal again: a power cut may have taken its end. */
  restart(): void {
    this.reader = new JournalReader(this.kernel.disk);
    this.state = emptyFileState();
    this.finished.length = 0;
    this.places = 0;
    this.logs.clear();
    this.raised.clear();
    this.night.restart();
    this.ended.clear();
    for (const entry of this.reader.read()) this.follow(entry, false);
  }

  /** Notes that all tasks met an event. */
  meet(event: EventName): void {
    for (const shown of this.shownStates().values()) this.coverage.note(shown, event);
  }

  /** Returns each task's state as the user sees it. */
  shownStates(): ReadonlyMap<TaskId, ShownState> {
    const world = this.world();
    const states = new Map<TaskId, ShownState>();
    for (const id of world.queue.invalidIds) states.set(id, 'invalid');
    for (const [id, { state }] of reasonsIn(world)) states.set(id, state);
    for (const [id, shown] of states) this.lastShown.set(id, shown);
    return states;
  }

  /** Returns the reason of each task with a valid row. */
  reasons(): ReadonlyMap<TaskId, Reason> {
    return reasonsIn(this.world());
  }

  private world(): World {
    // A process knows its time in whole milliseconds.
    const wall = Math.floor(this.kernel.wall());
    return worldOf(this.state.queue, wall, newestBasis(this.sources, wall));
  }

  private follow(entry: Entry, isNew: boolean): void {
    if (isNew) this.checkEntry(entry);
    for (const event of entry.events ?? []) {
      this.places += 1;
      if (isNew) this.check(event);
      this.keep(event, isNew);
      apply(this.state.queue, event);
    }
    applyRest(this.state, entry);
  }

  private checkEntry(entry: Entry): void {
    if (entry.fold !== undefined) this.meet('checkpoint');
    checkFound(this.state, entry, this.kernel.disk);
    if (entry.folded === true && this.owner.isTyping() && !this.sources.isDelayed)
      throw new Violation('edits kept', 'the file was written while a window had unsaved changes');
  }

  private check(event: QueueEvent): void {
    this.cover(event);
    if (event.kind === 'gone') checkGone(event.ids, this.sources, this.kernel.now);
    const { queue } = this.state;
    if (event.kind === 'finished') checkFinish(queue, event, this);
    if (event.kind === 'started' && queue.claims.get(event.id)?.token !== event.token)
      throw new Violation('one owner', `task ${String(event.id)} was started with an old token`);
    if (event.kind === 'raised') {
      this.timers.noteRaised(event.notices, this);
      this.night.checkRaised(event.notices, this);
    }
    if (event.kind === 'missed') checkMissed(queue, event, this.sources);
    if (event.kind === 'seen') checkSeen(this.state, event.rows, this.owner);
  }

  private keep(event: QueueEvent, isNew: boolean): void {
    if (event.kind === 'claimed' && isNew) this.keepClaim(event);
    if (event.kind === 'finished') this.keepEnd(event);
    if (event.kind === 'raised') {
      for (const notice of event.notices) addTo(this.raised, noticeKind(notice), 1);
      this.night.note(event.notices, this);
    }
    if (event.kind === 'commanded' && event.verb === 'cancel') this.noteCancel(event.id);
    this.keepCompleted(event);
    const logs = 'logs' in event ? event.logs : undefined;
    for (const [name, lines] of Object.entries(logs ?? {}))
      this.logs.set(name, (this.logs.get(name) ?? '') + lines);
  }

  private noteCancel(id: TaskId): void {
    const mark = this.state.queue.claims.get(id)?.mark;
    if (mark !== undefined && !this.cancelledAt.has(mark)) this.cancelledAt.set(mark, this.kernel.now);
  }

  wasCancelled(mark: string): boolean {
    return this.cancelledAt.has(mark);
  }

  /** Whether the run of a claim continued for long after the user cancelled it, although nothing delayed its worker. */
  ranOnAfterCancel(mark: string): boolean {
    const cancelledAt = this.cancelledAt.get(mark);
    const run = this.claude.runs.find(({ job }) => job.attemptMark === mark);
    if (cancelledAt === undefined || run?.endedAt === undefined) return false;
    return run.endedAt - cancelledAt > LONGEST_CANCEL_MS && !this.sources.isDelayed;
  }

  private keepClaim(event: Extract<QueueEvent, { kind: 'claimed' }>): void {
    const { claim } = event;
    const { owner } = claim;
    const options = owner.kind === 'process' ? this.optionsOf(owner.process.pid) : null;
    const rows = checkClaim(this.state.queue, event, {
      ...{ sources: this.sources, now: this.kernel.now, options },
    });
    this.claims.set(claim.mark, { claim, recordedAt: this.kernel.now, place: this.places, rows });
  }

  private keepCompleted(event: QueueEvent): void {
    if (event.kind === 'commanded' && event.verb === 'accept') this.everCompleted.add(event.id);
    if (event.kind !== 'seen') return;
    for (const { id, status } of event.rows) if (status === 'completed') this.everCompleted.add(id);
  }

  private keepEnd(event: Finished): void {
    const { id, number, outcome } = event.attempt;
    const key = `${String(id)}/${String(number)}`;
    // After a power cut it is read again.
    const seenAt = this.seenAt.get(key) ?? this.kernel.now;
    this.seenAt.set(key, seenAt);
    if (outcome === 'success') this.everCompleted.add(id);
    const { mark = '' } = this.state.queue.claims.get(id) ?? {};
    this.ended.add(mark);
    const run = this.claude.runs.find(({ job }) => job.attemptMark === mark);
    const costUsd = costOf(event.attempt, run);
    this.finished.push({
      ...event,
      ...{ mark, place: this.places, seenAt, ranUntil: run?.endedAt ?? seenAt, costUsd },
    });
    const resetAt = resetOf(run?.verdict?.signal, event.at);
    if (resetAt !== null) this.resets.set(key, resetAt);
  }

  private cover(event: QueueEvent): void {
    for (const { name, ids } of meetingsOf(event)) {
      if (ids === undefined) this.meet(name);
      else this.coverTasks(name, ids);
    }
  }

  private coverTasks(name: EventName, ids: readonly TaskId[]): void {
    const states = this.shownStates();
    const isSure =
      this.sources.isSteady(this.kernel.now) && !this.owner.hasSteppedSince(this.kernel.wall() - LATEST_MS);
    for (const id of ids) {
      const shown = states.get(id) ?? (name === 'gone' ? this.lastShown.get(id) : undefined);
      if (shown !== undefined) this.coverage.note(shown, name, isSure);
    }
  }
}

function reasonsIn(world: World): ReadonlyMap<TaskId, Reason> {
  return new Map(world.queue.tasks.map((task) => [task.definition.id, explain(task, world)]));
}

/** Returns the cost that an attempt's run had; 0: its worker died and did not hear of it. */
function costOf(attempt: Attempt, run: Run | undefined): number {
  return isEndUnknown(attempt) ? 0 : (run?.verdict?.costUsd ?? 0);
}

/** Returns the reset that a limit states; null: none, or one farther ahead than the limit's window is long. */
function resetOf(signal: LimitSignal | undefined, at: number): number | null {
  return signal !== undefined && isWithinWindow(signal.kind, signal.resetAt ?? 0, at) ? signal.resetAt : null;
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
