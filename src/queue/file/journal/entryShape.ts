import {
  type Check,
  fields,
  isCount,
  isId,
  isNumber,
  isObject,
  isProcess,
  isText,
  listOf,
  orAbsent,
  orNull,
  pairsOf,
  recordOf,
} from '../../../platform/text/shapes';
import type { NoticeKind } from '../../../domain/queue/notices';
import type { QueueEvent } from '../../model/events';
import type { QueueState } from '../../model/queueState';
import type { FileState } from '../fileState';
import { LOG_NAMES } from '../checkpoint/logLines';
import { isFileName, isRowTexts, isSharedTexts } from '../import/rowShapes';

const isLogName: Check = (name) => LOG_NAMES.some((one) => one === name);
const isLogs = recordOf(isLogName, isText);
const isAmount: Check = (value) => isNumber(value) && value >= 0;

/** Of what is ended with all its group: no run is the first process, whose group would be everybody. */
const isRun: Check = (value) => isProcess(value) && (value as { pid: number }).pid > 1;

const isProcessOwner = fields({ machine: isText, worker: isText, process: isProcess });
const isOwner: Check = (value) =>
  isObject(value) && (value['kind'] === 'person' ? isText(value['machine']) : isProcessOwner(value));
const isWorker = fields({ owner: isProcessOwner, since: isNumber });

const isReply = fields({ question: isText, answer: isText });
const isAnswered = orAbsent(listOf(isReply));
const isSkipped = fields({
  why: isText,
  from: isNumber,
  to: isNumber,
  count: isCount,
  pause: orAbsent(isText),
});
const OF_TURN = { dueAt: orAbsent(isNumber), skipped: orAbsent(listOf(isSkipped)) };

const isClaim = fields({
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
  workingDir: orAbsent(isText),
  run: orAbsent(isRun),
});

const isAttempt = fields({
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
  output: orAbsent(isFileName),
  earlierOutput: orAbsent(isFileName),
  costUsd: orAbsent(isAmount),
  denials: orAbsent(listOf(isObject)),
});

const isTask = fields({
  id: isId,
  power: isText,
  status: isText,
  retryCount: isCount,
  ownerScheduledAt: orNull(isNumber),
  dueAt: orNull(isNumber),
  firstSeenAt: isNumber,
  skipped: orAbsent(listOf(isSkipped)),
  session: orNull(isText),
  handOver: orAbsent(isText),
  question: orAbsent(fields({ text: isText, session: isText, answered: isAnswered })),
  answered: isAnswered,
});

const isSeenRow = fields({
  id: isId,
  power: isText,
  status: orAbsent(isText),
  scheduledAt: orAbsent(orNull(isNumber)),
  retryCount: orAbsent(isCount),
});

const isSender = fields({ machine: isText, process: isProcess });

const OF_TASK = { id: isId, power: isText };
const OF_END = { ...OF_TASK, attempt: isCount };
const OF_DEADLINE = { ...OF_TASK, by: isNumber };
const NOTICES: Readonly<Record<NoticeKind, Check>> = {
  'needs-answer': fields(OF_END),
  review: fields(OF_END),
  failed: fields(OF_END),
  'at-risk': fields(OF_DEADLINE),
  late: fields(OF_DEADLINE),
  blocked: fields({ gate: isText, since: isNumber }),
  'worker-died': fields({ worker: isText, process: isProcess }),
  'timer-late': fields({ timer: isText, expectedAt: isNumber }),
  'all-done': fields({
    since: isNumber,
    until: isNumber,
    completed: isCount,
    failed: isCount,
    review: isCount,
    left: isCount,
    costUsd: isAmount,
  }),
};

const isNotice: Check = (value) =>
  isObject(value) && isText(value['kind']) && isNoticeOfKind(value['kind'], value);

function isNoticeOfKind(kind: string, value: unknown): boolean {
  const checks: Readonly<Record<string, Check>> = NOTICES;
  return Object.hasOwn(checks, kind) && checks[kind]?.(value) === true;
}

const isOutboxEntry = fields({
  notice: isNotice,
  at: isNumber,
  senders: recordOf(isText, isSender),
  sent: listOf(isText),
});

const isAdoptedTask = fields({
  id: isId,
  power: isText,
  state: fields({
    status: orAbsent(isText),
    retryCount: orAbsent(isCount),
    dueAt: orAbsent(isNumber),
    lastSuccessAt: orAbsent(isNumber),
    lastMessage: orAbsent(isText),
  }),
});

const NEW_TIMER = { by: isText, crons: listOf(isText) };

const isOfClaim = { id: isId, token: isCount };

