import { BLOCK_KINDS, LIMIT_KINDS, PASSING_KINDS } from '../domain/limits';
import { isList, isNumber, isObject, isOptional, isText } from './shapes';
import type { Standing } from './userFile';

const KINDS: readonly string[] = [...LIMIT_KINDS, ...BLOCK_KINDS, ...PASSING_KINDS];

/** Whether a gate that was read can be gone by. A closure of a kind that is not known here was written by a later program. */
export function judgeGate(value: unknown): Standing {
  if (!isGate(value)) return 'damaged';
  const { closures } = value;
  return closures.every(({ kind }) => KINDS.includes(kind)) ? 'right' : 'newer';
}

interface GateShape {
  readonly closures: readonly { readonly kind: string }[];
}

function isGate(value: unknown): value is GateShape {
  return (
    isObject(value) &&
    isList(value['closures'], isClosure) &&
    isList(value['usage'], isUsage) &&
    isOptional(value['defaultModel'], isText) &&
    isOptional(value['defaultModels'], isObject) &&
    isOptional(value['overloaded'], isTimed) &&
    isOptional(value['openedBefore'], isNumber)
  );
}

function isClosure(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { kind, model, since, until, message, again, trial, proven } = value;
  return (
    [kind, message].every(isText) &&
    isNumber(since) &&
    (until === null || isNumber(until)) &&
    isOptional(model, isText) &&
    isOptional(again, isNumber) &&
    isOptional(trial, isTrial) &&
    isOptional(proven, isProof)
  );
}

function isTrial(value: unknown): boolean {
  if (!isTimed(value)) return false;
  const { task, worker, process } = value;
  const isTask = isObject(task) && isText(task['queue']) && isNumber(task['id']);
  const isProcess = isObject(process) && isNumber(process['pid']) && isText(process['startedAt']);
  return isTask && isProcess && isText(worker);
}

function isProof(value: unknown): boolean {
  return isTimed(value) && isNumber(value['begunAt']);
}

function isTimed(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && isNumber(value['at']);
}

function isUsage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { window, utilization, resetAt, asOf } = value;
  return isText(window) && [utilization, resetAt, asOf].every(isNumber);
}
