import { BLOCK_KINDS, LIMIT_KINDS, PASSING_KINDS } from '../domain/gate/limits';
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
import type { Format } from './userFile';

const KINDS: readonly string[] = [...LIMIT_KINDS, ...BLOCK_KINDS, ...PASSING_KINDS];

const isProbe = fields({
  at: isNumber,
  task: fields({ queue: isText, id: isId }),
  worker: isText,
  process: isProcess,
  run: orAbsent(isProcess),
});

const isGateBlock = fields({
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

const isUsage = fields({ window: isText, utilization: isNumber, resetAt: isNumber, asOf: isNumber });

const isGate = fields({
  closures: listOf(isGateBlock),
  usage: listOf(isUsage),
  defaultModel: orAbsent(isText),
  defaultModels: orAbsent(recordOf(isText, isText)),
  overloaded: orAbsent(fields({ at: isNumber })),
  openedBefore: orAbsent(isNumber),
});

/** Whether a gate that was read can be gone by. A closure of a kind that is not known here was written by a later program. */
export function checkGateFormat(value: unknown): Format {
  if (!isGate(value)) return 'damaged';
  const { closures } = value as { readonly closures: readonly { readonly kind: string }[] };
  return closures.every(({ kind }) => KINDS.includes(kind)) ? 'right' : 'newer';
}
