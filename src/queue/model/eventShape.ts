import {
  type AnyWord,
  type Check,
  fields,
  isCount,
  isId,
  isNumber,
  isObject,
  isProcess,
  isText,
  isTrue,
  listOf,
  orAbsent,
  orNull,
  pairsOf,
  recordOf,
} from '../../platform/text/shapes';
import * as path from 'node:path';
import type { Answered, Attempt, EndNote } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { Place } from '../../domain/task/place';
import type { AdoptedTask } from '../../domain/task/scriptsHistory';
import type { SkippedTimes } from '../../domain/time/skippedTimes';
import type { CallbackPlan } from '../../domain/queue/callbackPlan';
import type { CallbackEntry } from '../../domain/queue/callbacks';
import type { NoticeSender } from '../../domain/queue/noticeSender';
import type { Notice, NoticeKind, OutboxEntry } from '../../domain/queue/notices';
import type { ReachedBound } from '../../domain/queue/reachedBound';
import type { Claim, Owner, ProcessOwner, RegisteredWorker, TaskState } from '../../domain/queue/view';
import { isAskerFacts, isChoice, isInputs, isRecordedInputs, isRowFacts } from './inputsShape';
import type { LogLines, QueueEvent, SeenRow } from './events';
import type { QueueState } from './state/queueState';

/** Checks the name of a file in a known folder: it must not lead to another folder. */
export const isFileName: Check<string> = (value): value is string =>
  isText(value) && !['', '.', '..'].includes(value) && path.basename(value) === value;

const isAmount: Check<number> = (value): value is number => isNumber(value) && value >= 0;

/** Checks the process of an attempt, which is ended with its process group. Refuses process 1: its group is every process. */
const isRun: Check<ProcessIdentity> = (value): value is ProcessIdentity => isProcess(value) && value.pid > 1;

const isProcessOwner = fields<ProcessOwner>({ machine: isText, worker: isText, process: isProcess });
const isOwner: Check<Owner> = (value): value is Owner =>
  isObject(value) && (value['kind'] === 'person' ? isText(value['machine']) : isProcessOwner(value));
const isWorker = fields<RegisteredWorker>({
  owner: isProcessOwner,
  since: isNumber,
  takes: orAbsent(isChoice),
  slots: orAbsent(fields({ min: isCount, max: isCount })),
  byTimer: orAbsent(isTrue),
});

const isAnswered = orAbsent(listOf(fields<Answered>({ question: orAbsent(isText), answer: isText })));
const isBound: Check<ReachedBound> = (value): value is ReachedBound =>
  isObject(value) && isText(value['kind']);

const isSkipped = fields<SkippedTimes>({
  why: isText,
  from: isNumber,
  to: isNumber,
  count: isCount,
  pause: orAbsent(isText),
  bound: orAbsent(isBound),
});
const CALLBACK_CELLS = { requestId: orAbsent(isText), metadata: orAbsent(isText) };
const isSkips = orAbsent(listOf(isSkipped));
const OF_TURN = { dueAt: orAbsent(isNumber), skipped: isSkips, interval: orAbsent(isText) };

const isPlace = fields<Place>({ folder: isText, through: orAbsent(isText), top: orAbsent(isText) });

const isClaim = fields<Claim>({
  ...OF_TURN,
  id: isId,
  power: isText,
  token: isCount,
  attempt: isCount,
  owner: isOwner,
  at: isNumber,
  session: isText,
  handOver: orAbsent(isText),
  answered: isAnswered,
  mark: isText,
  place: orAbsent(isPlace),
  workingDir: orAbsent(isText),
  run: orAbsent(isRun),
  callbacks: orAbsent(
    fields<CallbackPlan>({
      url: orAbsent(isText),
      queue: orAbsent(isTrue),
      ...CALLBACK_CELLS,
    }),
  ),
});

const isNote: Check<EndNote> = (value): value is EndNote => isObject(value) && isText(value['kind']);

export const isAttempt = fields<Attempt>({
  ...OF_TURN,
  id: isId,
  number: isCount,
  power: isText,
  session: orNull(isText),
  startedAt: isNumber,
  endedAt: isNumber,
  outcome: isText,
  reason: isText,
  message: isText,
  note: orAbsent(isNote),
  place: orAbsent(isPlace),
  output: orAbsent(isFileName),
  earlierOutput: orAbsent(isFileName),
  machine: orAbsent(isText),
  costUsd: orAbsent(isAmount),
  tree: orAbsent(isText),
  denials: orAbsent(listOf(fields({}))),
  undoneAt: orAbsent(isNumber),
  acceptedAt: orAbsent(isNumber),
});

