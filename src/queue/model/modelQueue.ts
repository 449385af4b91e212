import type { DecidingSettings } from '../../domain/reasons/recordedInputs';
import type { Answered, Attempt, StopCause } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { COMPLETION } from '../../domain/task/decide';
import { Problem } from '../../domain/problem';
import type { EpochMs } from '../../domain/time/epoch';
import type { CallbackEntry, CallbackRequest, CallbackTry } from '../../domain/queue/callbacks';
import type { Notice, NoticeChannel, NoticeRequest } from '../../domain/queue/notices';
import type { SkippedRun } from '../../domain/time/unchangedTree';
import type { TaskId } from '../../domain/task/task';
import { isInReview, type ProcessOwner, type SeenTask } from '../../domain/queue/view';
import { BY_SCRIPTS } from '../../domain/task/scriptsHistory';
import type {
  Added,
  Adoption,
  AttemptFilter,
  Claimed,
  ClaimRef,
  End,
  Idle,
  Lost,
  NewHold,
  TaskDraft,
  TaskFields,
  NewTimer,
  OpId,
  RecoverRules,
  ReleaseReason,
  Snapshot,
  TaskQueue,
  Verb,
  ClaimRequest,
  WhichHolds,
} from '../taskQueue';
import type { StopHow } from '../../domain/queue/workerStop';
import {
  registerWorker,
  unregisterWorker,
  showWorkers,
  recordTimerStart,
  refuseWhileRunning,
} from './registration';
import type { PastMoment, Replay, Span } from '../pastReader';
import type { RemovedRow } from '../row/removedRow';
import type { LogLines } from './events';
import { findAttempts } from './keptAttempts';
import type { Liveness } from './liveness';
import { claimCallbacks, settleCallbacks } from './callbackSteps';
import { claimNotices, confirmNotices, deadWorkers, readOutbox } from './outbox';
import { claimWithEnd, lifeInCopy, findLost, hasLostSince, markDead } from './deadClaims';
import { KeptTasks, viewQueue, viewRows, viewTasks } from './queueView';
import { countEmptied, mayRowsReturn, refuseUnread } from './state/vanishedRows';
import { copyStore } from './copiedStore';
import type { EventStore } from './eventStore';
import { lookBack } from './replay/lookBack';
import { recordInputs } from './replay/recordInputs';
import { replay } from './replay/replay';
import { currentTask, isUntouched } from './state/queueState';
import {
  answerTask,
  commentTask,
  claimNext,
  commandTask,
  finishAttempt,
  recoverLost,
  releaseClaim,
  repeatedClaim,
  startAttempt,
  stopOf,
} from './steps';
import type { Step } from './step';

/** `TaskQueue` on a store of events. */
export class ModelQueue implements TaskQueue {
  private readonly kept = new KeptTasks();
  constructor(
    private readonly store: EventStore,
    private readonly liveness: Liveness,
  ) {}

  now(): EpochMs {
    return this.store.now();
  }

  read(): Promise<Snapshot> {
    return this.store.look(({ state, rows }) => ({
      ...markDead(viewQueue(state, rows, this.kept.read(state, rows)), this.liveness),
      revision: state.revision,
      ...viewRows(rows),
      isUntouched: isUntouched(state),
      emptied: countEmptied({ state, rows }),
      timer: state.timer,
      stop: state.stop,
      stopping: state.stopping,
      workers: showWorkers(state, this.liveness),
      died: deadWorkers(state, this.liveness),
      outbox: readOutbox(state),
      callbacks: [...state.callbacks.values()],
    }));
  }

  find(ids: readonly TaskId[]): ReturnType<TaskQueue['find']> {
    return this.store.look(({ state, rows }) => viewTasks(state, rows, new Set(ids)));
  }

  watch(changed: () => void, signal: AbortSignal): void {
    this.store.watch(changed, signal);
  }

  attempts(filter: AttemptFilter): Promise<readonly Attempt[]> {
    return this.store.look(({ state }) => findAttempts(state, filter));
  }

