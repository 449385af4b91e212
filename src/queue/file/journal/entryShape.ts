import {
  type Check,
  fields,
  isCount,
  isId,
  isNumber,
  isObject,
  isText,
  listOf,
  orAbsent,
  orNull,
  pairsOf,
  recordOf,
} from '../../../platform/text/shapes';
import type { LogLines, QueueEvent } from '../../model/events';
import {
  checkOf,
  isAttempt,
  isEvent,
  isFileName,
  isQueuePart,
  type SnapshotChecks,
} from '../../model/eventShape';
import type { Entry, FileState } from '../fileState';
import type { StampTexts } from '../../../platform/files/fileStamp';
import { LOG_NAMES } from '../checkpoint/logLines';
import type { SnapshotPart } from './snapshotParts';
import { isRowTexts, isSharedTexts } from '../reading/rowShapes';

const isLogName: Check<string> = (name): name is string => LOG_NAMES.some((one) => one === name);
const isLogs: Check<LogLines> = recordOf(isLogName, isText);
/** The names of logs become file names. */
const isEventWithLogs: Check<QueueEvent> = (value): value is QueueEvent =>
  isEvent(value) && (!('logs' in value) || orAbsent(isLogs)(value.logs));

const isStampText: Check<string> = (value): value is string => isText(value) && /^-?\d{1,30}$/.test(value);
const isStamp = fields<StampTexts>({
  ino: isStampText,
  size: isStampText,
  mtimeNs: isStampText,
  ctimeNs: isStampText,
});

const CHECKPOINT = {
  at: isNumber,
  cells: listOf(isRowTexts),
  result: orNull(isText),
  base: orAbsent(isText),
  logSizes: recordOf(isLogName, isCount),
};

const ofFile: SnapshotChecks<FileState, 'queue'> = {
  queue: isNothing,
  file: orNull(isFileName),
  projected: listOf(isRowTexts),
  unconfirmed: listOf(isRowTexts),
  replaced: pairsOf(isId, listOf(fields({ at: isNumber, texts: isSharedTexts }))),
  reserved: pairsOf(isText, isId),
  lastResult: orNull(isText),
  lastFold: orNull(fields({ base: isText, result: isText, stamp: isStamp })),
  waitingLogs: pairsOf(isLogName, isText),
  interrupted: orNull(fields({ ...CHECKPOINT, logs: isLogs })),
  rowless: pairsOf(isText, isNumber),
  leaving: listOf(isAttempt),
  leavingBehind: isCount,
};

/** Check of a field that no snapshot holds. */
function isNothing(): false {
  return false;
}

const isSnapshot: Check<SnapshotPart> = (value): value is SnapshotPart => {
  if (!isObject(value)) return false;
  const { of, field } = value;
  if (of === 'queue') return isQueuePart(field, value['value']);
  return isText(field) && checkOf(ofFile, field)?.(value['value']) !== false;
};

/**
 * Whether an entry of a journal is valid. A `state/` folder may come with a repository. Its entries become file
 * names, processes to end, and sums compared with limits, so none of that is trusted.
 * Fields that a newer program added are not checked.
 */
export const isSoundEntry = fields<Entry>({
  events: orAbsent(listOf(isEventWithLogs)),
  found: orAbsent(listOf(isRowTexts)),
  file: orAbsent(isFileName),
  reserved: orAbsent(fields({ op: isText, id: isId })),
  fold: orAbsent(fields(CHECKPOINT)),
  stamp: orAbsent(isStamp),
  snapshot: orAbsent(isSnapshot),
});
