/**
 * Returns the rows that a key acts on: the selected ones if the focus is on one of them, else the focused one. VS Code
 * tells an extension the selection alone, so the focused row is the one that toggling the selection adds.
 */
export function findKeyTargets<T>(selected: readonly T[], toggled: readonly T[]): readonly T[] {
  const added = toggled.filter((row) => !selected.includes(row));
  return added.length > 0 ? added : selected;
}