const EVENTS: Readonly<Record<QueueEvent['kind'], Check>> = {
  seen: fields({ rows: listOf(isSeenRow) }),
  gone: fields({ ids: listOf(isId) }),
  claimed: fields({ claim: isClaim }),
  started: fields({ ...isOfClaim, run: isRun }),
  finished: fields({ ...isOfClaim, change: isObject, attempt: isAttempt }),
  released: fields(isOfClaim),
  commanded: fields({ id: isId, verb: isText }),
  answered: fields({ id: isId, reply: isReply }),
  approved: fields({ ids: listOf(isId) }),
  held: fields({ why: isText }),
  resumed: isObject,
  missed: fields({
    id: isId,
    count: isCount,
    dueAt: isNumber,
    owedRuns: orAbsent(isCount),
    caughtUp: orAbsent(isCount),
    lastAt: orAbsent(isNumber),
    skipped: orAbsent(listOf(isSkipped)),
  }),
  adopted: fields({ from: isText, attempts: listOf(isAttempt), tasks: listOf(isAdoptedTask) }),
  scheduled: fields({ timer: orNull(fields(NEW_TIMER)) }),
  'timer-started': isObject,
  stop: isObject,
  enlisted: fields({ worker: isWorker }),
  left: fields({ workers: listOf(isProcessOwner) }),
  raised: fields({ notices: listOf(isNotice) }),
  sending: fields({ channel: isText, sender: isSender, keys: listOf(isText) }),
  sent: fields({ channel: isText, keys: listOf(isText) }),
};

const isEventOfAnyKind = fields({ at: isNumber, kind: isText, op: orAbsent(isText), logs: orAbsent(isLogs) });

const isEvent: Check = (value) => {
  if (!isEventOfAnyKind(value)) return false;
  const { kind } = value as QueueEvent;
  return !Object.hasOwn(EVENTS, kind) || EVENTS[kind](value);
};

const isStampText: Check = (value) => isText(value) && /^-?\d{1,30}$/.test(value);
const isStamp = fields({ ino: isStampText, size: isStampText, mtimeNs: isStampText, ctimeNs: isStampText });

const FOLD = {
  at: isNumber,
  cells: listOf(isRowTexts),
  result: orNull(isText),
  base: orAbsent(isText),
  logSizes: recordOf(isLogName, isCount),
};

const ofQueue: Readonly<Record<keyof QueueState, Check>> = {
  revision: isCount,
  tasks: pairsOf(isText, isTask),
  powers: pairsOf(isId, isText),
  claims: pairsOf(isId, isClaim),
  attemptCounts: pairsOf(isId, isCount),
  attempts: listOf(isAttempt),
  starts: listOf(isNumber),
  costs: listOf(fields({ at: isNumber, usd: isAmount })),
  token: isCount,
  holds: listOf(fields({ by: isText, why: isText, at: isNumber })),
  pauses: listOf(fields({ why: isText, from: isNumber, to: isNumber })),
  streak: orNull(fields({ outcome: isText, reason: isText, message: isText, ids: listOf(isId) })),
  turns: pairsOf(isText, isCount),
  adoptedAt: orNull(isNumber),
  timer: orNull(fields({ ...NEW_TIMER, since: isNumber, startedAt: orNull(isNumber) })),
  stop: orNull(fields({ how: isText, at: isNumber })),
  stopping: listOf(isProcessOwner),
  workers: listOf(isWorker),
  outbox: pairsOf(isText, isOutboxEntry),
  batchSince: orNull(isNumber),
  ops: pairsOf(isText, isEvent),
  touched: isNothing,
};

const ofFile: Readonly<Record<keyof FileState, Check>> = {
  queue: isNothing,
  file: orNull(isFileName),
  projected: listOf(isRowTexts),
  unconfirmed: listOf(isRowTexts),
  replaced: pairsOf(isId, listOf(fields({ at: isNumber, texts: isSharedTexts }))),
  reserved: pairsOf(isText, isId),
  lastResult: orNull(isText),
  lastFold: orNull(fields({ base: isText, result: isText, stamp: isStamp })),
  waitingLogs: pairsOf(isLogName, isText),
  interrupted: orNull(fields({ ...FOLD, logs: isLogs })),
  rowless: pairsOf(isText, isNumber),
  leaving: listOf(isAttempt),
  leavingBehind: isCount,
};

/** For a field that no snapshot tells. */
function isNothing(): boolean {
  return false;
}

const isSnapshot: Check = (value) => {
  if (!isObject(value)) return false;
  const { of, field } = value;
  const checks: Readonly<Record<string, Check>> = of === 'queue' ? ofQueue : ofFile;
  if (!isText(field) || !Object.hasOwn(checks, field)) return isText(field);
  return checks[field]?.(value['value']) === true;
};

/**
 * Whether a journal's entry can be gone by. A `state/` may have come with a repository, and what it says becomes names of
 * files, processes that are ended, and sums that bounds are compared with: nothing of that is taken on trust. What a later
 * program has added is left to it.
 */
export const isSoundEntry = fields({
  events: orAbsent(listOf(isEvent)),
  found: orAbsent(listOf(isRowTexts)),
  file: orAbsent(isFileName),
  reserved: orAbsent(fields({ op: isText, id: isId })),
  fold: orAbsent(fields(FOLD)),
  stamp: orAbsent(isStamp),
  snapshot: orAbsent(isSnapshot),
});
