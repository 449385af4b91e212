import {
  USER_ACTION_KINDS,
  LIMIT_KINDS,
  OPEN_GATE,
  PASSING_KINDS,
  type GateBlock,
  type GateKind,
  type GateView,
  type Probe,
} from '../domain/gate/gate';
import {
  fields,
  isId,
  isNumber,
  isProcess,
  isText,
  isTime,
  isTrue,
  listOf,
  orAbsent,
  orNull,
  recordOf,
} from '../platform/text/shapes';
import type { ValueFormat } from './storedValue';

const KINDS: readonly GateKind[] = [...LIMIT_KINDS, ...USER_ACTION_KINDS, ...PASSING_KINDS];

const isProbe = fields<Probe>({
  at: isTime,
  task: fields({ queue: isText, id: isId }),
  worker: isText,
  machine: orAbsent(isText),
  process: isProcess,
  run: orAbsent(isProcess),
});

const isGateBlock = fields<GateBlock>({
  kind: isText,
  message: isText,
  since: isTime,
  until: orNull(isTime),
  model: orAbsent(isText),
  machine: orAbsent(isText),
  guessed: orAbsent(isTrue),
  ofDefault: orAbsent(isTrue),
  probed: orAbsent(isTrue),
  resettable: orAbsent(isTrue),
  again: orAbsent(isNumber),
  trial: orAbsent(isProbe),
  proven: orAbsent(fields({ at: isTime, begunAt: isTime })),
});

const isGate = fields<GateView>({
  closures: listOf(isGateBlock),
  usage: listOf(fields({ window: isText, utilization: isNumber, resetAt: isTime, asOf: isTime })),
  defaultModel: orAbsent(isText),
  defaultModels: orAbsent(recordOf(isText, isText)),
  overloaded: orAbsent(fields({ at: isTime })),
  openedBefore: orAbsent(isTime),
});

/** Stored form of a gate. One with a block of an unknown kind is of a later version. */
export const GATE_FORMAT: ValueFormat<GateView> = {
  empty: OPEN_GATE,
  isRight: isGate,
  isOfLaterProgram: ({ closures }) => !closures.every(({ kind }) => KINDS.includes(kind)),
};
