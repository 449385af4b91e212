/** Compared at once: a call costs as much as some hundred bytes, and where they differ it must be looked at again. */
const LEAST_CHUNK = 256;
const MOST_CHUNK = 64 * 1024;

/** How many bytes are the same in `a` from `fromA` on and in `b` from `fromB` on. */
export function commonStart(a: Buffer, fromA: number, b: Buffer, fromB: number): number {
  const most = Math.min(a.length - fromA, b.length - fromB);
  let same = 0;
  for (let chunk = LEAST_CHUNK; same < most; chunk = Math.min(chunk * 2, MOST_CHUNK)) {
    const length = Math.min(chunk, most - same);
    if (isSame(a, fromA + same, b, fromB + same, length)) {
      same += length;
    } else {
      return same + halve(length, (part) => isSame(a, fromA + same, b, fromB + same, part));
    }
  }
  return most;
}

/** How many bytes at the end of both are the same. */
export function commonEnd(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  const endsSame = (from: number, length: number): boolean =>
    isSame(a, a.length - from - length, b, b.length - from - length, length);
  let same = 0;
  for (let chunk = LEAST_CHUNK; same < most; chunk = Math.min(chunk * 2, MOST_CHUNK)) {
    const length = Math.min(chunk, most - same);
    if (endsSame(same, length)) same += length;
    else return same + halve(length, (part) => endsSame(same, part));
  }
  return most;
}

function isSame(a: Buffer, atA: number, b: Buffer, atB: number, length: number): boolean {
  return a.compare(b, atB, atB + length, atA, atA + length) === 0;
}

/** The most of `length` for which it holds, which does not for all of it. */
function halve(length: number, holds: (part: number) => boolean): number {
  let [low, high] = [0, length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
