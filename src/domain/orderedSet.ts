const BITS = 32;
const SHIFT = 5;

/**
 * A set of whole numbers below a bound that is known, in their order. A bit a number, and above each layer of bits one
 * that says which of its words are not empty: what is asked costs as many steps as there are layers, four for a million.
 */
export class OrderedSet {
  private readonly layers: Uint32Array[] = [];
  private count = 0;

  constructor(capacity: number) {
    let words = capacity;
    do {
      words = Math.max(1, Math.ceil(words / BITS));
      this.layers.push(new Uint32Array(words));
    } while (words > 1);
  }

  get size(): number {
    return this.count;
  }

  has(member: number): boolean {
    return (((this.layers[0]?.[member >>> SHIFT] ?? 0) >>> (member % BITS)) & 1) === 1;
  }

  add(member: number): void {
    if (this.has(member)) return;
    this.count += 1;
    let at = member;
    for (const words of this.layers) {
      const word = at >>> SHIFT;
      const before = words[word] ?? 0;
      words[word] = before | (1 << (at % BITS));
      // A word that was not empty is known to the layers above.
      if (before !== 0) return;
      at = word;
    }
  }

  delete(member: number): void {
    if (!this.has(member)) return;
    this.count -= 1;
    let at = member;
    for (const words of this.layers) {
      const word = at >>> SHIFT;
      const left = (words[word] ?? 0) & ~(1 << (at % BITS));
      words[word] = left;
      if (left !== 0) return;
      at = word;
    }
  }

  /** The least member that is not below `from`; -1 where there is none. */
  first(from = 0): number {
    let at = from;
    for (let layer = 0; layer < this.layers.length; layer += 1) {
      const word = at >>> SHIFT;
      const rest = (this.layers[layer]?.[word] ?? 0) >>> (at % BITS);
      if (rest !== 0) return this.leastBelow(layer, at + lowestBit(rest));
      at = word + 1;
    }
    return -1;
  }

  /** The least member under a bit of a layer. */
  private leastBelow(layer: number, bit: number): number {
    let at = bit;
    for (let below = layer - 1; below >= 0; below -= 1) {
      at = at * BITS + lowestBit(this.layers[below]?.[at] ?? 0);
    }
    return at;
  }
}

function lowestBit(word: number): number {
  return BITS - 1 - Math.clz32(word & -word);
}
