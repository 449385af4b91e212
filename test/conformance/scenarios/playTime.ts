/**
 * What says whether one more generated play starts: the first does, and others do for so long; the rest are passed over, also
 * those that would make a failed one smaller. A slow machine tries less. With its own limits fast-check would fail a property
 * whose first play takes longer, and let one that has started play on behind its test, into others.
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
