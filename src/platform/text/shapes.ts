/** Whether a value that was read from a file is what it should be. */
export type Check = (value: unknown) => boolean;

/** An object whose fields may be looked at. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A number that means something: what is too large for JSON is read as infinite. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** A number of things, or of bytes. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** What counts from one: a task's id, a process. */
export function isId(value: unknown): value is number {
  return isCount(value) && value > 0;
}

/** Of what is only ever set, and else absent. */
export function isTrue(value: unknown): boolean {
  return value === true;
}

/** A process that can be asked for. */
export const isProcess = fields({ pid: isId, startedAt: isText });

/** An object with these fields; it may have others. */
export function fields(checks: Readonly<Record<string, Check>>): Check {
  const all = Object.entries(checks);
  return (value) => isObject(value) && all.every(([name, isRight]) => isRight(value[name]));
}

export function listOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.every(isItem);
}

/** An object whose own names and values are all right. */
export function recordOf(isName: Check, isValue: Check): Check {
  const isPair = pairOf(isName, isValue);
  return (value) => isObject(value) && Object.entries(value).every(isPair);
}

export function pairOf(isFirst: Check, isSecond: Check): Check {
  return (value) => Array.isArray(value) && isFirst(value[0]) && isSecond(value[1]);
}

/** A map as it is written down. */
export function pairsOf(isKey: Check, isValue: Check): Check {
  return listOf(pairOf(isKey, isValue));
}

export function orNull(isRight: Check): Check {
  return (value) => value === null || isRight(value);
}

export function orAbsent(isRight: Check): Check {
  return (value) => value === undefined || isRight(value);
}
