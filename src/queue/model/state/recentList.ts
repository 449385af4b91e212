/**
 * Adds a value to a list that is in the order of time, apart from a clock that was set. Values that are no longer recent are
 * dropped only once they are half of the list, so that adding many costs little: who reads the list looks at the times.
 */
export function addRecent<T>(list: T[], value: T, isRecent: (one: T) => boolean): void {
  const middle = list[Math.floor(list.length / 2)];
  if (middle !== undefined && !isRecent(middle)) {
    const recent = list.filter(isRecent);
    list.length = 0;
    for (const one of recent) list.push(one);
  }
  list.push(value);
}
