/** List in an order, in which every element has its own place. Finds a place by halving. */
export class SortedList<T> {
  private readonly list: T[] = [];

  /** @param compare negative if the first goes before the second; 0 only for an element and itself */
  constructor(private readonly compare: (a: T, b: T) => number) {}

  /** The elements in order. */
  get items(): readonly T[] {
    return this.list;
  }

  add(item: T): void {
    this.list.splice(this.placeOf(item), 0, item);
  }

  /** Adds elements by sorting once. */
  addAll(items: readonly T[]): void {
    for (const item of items) this.list.push(item);
    this.list.sort(this.compare);
  }

  /** Removes an element. Returns whether it was in the list. */
  delete(item: T): boolean {
    const place = this.placeOf(item);
    const found = this.list[place];
    if (found === undefined || this.compare(found, item) !== 0) return false;
    this.list.splice(place, 1);
    return true;
  }

  clear(): void {
    this.list.length = 0;
  }

  /** Returns the index of the first element that does not go before `item`. */
  private placeOf(item: T): number {
    let [from, to] = [0, this.list.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = this.list[middle];
      if (other !== undefined && this.compare(other, item) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