  async add(draft: TaskDraft, op: OpId): Promise<Added> {
    const [added] = await this.store.addAll([draft], op);
    if (added === undefined) throw new RangeError('The store did not return the ids that it added.');
    return added;
  }

  addAll(drafts: readonly TaskDraft[], op: OpId): Promise<readonly Added[]> {
    return this.store.addAll(drafts, op);
  }

  remove(ids: readonly TaskId[], op: OpId): Promise<readonly RemovedRow[]> {
    return this.store.remove(ids, op);
  }

  restore(rows: readonly RemovedRow[], op: OpId): Promise<void> {
    return this.store.restore(rows, op);
  }

  cells(id: TaskId): Promise<TaskFields> {
    return this.store.cells(id);
  }

  move(id: TaskId, before: TaskId | null, op: OpId): Promise<void> {
    return this.store.move(id, before, op);
  }

  edit(id: TaskId, fields: TaskFields, op: OpId): Promise<Added> {
    return this.store.edit(id, fields, op);
  }

  command(id: TaskId, verb: Verb, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      commandTask(step, id, verb, verb === 'accept' ? this.logsOfAccepted(step, id) : {});
    });
  }

  answer(id: TaskId, reply: Required<Answered>, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      answerTask(step, id, reply);
    });
  }

  comment(id: TaskId, text: string, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      commentTask(step, id, text);
    });
  }

  recordUndo(id: TaskId, numbers: readonly number[], op: OpId): Promise<void> {
    return this.record({ kind: 'undone', id, numbers }, op);
  }

  approve(rows: readonly SeenTask[], op: OpId): Promise<void> {
    return this.once(op, (step) => {
      const unchanged = rows.filter(({ id, power }) => step.state.powers.get(id) === power);
      step.record({ kind: 'approved', ids: unchanged.map(({ id }) => id) });
    });
  }

  claim(request: ClaimRequest, op: OpId): Promise<Claimed | Idle> {
    return this.store.transact(op, (step) => {
      const other = this.store.findOther(step.state);
      if (other !== null) throw other;
      return repeatedClaim(step, request) ?? refuseUnread(step, claimNext(step, request, op));
    });
  }

  noteInputs(request: ClaimRequest, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      recordInputs(step, request);
    });
  }

  start(ref: ClaimRef, run: ProcessIdentity, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      startAttempt(step, ref, run);
    });
  }

  renew(ref: ClaimRef, since: EpochMs): Promise<{ readonly stop?: StopCause }> {
    return this.store.look(({ state }) => {
      const stop = stopOf(state, ref, since);
      return stop === undefined ? {} : { stop };
    });
  }

  finish(ref: ClaimRef, end: End, op: OpId, next?: ClaimRequest): Promise<Claimed | Idle | undefined> {
    return this.store.transact(op, (step) => {
      if (step.repeated === undefined) {
        finishAttempt(step, ref, end, this.store.composeLogs(end, step.state.attempts));
      }
      // The end counts. The next claim reports the other program.
      const request = this.store.findOther(step.state) === null ? next : undefined;
      const answer = claimWithEnd(step, request, op, this.liveness);
      // The end is not refused for an incomplete file. The next claim reports that.
      return answer?.kind === 'idle' && mayRowsReturn(step) ? { ...answer, passesByItself: true } : answer;
    });
  }

  release(ref: ClaimRef, why: ReleaseReason, op: OpId, skip?: SkippedRun): Promise<void> {
    return this.once(op, (step) => {
      releaseClaim(step, ref, why, skip);
    });
  }

  recover(rules: RecoverRules, op: OpId): Promise<readonly Lost[]> {
    return this.store.transact(op, (step) =>
      recoverLost(step, this.liveness, rules, (end) => this.store.composeLogs(end, step.state.attempts)),
    );
  }

  hold(hold: NewHold, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      step.record({ kind: 'held', ...hold });
    });
  }

  resume(op: OpId, which: WhichHolds = {}): Promise<void> {
    return this.record({ kind: 'resumed', ...which }, op);
  }

  adopt(adoption: Adoption, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      if (!isUntouched(step.state)) throw new Problem({ reason: 'conflict', kind: 'has-history' });
      step.record({ kind: 'adopted', ...adoption });
    });
  }

  recordTimer(timer: NewTimer | null, op: OpId): Promise<void> {
    return this.record({ kind: 'scheduled', timer }, op);
  }

  recordTimerStart(op: OpId): Promise<void> {
    return this.once(op, (step) => {
      recordTimerStart(step, this.liveness);
    });
  }

  stop(how: StopHow, op: OpId): Promise<void> {
    return this.record({ kind: 'stop', how }, op);
  }

  register(...[worker, { alone }, op]: Parameters<TaskQueue['register']>): ReturnType<TaskQueue['register']> {
    return this.store.transact(op, (step) =>
      step.repeated === undefined ? registerWorker(step, worker, alone, this.liveness) : { kind: 'enlisted' },
    );
  }

  leave(worker: ProcessOwner, op: OpId): Promise<void> {
    return this.once(op, (step) => {
      unregisterWorker(step, worker);
    });
  }

  claimNotices(request: NoticeRequest, op: OpId): Promise<readonly Notice[]> {
    return this.store.transact(op, (step) => claimNotices(step, request, this.liveness));
  }

  confirmNotices(channel: NoticeChannel, keys: readonly string[], op: OpId): Promise<void> {
    return this.once(op, (step) => {
      confirmNotices(step, channel, keys);
    });
  }

  claimCallbacks(request: CallbackRequest, op: OpId): Promise<readonly CallbackEntry[]> {
    return this.store.transact(op, (step) => claimCallbacks(step, request, this.liveness));
  }

  settleCallbacks(sender: CallbackRequest['sender'], tries: readonly CallbackTry[], op: OpId): Promise<void> {
    return this.once(op, (step) => {
      settleCallbacks(step, sender, tries);
    });
  }

  reset(): Promise<string> {
    return this.store.archive((state) => {
      refuseWhileRunning(state, this.liveness);
    });
  }

  sync(): Promise<void> {
    return this.store.sync();
  }

  readLost(): ReturnType<TaskQueue['readLost']> {
    return this.store.look(({ state }) => findLost(state, this.liveness));
  }

  hasLost(snapshot: Pick<Snapshot, 'workers' | 'claims'>): Promise<boolean> {
    return Promise.resolve(hasLostSince(snapshot, this.liveness));
  }

  copy(...how: Parameters<TaskQueue['copy']>): Promise<TaskQueue> {
    return this.store.look((one) => new ModelQueue(copyStore(one, ...how), lifeInCopy(one, this.liveness)));
  }

  replay(span: Span, changed: Partial<DecidingSettings> = {}): Promise<Replay> {
    return replay(this.store.past(span.from), span, (worker) => this.liveness.isDead(worker), changed);
  }

  lookBack(at: EpochMs): Promise<PastMoment<Snapshot>> {
    return lookBack(this.store.past(at), at);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private record(event: Parameters<Step['record']>[0], op: OpId): Promise<void> {
    return this.once(op, (step) => {
      step.record(event);
    });
  }

  private once(op: OpId, work: (step: Step) => void): Promise<void> {
    return this.store.transact(op, (step) => {
      if (step.repeated === undefined) work(step);
    });
  }

  private logsOfAccepted({ state, rows }: Step, id: TaskId): LogLines {
    const row = rows.rows.find(({ definition }) => definition.id === id);
    const last = state.attempts.findLast((attempt) => attempt.id === id);
    const task = currentTask(state, id);
    if (row === undefined || last === undefined || task === undefined) return {};
    // The scripts have logged their own attempts. A success was logged when it ended.
    if (last.reason === BY_SCRIPTS || !isInReview(task)) return {};
    const accepted = { ...last, outcome: 'success' } as const;
    // The end of the attempt was logged as a repetition already.
    const { repeat: _logged, ...once } = row.definition;
    return this.store.composeLogs(
      { attempt: accepted, definition: once, change: COMPLETION },
      state.attempts,
    );
  }
}
