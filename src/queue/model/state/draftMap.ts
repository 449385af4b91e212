/**
 * Map that can change without changing the one that it was made of. Reading goes through to that one, which must not
 * change meanwhile. The order of its entries is that of a copy.
 */
export class DraftMap<K, V> implements Map<K, V> {
  private readonly changed = new Map<K, V>();
  private readonly added = new Map<K, V>();
  private readonly deleted = new Set<K>();

  constructor(private readonly below: ReadonlyMap<K, V>) {}

  readonly [Symbol.toStringTag] = 'DraftMap';

  get size(): number {
    return this.below.size - this.deleted.size + this.added.size;
  }

  get(key: K): V | undefined {
    if (this.added.has(key)) return this.added.get(key);
    if (this.deleted.has(key)) return undefined;
    return this.changed.has(key) ? this.changed.get(key) : this.below.get(key);
  }

  has(key: K): boolean {
    return this.added.has(key) || (this.below.has(key) && !this.deleted.has(key));
  }

  set(key: K, value: V): this {
    const isBelow = this.below.has(key) && !this.deleted.has(key);
    (isBelow ? this.changed : this.added).set(key, value);
    return this;
  }

  delete(key: K): boolean {
    if (this.added.delete(key)) return true;
    if (!this.has(key)) return false;
    this.changed.delete(key);
    this.deleted.add(key);
    return true;
  }

  clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }

  forEach(call: (value: V, key: K, map: Map<K, V>) => void): void {
    for (const [key, value] of this) call(value, key, this);
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.below) {
      if (this.deleted.has(key)) continue;
      yield this.changed.has(key) ? [key, this.changed.get(key) as V] : [key, value];
    }
    yield* this.added;
  }

  *keys(): MapIterator<K> {
    for (const [key] of this) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }
}
