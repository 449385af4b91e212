import {
  USER_ACTION_KINDS,
  LIMIT_KINDS,
  PASSING_KINDS,
  type GateBlock,
  type GateKind,
  type GateView,
  type Probe,
} from '../domain/gate/limits';
import {
  fields,
  isId,
  isNumber,
  isProcess,
  isText,
  isTrue,
  listOf,
  orAbsent,
  orNull,
  recordOf,
} from '../platform/text/shapes';

const KINDS: readonly GateKind[] = [...LIMIT_KINDS, ...USER_ACTION_KINDS, ...PASSING_KINDS];

const isProbe = fields<Probe>({
  at: isNumber,
  task: fields({ queue: isText, id: isId }),
  worker: isText,
  machine: orAbsent(isText),
  process: isProcess,
  run: orAbsent(isProcess),
});

const isGateBlock = fields<GateBlock>({
  kind: isText,
  message: isText,
  since: isNumber,
  until: orNull(isNumber),
  model: orAbsent(isText),
  guessed: orAbsent(isTrue),
  ofDefault: orAbsent(isTrue),
  probed: orAbsent(isTrue),
  resettable: orAbsent(isTrue),
  again: orAbsent(isNumber),
  trial: orAbsent(isProbe),
  proven: orAbsent(fields({ at: isNumber, begunAt: isNumber })),
});

/** Whether a value that was read from a file is a gate. */
export const isGate = fields<GateView>({
  closures: listOf(isGateBlock),
  usage: listOf(fields({ window: isText, utilization: isNumber, resetAt: isNumber, asOf: isNumber })),
  defaultModel: orAbsent(isText),
  defaultModels: orAbsent(recordOf(isText, isText)),
  overloaded: orAbsent(fields({ at: isNumber })),
  openedBefore: orAbsent(isNumber),
});

/** Whether a gate holds something that a later version wrote: a block of an unknown kind. */
export function isOfLaterProgram({ closures }: GateView): boolean {
  return !closures.every(({ kind }) => KINDS.includes(kind));
}
