import type { EpochMs } from './epoch';

/** A time for each of the numbers below a bound that is known, the earliest at hand: a binary heap that knows its members. */
export class Timers {
  private readonly times: Float64Array;
  private readonly heap: Int32Array;
  /** Where a number stands in the heap; -1: it has no time. */
  private readonly places: Int32Array;
  private size = 0;

  constructor(capacity: number) {
    this.times = new Float64Array(capacity);
    this.heap = new Int32Array(capacity);
    this.places = new Int32Array(capacity).fill(-1);
  }

  /** Gives a number its time, instead of one that it had. */
  set(member: number, at: EpochMs): void {
    let place = this.places[member] ?? -1;
    const before = place < 0 ? Infinity : this.timeOf(member);
    if (place < 0) {
      place = this.size;
      this.size += 1;
    }
    this.times[member] = at;
    if (at <= before) this.rise(member, place);
    else this.sink(member, place);
  }

  /** Takes out the one with the earliest time, where that has come by `now`; -1: none has. */
  takeDue(now: EpochMs): number {
    const due = this.heap[0] ?? -1;
    if (this.size === 0 || this.timeOf(due) > now) return -1;
    this.size -= 1;
    this.places[due] = -1;
    if (this.size > 0) this.sink(this.heap[this.size] ?? 0, 0);
    return due;
  }

  private timeOf(member: number): EpochMs {
    return this.times[member] ?? Infinity;
  }

  private put(member: number, place: number): void {
    this.heap[place] = member;
    this.places[member] = place;
  }

  private rise(member: number, from: number): void {
    const at = this.timeOf(member);
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.heap[above] ?? 0;
      if (this.timeOf(parent) <= at) break;
      this.put(parent, place);
      place = above;
    }
    this.put(member, place);
  }

  private sink(member: number, from: number): void {
    const at = this.timeOf(member);
    let place = from;
    for (;;) {
      const child = this.earlierChild(place);
      if (child < 0) break;
      const below = this.heap[child] ?? 0;
      if (this.timeOf(below) >= at) break;
      this.put(below, place);
      place = child;
    }
    this.put(member, place);
  }

  private earlierChild(place: number): number {
    const left = 2 * place + 1;
    if (left >= this.size) return -1;
    const right = left + 1;
    if (right >= this.size) return left;
    return this.timeOf(this.heap[right] ?? 0) < this.timeOf(this.heap[left] ?? 0) ? right : left;
  }
}
