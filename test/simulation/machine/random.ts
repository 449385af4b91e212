/** Numbers drawn from one seed. Streams with different names do not disturb each other. */
export class Random {
  private state: number;

  constructor(
    private readonly seed: number,
    private readonly name = '',
  ) {
    let hash = 2_166_136_261 ^ seed;
    for (const character of `${name}/${String(seed)}`)
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
    this.state = hash >>> 0;
  }

  /** Returns another stream of the same seed. */
  stream(name: string): Random {
    return new Random(this.seed, `${this.name}/${name}`);
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d_2b_79_f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns a whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Returns true once in N calls. */
  oneIn(calls: number): boolean {
    return this.next() * calls < 1;
  }

  /** Returns one of these. @throws if there are none */
  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (items.length === 0) throw new Error('There is nothing to pick from.');
    return item as T;
  }

  /** Returns one of these, each as often as its weight says. */
  weighted<T>(items: readonly (readonly [number, T])[]): T {
    let left = this.next() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return this.pick(items)[1];
  }

  /** Returns a text of this length of hexadecimal digits. */
  hex(length: number): string {
    return Array.from({ length }, () => Math.floor(this.next() * 16).toString(16)).join('');
  }
}
