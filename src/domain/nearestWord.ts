/** Returns the word with the fewest changed letters; null if none is near enough to be meant. */
export function nearestWord(text: string, words: readonly string[]): string | null {
  const written = text.trim().toLowerCase();
  const near = words
    .map((word) => ({ word, distance: distanceOf(written, word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.word ?? null;
}

/** Returns the number of letters to add, remove, replace or swap with the next one. */
function distanceOf(a: string, b: string): number {
  // Distances of the beginnings of both texts, by their lengths.
  const distances = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => distances[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    distances.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, isSwapped ? at(i - 2, j - 2) + 1 : Infinity),
      );
    }
  }
  return at(a.length, b.length);
}