const isTask = fields<TaskState>({
  id: isId,
  power: isText,
  status: isText,
  retryCount: isCount,
  ownerScheduledAt: orNull(isNumber),
  dueAt: orNull(isNumber),
  firstSeenAt: isNumber,
  skipped: isSkips,
  session: orNull(isText),
  handOver: orAbsent(isText),
  question: orAbsent(fields({ text: isText, session: isText, answered: isAnswered })),
  answered: isAnswered,
  lastNote: orAbsent(isNote),
  successTree: orAbsent(isText),
});

const isSeenRow = fields<SeenRow>({
  id: isId,
  power: isText,
  status: orAbsent(isText),
  scheduledAt: orAbsent(orNull(isNumber)),
  retryCount: orAbsent(isCount),
});

const isSender = fields<NoticeSender>({ machine: isText, process: isProcess });
const OF_TASK = { id: isId, power: isText };
const OF_END = { ...OF_TASK, attempt: isCount };
const OF_DEADLINE = { ...OF_TASK, by: isNumber };
type NoticeOf<K extends NoticeKind, N = Notice> = N extends { readonly kind: infer Kind }
  ? K extends Kind
    ? N
    : never
  : never;
const NOTICES: { readonly [K in NoticeKind]: Check<NoticeOf<K>> } = {
  'needs-answer': fields(OF_END),
  review: fields(OF_END),
  failed: fields(OF_END),
  'at-risk': fields(OF_DEADLINE),
  late: fields(OF_DEADLINE),
  blocked: fields({ gate: isText, since: isNumber }),
  stopped: fields({ cause: isText, after: isNumber }),
  'worker-died': fields({ worker: isText, machine: orAbsent(isText), process: isProcess }),
  'timer-late': fields({ timer: isText, expectedAt: isNumber }),
  'all-done': fields({
    since: isNumber,
    until: isNumber,
    completed: isCount,
    failed: isCount,
    review: isCount,
    cancelled: orAbsent(isCount),
    left: isCount,
    costUsd: isAmount,
    isCostOpen: orAbsent(isTrue),
  }),
  'callback-failed': fields({
    id: isId,
    attemptId: isText,
    target: isText,
    host: isText,
    failure: fields({ kind: isText }),
  }),
};

/** Checks by name. */
export type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const isNotice: Check<Notice> = (value): value is Notice =>
  isObject(value) && isText(value['kind']) && checkOf(NOTICES, value['kind'])?.(value) === true;

const isOutboxEntry = fields<OutboxEntry>({
  notice: isNotice,
  at: isNumber,
  senders: recordOf(isText, isSender),
  sent: listOf(isText),
});

const isCallbackEntry = fields<CallbackEntry>({
  callback: fields({
    attemptId: isText,
    machine: orAbsent(isText),
    target: isText,
    url: orAbsent(isText),
    ...CALLBACK_CELLS,
    result: orAbsent(isText),
    attempt: isAttempt,
    status: isText,
  }),
  failures: isCount,
  nextAt: isNumber,
  sender: orAbsent(isSender),
});

const isAdoptedTask = fields<AdoptedTask>({
  id: isId,
  power: isText,
  state: fields({
    status: orAbsent(isText),
    retryCount: orAbsent(isCount),
    dueAt: orAbsent(orNull(isNumber)),
    lastSuccessAt: orAbsent(orNull(isNumber)),
    lastMessage: orAbsent(orNull(isText)),
    lastNote: orAbsent(isNote),
  }),
});

const CLOCK = { machine: orAbsent(isText), timeZone: orAbsent(isText) };
const NEW_TIMER = { by: isText, crons: listOf(isText), ...CLOCK };
const TIMER = { ...NEW_TIMER, since: isNumber, ranUntil: orAbsent(isNumber) };
const isOfClaim = { id: isId, token: isCount };

