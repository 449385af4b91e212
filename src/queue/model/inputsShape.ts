import {
  type Check,
  fields,
  isBoolean,
  isCount,
  isId,
  isNumber,
  isObject,
  isText,
  listOf,
  orAbsent,
  orNull,
} from '../../platform/text/shapes';
import type { GateBlock, GateView } from '../../domain/gate/gate';
import type { Choice } from '../../domain/order/choice';
import {
  DECIDING_SETTINGS,
  type AskerFacts,
  type DecidingSettings,
  type RecordedInputs,
  type RowFacts,
} from '../../domain/reasons/recordedInputs';
import { defaults } from '../../domain/settings/settings';
import type { TaskId } from '../../domain/task/task';
import type { QueueEvent } from './events';
import type { Splice } from './state/splice';

const isIdSplice = fields<Splice<TaskId>>({ at: isCount, drop: isCount, add: listOf(isId) });

/** Checks the selection of a claim. */
export const isChoice = fields<Choice>({
  id: orAbsent(isId),
  override: orAbsent(fields({})),
  priorities: orAbsent(listOf(isText)),
  tags: orAbsent(listOf(isText)),
  users: orAbsent(listOf(isText)),
  stealFrom: orAbsent(listOf(isText)),
});

/** Checks the recorded facts of a row. */
export const isRowFacts = fields<RowFacts>({
  id: isId,
  priority: isText,
  workingDir: isText,
  realDir: orAbsent(isText),
  dependencies: listOf(isId),
  repeat: orAbsent(fields({})),
  maxRetries: isNumber,
  createdAt: orAbsent(isNumber),
  model: orAbsent(isText),
  user: orAbsent(isText),
  deadline: orAbsent(isNumber),
  tags: orAbsent(listOf(isText)),
});

const isGate = fields<GateView>({
  closures: listOf(
    fields<GateBlock>({ kind: isText, since: isNumber, until: orNull(isNumber), message: isText }),
  ),
  usage: listOf(fields({ window: isText, utilization: isNumber, resetAt: isNumber, asOf: isNumber })),
});

/** A setting that is absent has its default. */
const isSettings: Check<DecidingSettings> = (value): value is DecidingSettings =>
  isObject(value) &&
  DECIDING_SETTINGS.every((name) => value[name] === undefined || isLike(value[name], defaults[name]));

function isLike(value: unknown, model: unknown): boolean {
  return typeof value === typeof model && Array.isArray(value) === Array.isArray(model);
}

/** Checks the recorded facts about an asker. */
export const isAskerFacts = fields<AskerFacts>({
  machine: isText,
  gate: isGate,
  trusted: isBoolean,
  unapproved: listOf(isId),
  choice: orAbsent(isChoice),
  settings: orAbsent(isSettings),
  timeZone: orAbsent(isText),
});

/** Checks recorded inputs in a snapshot. */
export const isRecordedInputs = fields<RecordedInputs>({
  settings: isSettings,
  timeZone: isText,
  invalid: listOf(isId),
  asked: isAskerFacts,
  worker: orAbsent(isAskerFacts),
});

type InputsEvent = Extract<QueueEvent, { readonly kind: 'inputs' }>;

const isAskerChange = fields<NonNullable<InputsEvent['asker']>>({
  worker: orNull(isText),
  machine: isText,
  gate: orAbsent(isGate),
  trusted: orAbsent(isBoolean),
  unapproved: orAbsent(isIdSplice),
  choice: orAbsent(isChoice),
  askingSince: orAbsent(isNumber),
  clockJumpMs: orAbsent(isNumber),
});

/** Checks an event with inputs. */
export const isInputs = fields<InputsEvent>({
  settings: orAbsent(isSettings),
  timeZone: orAbsent(isText),
  rows: orAbsent(listOf(isRowFacts)),
  order: orAbsent(isIdSplice),
  invalid: orAbsent(listOf(isId)),
  asker: orAbsent(isAskerChange),
});
