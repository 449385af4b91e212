/**
 * Returns a function that says whether one more generated play may start: the first may, and others within `ms`. The
 * rest are passed over, also those that would shrink a failed play. A slow machine thus tries less. fast-check's own
 * time limits would fail a property whose first play takes longer, and would let a play that has started run on after
 * its test, into others.
 */
export function startsFor(ms: number): () => boolean {
  const latest = performance.now() + ms;
  let isFirst = true;
  return () => {
    const begins = isFirst || performance.now() < latest;
    isFirst = false;
    return begins;
  };
}
