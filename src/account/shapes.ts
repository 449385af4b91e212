/** What a value that was read from a file may be known as. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A number that means something: JSON has no others, but what is too large for it is read as infinite. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

export function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

/** Whether it is absent, or what it should be. */
export function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}
