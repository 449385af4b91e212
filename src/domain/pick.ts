/** Returns these fields of an object, in this order. A field that is absent stays absent. */
export function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const pairs = names.map((name) => [name, from[name]] as const).filter(([, value]) => value !== undefined);
  // The compiler does not follow names through entries. Each name is one of the type's.
  return Object.fromEntries(pairs) as Pick<T, K>;
}