const EVENTS: {
  readonly [K in QueueEvent['kind']]: Check<Extract<QueueEvent, { readonly kind: K }>>;
} = {
  seen: fields({ rows: listOf(isSeenRow) }),
  gone: fields({ ids: listOf(isId) }),
  claimed: fields({ claim: isClaim, choice: orAbsent(isChoice), askingSince: orAbsent(isNumber) }),
  inputs: isInputs,
  started: fields({ ...isOfClaim, run: isRun }),
  finished: fields({ ...isOfClaim, change: fields({}), attempt: isAttempt, result: orAbsent(isText) }),
  released: fields({ ...isOfClaim, skip: orAbsent(fields({ skipped: isSkipped, dueAt: isNumber })) }),
  commanded: fields({ id: isId, verb: isText }),
  answered: fields({ id: isId, reply: fields({ question: isText, answer: isText }) }),
  commented: fields({ id: isId, text: isText, session: isText }),
  undone: fields({ id: isId, numbers: listOf(isCount) }),
  approved: fields({ ids: listOf(isId) }),
  held: fields({ why: isText, bound: orAbsent(isBound) }),
  resumed: fields({}),
  missed: fields({
    id: isId,
    count: isCount,
    dueAt: isNumber,
    owedRuns: orAbsent(isCount),
    caughtUp: orAbsent(isCount),
    lastAt: orAbsent(isNumber),
    skipped: isSkips,
  }),
  adopted: fields({ from: isText, attempts: listOf(isAttempt), tasks: listOf(isAdoptedTask) }),
  scheduled: fields({ timer: orNull(fields(NEW_TIMER)) }),
  'timer-started': fields({ noWorker: orAbsent(isTrue) }),
  stop: fields({}),
  enlisted: fields({ worker: isWorker }),
  left: fields({ workers: listOf(isProcessOwner) }),
  raised: fields({ notices: listOf(isNotice) }),
  sending: fields({ channel: isText, sender: isSender, keys: listOf(isText) }),
  sent: fields({ channel: isText, keys: listOf(isText) }),
  calling: fields({ sender: isSender, keys: listOf(isText) }),
  called: fields({
    done: listOf(isText),
    again: listOf(fields({ key: isText, at: isNumber })),
    recovered: orAbsent(listOf(isText)),
  }),
};

const isEventOfAnyKind = fields<QueueEvent & { readonly logs?: LogLines }>({
  at: isNumber,
  kind: isText,
  op: orAbsent(isText),
  logs: orAbsent(recordOf(isText, isText)),
});

/**
 * Whether an event that was read is valid. A queue's history may come from elsewhere. Its events become file names,
 * processes to end, and sums compared with limits, so none of that is trusted. Fields and kinds that a newer program
 * added are not checked.
 */
export const isEvent: Check<QueueEvent> = (value): value is QueueEvent =>
  isEventOfAnyKind(value) && checkOf(EVENTS, value.kind)?.(value) !== false;

/** Returns the check of a name, which may be any text that was read. */
export function checkOf(checks: Checks, name: string): Checks[string] | undefined {
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

/** Checks of a state's fields in a snapshot: maps as lists of pairs. Fields in `Untold` are not in a snapshot. */
export type SnapshotChecks<State, Untold extends keyof State> = {
  readonly [Field in Exclude<keyof State, Untold>]: Check<
    AnyWord<
      State[Field] extends ReadonlyMap<infer Key, infer Value>
        ? readonly (readonly [Key, Value])[]
        : State[Field]
    >
  >;
} & Readonly<Record<Untold, () => false>>;

const ofQueue: SnapshotChecks<QueueState, never> = {
  revision: isCount,
  tasks: pairsOf(isText, isTask),
  powers: pairsOf(isId, isText),
  claims: pairsOf(isId, isClaim),
  attemptCounts: pairsOf(isId, isCount),
  attempts: listOf(isAttempt),
  starts: listOf(isNumber),
  costs: listOf(fields({ at: isNumber, usd: isAmount })),
  token: isCount,
  holds: listOf(fields({ by: isText, why: isText, bound: orAbsent(isBound), at: isNumber })),
  pauses: listOf(fields({ why: isText, bound: orAbsent(isBound), from: isNumber, to: isNumber })),
  streak: orNull(
    fields({
      outcome: isText,
      reason: isText,
      message: isText,
      ids: listOf(isId),
      since: orAbsent(isNumber),
    }),
  ),
  turns: pairsOf(isText, isCount),
  adoptedAt: orNull(isNumber),
  timer: orNull(fields({ ...TIMER, startedAt: orNull(isNumber), noWorkerSince: orAbsent(isNumber) })),
  stop: orNull(fields({ how: isText, at: isNumber })),
  stopping: listOf(isProcessOwner),
  workers: listOf(isWorker),
  outbox: pairsOf(isText, isOutboxEntry),
  callbacks: pairsOf(isText, isCallbackEntry),
  batchSince: orNull(isNumber),
  batchEnds: orNull(isCount),
  emptied: orNull(fields({ at: isNumber, open: isCount })),
  ops: pairsOf(isText, isEvent),
  inputs: orNull(isRecordedInputs),
  askers: pairsOf(isText, isAskerFacts),
  rowFacts: pairsOf(isId, isRowFacts),
  rowOrder: listOf(isId),
};

/** Whether a part of a queue's state that was read is valid. */
export function isQueuePart(field: unknown, value: unknown): boolean {
  return isText(field) && checkOf(ofQueue, field)?.(value) !== false;
}
